/** Converts text rows, as both drivers return them, to canonical values. */
import type { Column, Row, Value } from "../../result/types.ts";
import { failureOfColumn, UnreadableValue } from "../unreadable-value.ts";
import { type ColumnReader, columnReader, isArray, type ValueContext } from "./types.ts";

/** NULL is `null`. */
export type TextRow = readonly (string | null)[];

/** A field of a RowDescription, with the drivers' member names. */
export interface FieldDescription {
  readonly name: string;
  readonly dataTypeID: number;
  readonly dataTypeModifier: number;
}

export interface ReadColumn extends Column, ColumnReader {}

/** Column readers of one kind of server. */
export interface ColumnReading {
  /** Whether the type of a column shows only in its values. */
  readonly needsSample: (fields: readonly FieldDescription[]) => boolean;
  readonly readColumns: (
    fields: readonly FieldDescription[],
    context: ValueContext,
    sample: readonly TextRow[],
  ) => readonly ReadColumn[];
}

/** See `columnReader`. */
export function needsSample(fields: readonly FieldDescription[]): boolean {
  return fields.some(({ dataTypeID, dataTypeModifier }) => isArray({ oid: dataTypeID, modifier: dataTypeModifier }));
}

export function readColumns(
  fields: readonly FieldDescription[],
  context: ValueContext,
  sample: readonly TextRow[],
): ReadColumn[] {
  return fields.map(({ name, dataTypeID, dataTypeModifier }, i) => ({
    name,
    ...columnReader(
      { oid: dataTypeID, modifier: dataTypeModifier },
      context,
      sample.map((row) => row[i] ?? null),
    ),
  }));
}

export function readRow(row: TextRow, columns: readonly ReadColumn[]): Row {
  return columns.map((column, i) => {
    const text = row[i] ?? null;
    return text === null ? null : readField(text, column);
  });
}

/** Throws `SOURCE_ERROR` for a value without a canonical form; the error names the column and not the value. */
export function readField(text: string, { name, read }: ReadColumn): Value {
  try {
    return read(text);
  } catch (error) {
    throw failureOfColumn(name, error instanceof SyntaxError ? new UnreadableValue("a number") : error, "text");
  }
}

/** Only names and types, for a `ResultStream`. */
export function describeColumns(columns: readonly ReadColumn[]): Column[] {
  return columns.map(({ name, type }) => ({ name, type }));
}
