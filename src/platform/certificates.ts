/**
 * Certificates of authorities that the user's variables name: NODE_EXTRA_CA_CERTS, SSL_CERT_FILE, SSL_CERT_DIR.
 * Rule: they are outside of the project, so `sh` reads them; a file that cannot be read is a problem that is said, not an end.
 */
import type { Environment } from "./environment.ts";
import { type OutsideFile, readOutsideFile } from "./outside_file.ts";
import { runProcess } from "./processes.ts";
import { SYSTEM_FOLDERS } from "./programs.ts";
import { decodeLossy } from "./text.ts";

/** Authorities to be trusted besides the usual ones. */
export interface Certificates {
  pems: readonly string[];
  /** What each variable gave, for people. */
  sources: readonly string[];
  /** Why a variable gave nothing. */
  problems: readonly string[];
}

/** More than this is no list of authorities. */
const MAX_CERTIFICATE_BYTES = 16 * 1024 * 1024;

const FOLDER = `
status=1
for file in "$1"/*.pem "$1"/*.crt "$1"/*.cer "$1"/*.[0-9]; do
  [ -f "$file" ] && cat -- "$file" && echo && status=0
done
exit $status`;

/** Reads the certificates that `environment` names. */
export async function certificatesFrom(environment: Environment): Promise<Certificates> {
  const wanted = [
    ["NODE_EXTRA_CA_CERTS", environment.NODE_EXTRA_CA_CERTS, readOutsideFile],
    ["SSL_CERT_FILE", environment.SSL_CERT_FILE, readOutsideFile],
    ...(environment.SSL_CERT_DIR ?? "").split(":").map((folder) =>
      ["SSL_CERT_DIR", folder, readFolder] as const
    ),
  ] as const;
  const read = await Promise.all(wanted.map(async ([name, path, readAll]) => {
    if (path === undefined || path === "") return undefined;
    const found = await readAll(path, MAX_CERTIFICATE_BYTES);
    if (found.kind === "too large") {
      return {
        problem: `${name} names ${path}, which has more than ${MAX_CERTIFICATE_BYTES} bytes`,
      };
    }
    if (found.kind !== "read") {
      return { problem: `${name} names ${path}, which cannot be read` };
    }
    const pems = pemsIn(decodeLossy(found.bytes));
    const usable = areUsable(pems) ? pems : pems.filter((pem) => areUsable([pem]));
    if (usable.length === 0) {
      return { problem: `${name} names ${path}, which holds no certificate in PEM` };
    }
    return { pems: usable, source: `${name} gives ${usable.length} from ${path}` };
  }));
  const known = read.filter((one) => one !== undefined);
  return {
    pems: [...new Set(known.flatMap(({ pems }) => pems ?? []))],
    sources: known.flatMap(({ source }) => source ?? []),
    problems: known.flatMap(({ problem }) => problem ?? []),
  };
}

/** Reads the certificates of a folder, one after the other. */
async function readFolder(path: string, maxBytes: number): Promise<OutsideFile> {
  const { code, stdout, omittedBytes } = await runProcess({
    script: FOLDER,
    args: [path],
    overrides: { PATH: SYSTEM_FOLDERS },
    timeoutMs: 5_000,
    maxOutputBytes: maxBytes,
  });
  if (code !== 0) return { kind: "unreadable" };
  return omittedBytes > 0 ? { kind: "too large" } : { kind: "read", bytes: stdout };
}

function pemsIn(text: string): string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
}

/** Whether Deno takes them: one that is damaged would make all requests fail. */
function areUsable(pems: string[]): boolean {
  try {
    Deno.createHttpClient({ caCerts: pems }).close();
    return true;
  } catch {
    return false;
  }
}
