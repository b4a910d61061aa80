/**
 * What the files of the project export, and which of it something imports.
 * Rule: read from the syntax alone (TypeScript's own parser); what cannot be told counts as used.
 */
import { join, relative, resolve } from "@std/path";
import ts from "typescript";

/** Every name of a file. */
const ALL = "*";

/** All TypeScript files below `folders`, sorted, relative to `root`. */
export function sourcesOf(root: string, folders: readonly string[]): string[] {
  const files: string[] = [];
  const walk = (folder: string) => {
    for (const { name, isDirectory } of Deno.readDirSync(folder)) {
      const path = join(folder, name);
      if (isDirectory) walk(path);
      if (/\.tsx?$/.test(name)) files.push(relative(root, path));
    }
  };
  for (const folder of folders) walk(join(root, folder));
  return files.sort();
}

/** The syntax of one file: what it exports, and what it imports from which other file. */
class FileNames {
  readonly exports = new Set<string>();
  /** Exported types that the file itself names: they say what its other exports take and give. */
  readonly describing = new Set<string>();
  /** By the path of the file that is imported from, relative to the root. */
  readonly imports = new Map<string, Set<string>>();
  readonly #types = new Set<string>();
  /** How often each name stands in the file. */
  readonly #mentions = new Map<string, number>();
  readonly #root: string;
  readonly #folder: string;

  constructor(root: string, file: string) {
    this.#root = root;
    this.#folder = resolve(root, file, "..");
    const text = Deno.readTextFileSync(join(root, file));
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    this.#visit(source);
    for (const name of this.exports) {
      if (this.#types.has(name) && (this.#mentions.get(name) ?? 0) > 1) this.describing.add(name);
    }
  }

  #visit(node: ts.Node): void {
    if (ts.isImportDeclaration(node)) this.#import(node);
    if (ts.isExportDeclaration(node)) this.#export(node);
    if (ts.isExportAssignment(node)) this.exports.add("default");
    if (isExported(node)) { for (const name of namesOf(node)) this.exports.add(name); }
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) {
      this.#types.add(node.name.text);
    }
    if (ts.isIdentifier(node)) {
      this.#mentions.set(node.text, (this.#mentions.get(node.text) ?? 0) + 1);
    }
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      this.#use(node.argument.literal, [node.qualifier?.getText().split(".", 1)[0] ?? ALL]);
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      this.#use(node.arguments[0], namesTakenOf(node));
    }
    ts.forEachChild(node, (child) => this.#visit(child));
  }

  #import({ importClause, moduleSpecifier }: ts.ImportDeclaration): void {
    const names = importClause?.name === undefined ? [] : ["default"];
    const bindings = importClause?.namedBindings;
    if (bindings !== undefined && ts.isNamespaceImport(bindings)) names.push(ALL);
    if (bindings !== undefined && ts.isNamedImports(bindings)) {
      names.push(...bindings.elements.map(({ propertyName, name }) => (propertyName ?? name).text));
    }
    this.#use(moduleSpecifier, names);
  }

  #export({ exportClause, moduleSpecifier }: ts.ExportDeclaration): void {
    if (exportClause === undefined || ts.isNamespaceExport(exportClause)) {
      return this.#use(moduleSpecifier, [ALL]);
    }
    for (const { name, propertyName } of exportClause.elements) {
      this.exports.add(name.text);
      this.#use(moduleSpecifier, [(propertyName ?? name).text]);
    }
  }

  #use(specifier: ts.Node | undefined, names: readonly string[]): void {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return;
    if (!specifier.text.startsWith(".")) return;
    const file = relative(this.#root, resolve(this.#folder, specifier.text));
    const known = this.imports.get(file) ?? new Set();
    this.imports.set(file, known);
    for (const name of names) known.add(name);
  }
}

function isExported(node: ts.Node): boolean {
  return ts.canHaveModifiers(node) &&
    (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}

/** The names that an exported declaration declares. */
function namesOf(node: ts.Node): string[] {
  if (ts.isVariableStatement(node)) {
    return node.declarationList.declarations.flatMap(({ name }) => boundNames(name));
  }
  const isNamed = ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node);
  return isNamed && node.name !== undefined ? [node.name.text] : [];
}

function boundNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) =>
    ts.isOmittedExpression(element) ? [] : boundNames(element.name)
  );
}

/** What is taken of `import(…)`: `const { a } = await import(…)`, `(await import(…)).a`, `.then(({ a }) => …)`. */
function namesTakenOf(call: ts.CallExpression): string[] {
  let node: ts.Node = call.parent;
  while (ts.isAwaitExpression(node) || ts.isParenthesizedExpression(node)) node = node.parent;
  if (ts.isVariableDeclaration(node)) return patternNames(node.name);
  if (!ts.isPropertyAccessExpression(node)) return [ALL];
  if (node.name.text !== "then" || !ts.isCallExpression(node.parent)) return [node.name.text];
  const [taker] = node.parent.arguments;
  const parameter = taker !== undefined && ts.isArrowFunction(taker)
    ? taker.parameters[0]
    : undefined;
  return parameter === undefined ? [ALL] : patternNames(parameter.name);
}

/** The properties that a pattern takes; all where it is a plain name. */
function patternNames(name: ts.BindingName): string[] {
  if (!ts.isObjectBindingPattern(name)) return [ALL];
  return name.elements.map(({ propertyName, name: bound }) => (propertyName ?? bound).getText());
}

/** The exports of `files` that none of `users` imports; types that describe a file's other exports left out. */
export function unusedExports(
  root: string,
  files: readonly string[],
  users: readonly string[],
): string[] {
  const read = new Map<string, FileNames>();
  const namesOfFile = (file: string) => {
    const known = read.get(file) ?? new FileNames(root, file);
    read.set(file, known);
    return known;
  };
  const used = new Map<string, Set<string>>();
  for (const user of users) {
    for (const [file, names] of namesOfFile(user).imports) {
      used.set(file, (used.get(file) ?? new Set()).union(names));
    }
  }
  return files.flatMap((file) => {
    const taken = used.get(file) ?? new Set();
    if (taken.has(ALL)) return [];
    const { exports, describing } = namesOfFile(file);
    return [...exports].filter((name) => !taken.has(name) && !describing.has(name))
      .map((name) => `${file}: ${name}`);
  });
}
