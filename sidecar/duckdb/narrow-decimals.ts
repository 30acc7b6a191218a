/**
 * Decimals of Parquet whose physical integer is wider than what DuckDB 1.4 keeps of them: INT32 of up to 4 digits, INT64 of up to 9.
 * DuckDB cuts a value beyond the precision without an error (65541 becomes 5), so the values are read here before it does.
 */
import { open } from "node:fs/promises";
import { sqlText } from "../../src/connectors/duckdb/sql-text.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { Beyond } from "../../src/connectors/files/beyond.ts";
import { escapePattern } from "../../src/connectors/files/glob.ts";
import type { Struct } from "../../src/connectors/files/parquet/compact-protocol.ts";
import { ParquetFault } from "../../src/connectors/files/parquet/fault.ts";
import {
  type Footer,
  footerStart,
  integerOf,
  readFooter,
  TAIL_BYTES,
} from "../../src/connectors/files/parquet/footer.ts";
import { columnOf, type Leaf } from "../../src/connectors/files/parquet/values/column-tree.ts";
import { type Dense, Fixed, type Take } from "../../src/connectors/files/parquet/values/dense.ts";
import { PHYSICAL } from "../../src/connectors/files/parquet/values/leaf-type.ts";
import { readChunk } from "../../src/connectors/files/parquet/values/pages.ts";
import type { Engine } from "./engine.ts";
import type { ConfinedFile } from "./file-root.ts";
import { collectRows } from "./row-stream.ts";

/** A column of one row group is in memory at once, with its values. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Files that were read to their ends, by path, size and time of change. */
const KNOWN = new Set<string>();
const MOST_KNOWN = 10_000;

/** Fails with `FILE_INVALID` where a decimal of the files has more digits than its type. */
export async function assertDecimalsFit(
  engine: Engine,
  files: readonly Pick<ConfinedFile, "path" | "name">[],
  signal?: AbortSignal,
): Promise<void> {
  if (files.length === 0) return;
  const paths = files.map(({ path }) => sqlText(escapePattern(path))).join(", ");
  const narrow = await collectRows(
    engine,
    `SELECT DISTINCT file_name FROM parquet_schema([${paths}])
      WHERE converted_type = 'DECIMAL' AND (type = 'INT32' AND precision <= 4 OR type = 'INT64' AND precision <= 9)`,
  );
  const found = new Set(narrow.map(([name]) => String(name)));
  for (const { path, name } of files) {
    signal?.throwIfAborted();
    if (found.has(path) || found.has(escapePattern(path))) await readDecimals(path, name, signal);
  }
}

async function readDecimals(path: string, name: string, signal: AbortSignal | undefined): Promise<void> {
  const file = await open(path);
  try {
    const { size, mtimeMs, ino } = await file.stat();
    const key = `${path}\0${size}\0${mtimeMs}\0${ino}`;
    if (KNOWN.has(key)) return;
    const read = async (start: number, end: number): Promise<Uint8Array> => {
      if (end - start > MOST_BYTES) throw new Beyond("the size of a row group");
      const { bytesRead, buffer } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
      return buffer.subarray(0, bytesRead);
    };
    const start = footerStart(await read(size - TAIL_BYTES, size), size);
    const footer = readFooter({ bytes: await read(start, size - TAIL_BYTES), start });
    for (const leaf of narrowLeaves(footer)) {
      for (const { chunks } of footer.rowGroups) {
        signal?.throwIfAborted();
        const chunk = chunks[leaf.index];
        if (chunk === undefined) throw new ParquetFault("A row group of it has too few columns.");
        readChunk(leaf, chunk, await read(chunk.start, chunk.end), limited());
      }
    }
    if (KNOWN.size >= MOST_KNOWN) KNOWN.clear();
    KNOWN.add(key);
  } catch (cause) {
    if (!(cause instanceof ParquetFault || cause instanceof Beyond)) throw cause;
    const message =
      cause instanceof ParquetFault
        ? `"${name}" cannot be read: ${cause.message}`
        : `The decimals of "${name}" cannot be checked against their type.`;
    const hint = "Write them with more digits (DECIMAL(10, …)), or in smaller row groups.";
    throw new ConnectorFailure("FILE_INVALID", message, { cause, ...(cause instanceof Beyond && { hint }) });
  } finally {
    await file.close();
  }
}

function narrowLeaves({ columns }: Footer): readonly Leaf[] {
  return columns
    .filter(({ elements }) => elements.some(isNarrow))
    .flatMap((column) => columnOf(column).leaves)
    .filter(({ element }) => isNarrow(element))
    .map((leaf) => ({ ...leaf, type: { ...leaf.type, convert: checked(leaf.element) } }));
}

const DECIMAL = 5n;

function isNarrow(element: Struct): boolean {
  if (integerOf(element, 6) !== DECIMAL) return false;
  const [physical, precision] = [Number(integerOf(element, 1) ?? -1n), Number(integerOf(element, 8) ?? -1n)];
  return (physical === PHYSICAL.int32 && precision <= 4) || (physical === PHYSICAL.int64 && precision <= 9);
}

/** The values as they are, none of which is beyond the precision. */
function checked(element: Struct): (raw: Dense, take: Take) => Dense {
  const most = 10 ** Number(integerOf(element, 8) ?? 0n);
  return (raw, take) => {
    const { bytes, width } = raw as Fixed;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at < bytes.length; at += width) {
      // A double is exact up to a precision of 9, and keeps all others beyond it.
      const value = width === 4 ? view.getInt32(at, true) : Number(view.getBigInt64(at, true));
      if (value >= most || value <= -most) throw new ParquetFault("A decimal in it has more digits than its type.");
    }
    return new Fixed(width, take, bytes);
  };
}

function limited(): { readonly hold: Take; readonly unpack: (bytes: number) => void } {
  let held = 0;
  const hold = (bytes: number): void => {
    held += bytes;
    if (held > MOST_BYTES) throw new Beyond("the size of a row group");
  };
  return { hold, unpack: () => undefined };
}
