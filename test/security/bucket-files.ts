/** The files of a directory as objects of a bucket. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { S3Server } from "../support/s3-server.ts";

export function putFiles(server: S3Server, root: string): void {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    server.objects.set(relative(root, path), readFileSync(path));
  }
}
