/** docs/configuration.md, from the schema of planning/config.toml. */
import { overridesOf } from "../../src/agent/configuration.ts";
import { defaultOf, TABLES } from "../../src/agent/configuration_schema.ts";
import { typeOf } from "./type_words.ts";

const HEAD = `# Configuration

\`planning/config.toml\` holds the settings of a project. \`m31a init\` writes it with every key in it,
commented out. Flags come before \`M31A_*\` variables, those before the file, the file before the
defaults. \`m31a config\` prints every value and where it comes from.

A key that m31a does not know is refused by name and line. A setting that loosens a protection, or
starts or reaches something, is in force after \`m31a config --trust\`
([security.md](security.md#what-a-project-may-bring-along)). The keys of providers are variables
([models.md](models.md)), and so are \`M31A_API_KEY\`, for a server at \`M31A_BASE_URL\`, and
\`M31A_LEDGER_PASSWORD\`. \`NO_COLOR\`, \`NODE_EXTRA_CA_CERTS\`, \`SSL_CERT_FILE\`, \`HTTPS_PROXY\` and
\`NO_PROXY\` mean what they mean elsewhere ([troubleshooting.md](troubleshooting.md)).
`;

/** The text of docs/configuration.md, not formatted yet. */
export function configurationDocument(): string {
  const tables = Object.entries(TABLES).map(([name, table]) => {
    const rows = Object.entries(table.shape).map(([key, schema]) => {
      const overrides = overridesOf(`${name}.${key}`).map((each) => `\`${each}\``).join(", ");
      const about = [schema.description ?? "", overrides && `Also ${overrides}.`].join(" ").trim();
      return `| \`${key}\` | ${typeOf(schema)} | ${shown(defaultOf(table, key))} | ${
        escaped(about)
      } |`;
    });
    const head = "| key | value | default | what it is |\n| --- | --- | --- | --- |";
    return `## [${name}]\n\n${head}\n${rows.join("\n")}\n`;
  });
  return `${HEAD}\n${tables.join("\n")}`;
}

function shown(value: unknown): string {
  return value === undefined ? "none" : `\`${JSON.stringify(value)}\``;
}

/** Text in a cell of a table. */
function escaped(text: string): string {
  return text.replaceAll("|", "\\|").replace(/[<>]/g, (bracket) => `\\${bracket}`);
}
