/**
 * As much XML as manifests need: elements with attributes, text and lines.
 * Rule: it reads what build tools read; entities other than XML's own five stay as they are, DTDs are passed over.
 */

/** An element; `text` is that of its own children, trimmed. */
export interface XmlElement {
  name: string;
  line: number;
  attributes: ReadonlyMap<string, string>;
  text: string;
  children: readonly XmlElement[];
}

/** Where a text stops being XML. */
export class XmlFault extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

interface OpenElement {
  name: string;
  line: number;
  attributes: Map<string, string>;
  text: string;
  children: XmlElement[];
}

const TOKEN =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<![^>]*>|<(\/?)([\w.:-]+)((?:\s+[\w.:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|<|[^<]+/g;

/**
 * Reads a document and gives its root element.
 *
 * @throws {XmlFault} with the line at which elements do not match
 */
export function parseXml(source: string): XmlElement {
  const top = opened("", 1, "");
  const stack: OpenElement[] = [top];
  let nextLine = 1;
  for (const match of source.matchAll(TOKEN)) {
    const [token, cdata, slash, name, attributes, selfClosing] = match;
    const line = nextLine;
    nextLine += token.split("\n").length - 1;
    const current = stack.at(-1) ?? top;
    if (cdata !== undefined) current.text += cdata;
    else if (name !== undefined && slash === "/") {
      if (stack.length === 1 || current.name !== name) {
        throw new XmlFault(line, `</${name}> closes nothing that is open`);
      }
      stack.pop();
    } else if (name !== undefined) {
      const element = opened(name, line, attributes ?? "");
      current.children.push(element);
      if (selfClosing !== "/") stack.push(element);
    } else if (token === "<") throw new XmlFault(line, '"<" opens no element');
    else if (!token.startsWith("<")) current.text += unescaped(token);
  }
  const unclosed = stack.at(-1);
  if (unclosed !== undefined && unclosed !== top) {
    throw new XmlFault(unclosed.line, `<${unclosed.name}> is not closed`);
  }
  const [root] = top.children;
  if (root === undefined) throw new XmlFault(1, "there is no element");
  return root;
}

function opened(name: string, line: number, source: string): OpenElement {
  const attributes = new Map<string, string>();
  for (
    const [, key, double, single] of source.matchAll(/([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)
  ) {
    attributes.set(key ?? "", unescaped(double ?? single ?? ""));
  }
  return { name, line, attributes, text: "", children: [] };
}

function unescaped(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'").replaceAll("&amp;", "&");
}

/** All elements of that name below `element`. */
export function* elementsNamed(element: XmlElement, name: string): Generator<XmlElement> {
  for (const child of element.children) {
    if (child.name === name) yield child;
    yield* elementsNamed(child, name);
  }
}

/** The text of the child of that name, trimmed; empty when there is none. */
export function childText(element: XmlElement, name: string): string {
  return element.children.find((child) => child.name === name)?.text.trim() ?? "";
}
