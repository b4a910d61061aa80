/**
 * Where the keys of providers are made.
 * Rule: a page for a person to open; m31a opens none itself.
 */
import { PROVIDER_NAMES, type ProviderName, providerOf } from "./providers.ts";

const KEY_PAGES: Readonly<Partial<Record<ProviderName, string>>> = {
  anthropic: "https://console.anthropic.com/settings/keys",
  openai: "https://platform.openai.com/api-keys",
  gemini: "https://aistudio.google.com/apikey",
  openrouter: "https://openrouter.ai/keys",
  groq: "https://console.groq.com/keys",
  mistral: "https://console.mistral.ai/api-keys",
  deepseek: "https://platform.deepseek.com/api_keys",
  xai: "https://console.x.ai",
  together: "https://api.together.ai/settings/api-keys",
  fireworks: "https://app.fireworks.ai/settings/users/api-keys",
  cerebras: "https://cloud.cerebras.ai",
  moonshot: "https://platform.moonshot.ai/console/api-keys",
  zai: "https://z.ai/manage-apikey/apikey-list",
};

/** For each provider with a usual model, its key's variable and the page where keys are made; then the variables of the others. */
export function keyLines(): string[] {
  const paged = PROVIDER_NAMES.filter((name) => KEY_PAGES[name] !== undefined);
  const usual = paged.filter((name) => providerOf(name).defaultName !== null);
  const width = Math.max(...usual.map((name) => providerOf(name).keyName?.length ?? 0));
  const others = paged.filter((name) => !usual.includes(name))
    .map((name) => providerOf(name).keyName);
  return [
    ...usual.map((name) =>
      `${(providerOf(name).keyName ?? "").padEnd(width)}  ${KEY_PAGES[name] ?? ""}`
    ),
    `and with --model provider:name: ${others.join(", ")}`,
  ];
}
