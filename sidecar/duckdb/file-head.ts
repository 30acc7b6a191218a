/** The plain bytes of a file from its beginning, decompressed as DuckDB would. */
import { createReadStream } from "node:fs";
import zlib from "node:zlib";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { packingOf, unpacked } from "../../src/connectors/files/packed/unpacked.ts";
import type { ConfinedFile } from "./file-root.ts";

/** Throws `FILE_INVALID`. */
export async function* beginningOf(file: ConfinedFile): AsyncGenerator<Uint8Array, void, undefined> {
  const packing = packingOf(file.name);
  // Node has it since 22.15.
  if (packing === "zstd" && zlib.createZstdDecompress === undefined) {
    throw new ConnectorFailure("FILE_INVALID", `"${file.name}" is compressed by zstd, which this Node cannot read.`, {
      hint: "Run the sidecar with Node 22.15 or newer, or compress the file by gzip.",
    });
  }
  const bytes = createReadStream(file.path);
  try {
    for await (const chunk of packing === undefined ? bytes : unpacked(packing, bytes)) yield chunk as Uint8Array;
  } catch (cause) {
    throw new ConnectorFailure("FILE_INVALID", `"${file.name}" cannot be read.`, { cause });
  } finally {
    bytes.destroy();
  }
}
