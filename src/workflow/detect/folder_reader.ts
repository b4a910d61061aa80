/**
 * A project's folder as detection reads it.
 * Rule: only regular files inside the folder are read, none through a symbolic link, none that is huge.
 */
import { join } from "@std/path";
import { lstatOrUndefined, naming, refuseSymlinks } from "../../platform/files.ts";
import { decodeLossy } from "../../platform/text.ts";
import type { LeftOut, ManifestReader } from "./detected.ts";

/** No manifest is larger than this, in bytes. */
const LARGEST_MANIFEST_BYTES = 1024 * 1024;

/** A reader of the manifests in `root`. Needs read permission for it. */
export function folderReader(root: string): ManifestReader {
  const entries = (folder: string) => {
    if (isOutside(folder) || hasSymlink(root, folder)) return [];
    const full = join(root, folder);
    if (lstatOrUndefined(full)?.isDirectory !== true) return [];
    return naming(full, "list the folder", () => [...Deno.readDirSync(full)]);
  };
  const unread = new Map<string, LeftOut>();
  return {
    unread: () => [...unread.values()],
    list: (folder = "") => entries(folder).map(({ name }) => name),
    folders: (folder = "") =>
      entries(folder).filter(({ isDirectory }) => isDirectory).map(({ name }) => name),
    read(path) {
      if (isOutside(path) || hasSymlink(root, path)) return undefined;
      const full = join(root, path);
      const info = lstatOrUndefined(full);
      if (info === undefined || !info.isFile) return undefined;
      if (info.size > LARGEST_MANIFEST_BYTES) {
        const reason = `it is larger than ${LARGEST_MANIFEST_BYTES} bytes, and was not read`;
        unread.set(path, { source: path, what: "the file", reason });
        return undefined;
      }
      return decodeLossy(naming(full, "read", () => Deno.readFileSync(full))).replace(
        /^\ufeff/,
        "",
      );
    },
  };
}

function isOutside(path: string): boolean {
  return path.startsWith("/") || path.split("/").includes("..");
}

function hasSymlink(root: string, path: string): boolean {
  try {
    refuseSymlinks(root, path);
    return false;
  } catch {
    return true;
  }
}
