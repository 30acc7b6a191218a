/** Rows as JSON arrays, converted to canonical values as they are pulled. */
import type { Batch, Column, Row, Value } from "../../result/types.ts";
import { ConnectorFailure } from "../failure.ts";
import { failureOfColumn } from "../unreadable-value.ts";

/** Converts the JSON of a value that is not NULL. Throws `UnreadableValue`. */
export type ReadJson = (json: unknown) => Value;

export interface JsonColumn extends Column {
  readonly read: ReadJson;
}

const BATCH_ROWS = 1000;

/** `textType` is the source's name of a type that every value can be cast to. Throws `ConnectorFailure`. */
export function* batchesOfJson(
  rows: readonly unknown[],
  columns: readonly JsonColumn[],
  textType: string,
): Generator<Batch, void> {
  for (let start = 0; start < rows.length; start += BATCH_ROWS) {
    yield rows.slice(start, start + BATCH_ROWS).map((row) => readRow(row, columns, textType));
  }
}

function readRow(row: unknown, columns: readonly JsonColumn[], textType: string): Row {
  if (!Array.isArray(row) || row.length !== columns.length) {
    throw new ConnectorFailure("UPSTREAM_PROTOCOL", "The answer has a row that does not have its columns.");
  }
  return columns.map(({ name, read }, index) => {
    const json: unknown = row[index];
    if (json === null) return null;
    try {
      return read(json);
    } catch (error) {
      throw failureOfColumn(name, error, textType);
    }
  });
}
