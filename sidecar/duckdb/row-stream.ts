/**
 * A running statement as a `ResultStream`. A chunk of the engine with up to 2048 rows is fetched when it is pulled. It becomes
 * one batch, or several if its values are large.
 */
import type { DuckDBDataChunk, DuckDBResult } from "@duckdb/node-api";
import duckdb from "@duckdb/node-bindings";
import { ConnectorFailure, type FailureReason } from "../../src/connectors/failure.ts";
import { PulledBatches } from "../../src/result/stream/pulled.ts";
import type { Batch, Column, ResultStream, Row, Value } from "../../src/result/types.ts";
import { columnReader } from "./column-reader.ts";
import type { Engine } from "./engine.ts";
import type { ColumnReader } from "./vector.ts";

export interface RowStreamOptions {
  readonly engine: Engine;
  /** Runs in the transaction that `beginTransaction` started. */
  readonly result: DuckDBResult;
  readonly sql: string;
  /** Called after the last row and before the end is reported: throws if the rows that were read may be wrong. */
  readonly verify: () => Promise<void>;
  /** Releases all resources; called once, must not fail. */
  readonly release: () => Promise<void>;
}

/**
 * A failed statement ends like a complete one: the binding (1.4) returns "no more rows" for both. So every statement runs in a
 * transaction of its own, which a failure leaves aborted; this is checked before the end is reported.
 */
export async function beginTransaction(engine: Engine): Promise<void> {
  await engine.run("BEGIN TRANSACTION READ ONLY");
}

export function rowStream(options: RowStreamOptions): ResultStream {
  const { engine, result, sql } = options;
  const readers: ColumnReader[] = [];
  const columns: Column[] = [];
  for (let i = 0; i < result.columnCount; i++) {
    const reader = columnReader(result.columnLogicalType(i).logical_type);
    readers.push(reader);
    columns.push({ name: result.columnName(i), type: reader.type });
  }

  let releasing: Promise<void> | undefined;
  const release = (): Promise<void> => {
    releasing ??= options.release();
    return releasing;
  };

  let cut: Iterator<Batch> | undefined;
  const pull = async (): Promise<Batch | undefined> => {
    try {
      for (;;) {
        const next = cut?.next();
        if (next !== undefined && !next.done) return next.value;
        const chunk = await engine.fetch(result);
        if (chunk === undefined) break;
        cut = batchesOf(chunk, readers);
      }
      await assertComplete(engine, sql);
      await options.verify();
    } catch (error) {
      void release();
      throw error;
    }
    // Not awaited: the end of the answer need not wait the 3 ms for closing an engine.
    void release();
    return undefined;
  };
  const batches = new PulledBatches(pull, release);
  return { columns, batches, close: () => batches.close() };
}

/** For queries of the connector: a failing one aborts only its own transaction and not the following ones. */
export async function inTransaction<T>(engine: Engine, work: () => Promise<T>): Promise<T> {
  await beginTransaction(engine);
  try {
    return await work();
  } finally {
    // There is nothing to commit. A stopped engine rejects every call.
    if (engine.stopped === undefined) await engine.run("ROLLBACK");
  }
}

/** All rows of a small query of the connector, in the open transaction. */
export async function collectRows(engine: Engine, sql: string): Promise<Row[]> {
  const prepared = await engine.prepare(sql);
  const stream = rowStream({
    engine,
    result: await engine.stream(prepared, sql),
    sql,
    verify: async () => undefined,
    release: async () => undefined,
  });
  const rows: Row[] = [];
  for await (const batch of stream.batches) rows.push(...batch);
  return rows;
}

/** Values take more memory in JavaScript than in the engine, so only this much of a chunk is converted at once. */
const TARGET_BATCH_BYTES = 4 * 1024 * 1024;

function* batchesOf(chunk: DuckDBDataChunk, readers: readonly ColumnReader[]): Generator<Batch, void, void> {
  const vectors = readers.map((reader, i) => ({ reader, vector: duckdb.data_chunk_get_vector(chunk.chunk, i) }));
  const weights = vectors.flatMap(({ reader, vector }) => reader.weigh?.(vector, chunk.rowCount) ?? []);
  for (let start = 0; start < chunk.rowCount; ) {
    let count = 0;
    for (let bytes = 0; start + count < chunk.rowCount && bytes < TARGET_BATCH_BYTES; count++) {
      for (const weight of weights) bytes += weight(start + count);
    }
    const columns = vectors.map(({ reader, vector }) => reader.read(vector, start, count));
    yield rowsOf(columns, count);
    start += count;
  }
}

function rowsOf(columns: readonly Value[][], count: number): Batch {
  const rows = new Array<Row>(count);
  for (let i = 0; i < count; i++) {
    const row = new Array<Value>(columns.length);
    for (let j = 0; j < columns.length; j++) row[j] = columns[j]?.[i] ?? null;
    rows[i] = row;
  }
  return rows;
}

async function assertComplete(engine: Engine, sql: string): Promise<void> {
  try {
    await engine.run("SELECT 1");
  } catch (error) {
    if (engine.stopped !== undefined) throw error;
    throw await lateFailure(engine, sql);
  }
}

const OF_THE_ROWS: ReadonlySet<FailureReason> = new Set(["SOURCE_ERROR", "SOURCE_OUT_OF_MEMORY"]);

/** The reason of a late failure: the statement is run once more without keeping rows, because the first error is lost. */
async function lateFailure(engine: Engine, sql: string): Promise<ConnectorFailure> {
  const prefix = "SELECT count(*) FILTER (WHERE hash(siskin_rows) IS NULL) FROM (\n";
  await engine.run("ROLLBACK");
  try {
    await engine.run(`${prefix}${sql}\n) AS siskin_rows`, { sql, start: prefix.length });
  } catch (error) {
    if (engine.stopped !== undefined) return engine.stopped;
    // Any other error would concern the wrapping query.
    if (error instanceof ConnectorFailure && OF_THE_ROWS.has(error.reason)) return error;
  }
  return new ConnectorFailure(
    "SOURCE_ERROR",
    "The statement failed before its last row, and the engine lost the reason.",
  );
}
