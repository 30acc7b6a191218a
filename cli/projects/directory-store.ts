/** Projects in a directory. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { namesIn, type WritableStore } from "./store.ts";

/** Each file appears whole: the service may read at any time. */
export function directoryStore(directory: string): WritableStore {
  return {
    async read(path) {
      const file = join(directory, path);
      return existsSync(file) ? new Uint8Array(readFileSync(file)) : undefined;
    },
    async write(path, bytes) {
      const file = join(directory, path);
      mkdirSync(dirname(file), { recursive: true });
      const written = `${file}.${process.pid}.new`;
      try {
        writeFileSync(written, bytes);
        renameSync(written, file);
      } catch (error) {
        // A full disk keeps the part that had room.
        rmSync(written, { force: true });
        throw error;
      }
    },
    async names() {
      const folder = join(directory, "projects");
      return existsSync(folder) ? namesIn(readdirSync(folder)) : [];
    },
  };
}
