/** @jsxImportSource preact */
/**
 * Markdown as elements, from the same parser that the terminal uses.
 * Rule: safe by construction: elements are made one by one, markup of the text is shown as text, and a link goes to
 * the web or to nowhere.
 */
import type { ListItem, Paragraph, PhrasingContent, RootContent, Table } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmStrikethroughFromMarkdown } from "mdast-util-gfm-strikethrough";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmStrikethrough } from "micromark-extension-gfm-strikethrough";
import { gfmTable } from "micromark-extension-gfm-table";
import { type ComponentChildren, h } from "preact";

type Node = RootContent | PhrasingContent;

/** The text as elements. */
export function Markdown({ text }: { text: string }) {
  const tree = fromMarkdown(text, {
    extensions: [gfmTable(), gfmStrikethrough()],
    mdastExtensions: [gfmTableFromMarkdown(), gfmStrikethroughFromMarkdown()],
  });
  return <div class="markdown">{all(tree.children)}</div>;
}

function all(nodes: readonly Node[]): ComponentChildren[] {
  return nodes.map((node) => element(node));
}

function element(node: Node): ComponentChildren {
  switch (node.type) {
    case "text":
      return node.value;
    case "html":
      return <code>{node.value}</code>;
    case "paragraph":
      return <p>{all(node.children)}</p>;
    case "heading":
      // The page's own headings go before those of an answer.
      return h(`h${Math.min(node.depth + 2, 6)}`, null, all(node.children));
    case "emphasis":
      return <em>{all(node.children)}</em>;
    case "strong":
      return <strong>{all(node.children)}</strong>;
    case "delete":
      return <del>{all(node.children)}</del>;
    case "inlineCode":
      return <code>{node.value}</code>;
    case "code":
      return <pre tabIndex={0}><code>{node.value}</code></pre>;
    case "blockquote":
      return <blockquote>{all(node.children)}</blockquote>;
    case "list":
      return node.ordered
        ? <ol start={node.start ?? 1}>{all(node.children)}</ol>
        : <ul>{all(node.children)}</ul>;
    case "listItem":
      return (
        <li>
          {node.children.map((child) =>
            isTight(node, child) ? all(child.children) : element(child)
          )}
        </li>
      );
    case "table":
      return table(node);
    case "break":
      return <br />;
    case "thematicBreak":
      return <hr />;
    case "link":
      return link(node.url, all(node.children));
    case "image":
      return link(node.url, [`[image: ${node.alt || node.url}]`]);
    case "linkReference":
    case "imageReference":
      return <>[{"children" in node ? all(node.children) : node.alt}]</>;
    case "definition":
      return <p>[{node.identifier}]: {node.url}</p>;
    default:
      return null;
  }
}

/** Whether a paragraph of a list stands without space around it. */
function isTight(item: ListItem, child: RootContent): child is Paragraph {
  return item.spread !== true && child.type === "paragraph";
}

function table({ children: [head, ...rows], align }: Table): ComponentChildren {
  const style = (column: number) => ({ textAlign: align?.[column] ?? "left" });
  return (
    <div class="scrolls" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head?.children.map((cell, i) => <th key={i} style={style(i)}>{all(cell.children)}
            </th>)}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ children }) => (
            <tr>
              {children.map((cell, i) => <td key={i} style={style(i)}>{all(cell.children)}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A link, where its address is one of the web's; else what it would have shown, and the address beside it. */
function link(url: string, children: ComponentChildren[]): ComponentChildren {
  if (!/^(?:https?:\/\/|mailto:)/i.test(url)) return <>{children} ({url})</>;
  return <a href={url} target="_blank" rel="noopener noreferrer" title={url}>{children}</a>;
}
