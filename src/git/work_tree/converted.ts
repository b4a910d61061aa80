/**
 * Which files git converts between the tree and what it stores: line ends, `ident`, filters, encodings.
 * Rule: pure but for the attributes that git is asked for; gitattributes(5) says what each of them does.
 */
import { decodeLatin1 } from "../../platform/text.ts";
import type { ByteName } from "./index_file.ts";
import { UNHURRIED_MS } from "./look.ts";
import { nulEnded, type OwnFiles } from "./own_files.ts";

/** Files that are converted. */
export interface Converted {
  /** A checkout writes something else than is stored, or may. */
  onCheckout: ByteName[];
  /** A checkout writes what is stored; carriage returns are taken away when a file is stored. */
  onlyLineEnds: ByteName[];
}

const ATTRIBUTES = ["text", "crlf", "eol", "ident", "filter", "working-tree-encoding"] as const;

/** Those of `names` that are converted, given what the configuration says of line ends. */
export async function convertedNames(
  own: OwnFiles,
  names: readonly ByteName[],
  config: { autocrlf: string; eol: string },
): Promise<Converted> {
  const converted: Converted = { onCheckout: [], onlyLineEnds: [] };
  if (names.length === 0) return converted;
  const { stdout } = await own.run(["check-attr", "-z", "--stdin", ...ATTRIBUTES], {
    stdin: nulEnded(names),
    timeoutMs: UNHURRIED_MS,
  });
  const fields = decodeLatin1(stdout).split("\0");
  // Three fields an attribute, in the order in which they were asked for: path, attribute, value.
  for (const [at, name] of names.entries()) {
    const start = at * ATTRIBUTES.length * 3;
    const given = ATTRIBUTES.map((_, index) => fields[start + index * 3 + 2] ?? "");
    const how = howConverted(given, config);
    if (how !== undefined) converted[how].push(name);
  }
  return converted;
}

/** @param given the values of {@linkcode ATTRIBUTES}, in their order */
function howConverted(
  given: readonly string[],
  { autocrlf, eol }: { autocrlf: string; eol: string },
): keyof Converted | undefined {
  const [text = "", crlf = "", end = "", ident = "", filter = "", encoding = ""] = given;
  if (isGiven(filter) || isGiven(encoding) || ident === "set") return "onCheckout";
  const asText = text === "unspecified" ? crlf : text;
  if (asText === "unset") return undefined;
  if (asText === "unspecified" && !isGiven(end) && autocrlf === "false") return undefined;
  if (end === "lf" || asText === "input") return "onlyLineEnds";
  if (end === "crlf" || autocrlf === "true") return "onCheckout";
  if (autocrlf === "input") return "onlyLineEnds";
  const isCrlf = eol === "crlf" || eol === "native" && Deno.build.os === "windows";
  return isCrlf ? "onCheckout" : "onlyLineEnds";
}

function isGiven(value: string): boolean {
  return value !== "unspecified" && value !== "unset";
}
