/** Digests of the inputs of a build. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * SHA-256 over names and contents of files, and of those in directories. Times are ignored, because a checkout sets them anew, and
 * so is `.wrangler`, the directory of temporary files that wrangler makes beside a configuration.
 */
export function digestOf(names: readonly string[], root = ROOT): string {
  const files = names.flatMap((name) => {
    if (!statSync(join(root, name)).isDirectory()) return [name];
    const below = readdirSync(join(root, name), { recursive: true, withFileTypes: true });
    return below
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .filter((file) => !file.split(sep).includes(".wrangler"));
  });
  const hash = createHash("sha256");
  for (const file of files.sort())
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update("\0");
  return hash.digest("hex");
}
