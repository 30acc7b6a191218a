/** The beginning of a file, decompressed as DuckDB would. */
import { createReadStream } from "node:fs";
import type { Transform } from "node:stream";
import zlib from "node:zlib";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { ConfinedFile } from "./file-root.ts";

/** Fails with `FILE_INVALID`. */
export async function* beginningOf(file: ConfinedFile): AsyncGenerator<Buffer, void, undefined> {
  const plain = decompressor(file);
  const bytes = createReadStream(file.path);
  if (plain !== undefined) bytes.on("error", (error) => plain.destroy(error)).pipe(plain);
  try {
    for await (const chunk of plain ?? bytes) yield chunk as Buffer;
  } catch (cause) {
    throw new ConnectorFailure("FILE_INVALID", `"${file.name}" cannot be read.`, { cause });
  } finally {
    plain?.destroy();
    bytes.destroy();
  }
}

/** By the extension, as DuckDB decides. */
function decompressor({ name }: ConfinedFile): Transform | undefined {
  if (/\.gz$/.test(name)) return zlib.createGunzip();
  if (!/\.zst$/.test(name)) return undefined;
  // Node has it since 22.15.
  if (zlib.createZstdDecompress === undefined) {
    throw new ConnectorFailure("FILE_INVALID", `"${name}" is compressed by zstd, which this Node cannot read.`, {
      hint: "Run the sidecar with Node 22.15 or newer, or compress the file by gzip.",
    });
  }
  return zlib.createZstdDecompress();
}
