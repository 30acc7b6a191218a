/** Files of a directory, as the files Worker has those of a bucket. */
import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { FoundFile } from "../../../src/connectors/duckdb-wasm/view.ts";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import { ParquetFault } from "../../../src/connectors/files/parquet/fault.ts";
import { footerStart, readFooter } from "../../../src/connectors/files/parquet/footer.ts";

export function filesBelow(root: string): (name: string) => Promise<readonly FoundFile[]> {
  return async (name) => {
    const paths = name.includes("*") ? globSync(join(root, name)).sort() : [join(root, name)];
    return paths.map((path) => fileAt(path, relative(root, path)));
  };
}

function fileAt(path: string, name: string): FoundFile {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch {
    throw new ConnectorFailure("FILE_NOT_FOUND", `The file "${name}" does not exist.`);
  }
  return {
    name,
    size: bytes.length,
    read: (start, end) => bytes.slice(start, end),
    footer: async () => {
      try {
        const start = footerStart(bytes.slice(-8), bytes.length);
        return readFooter({ bytes: bytes.slice(start, -8), start });
      } catch (error) {
        if (!(error instanceof ParquetFault)) throw error;
        throw new ConnectorFailure("FILE_INVALID", error.message);
      }
    },
  };
}
