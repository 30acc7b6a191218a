/** Rows as JSON arrays, and the two members that describe them: shared by `json.ts` and `ndjson.ts`. */
import { ResultError } from "../failure.ts";
import { openZone } from "../text/zone.ts";
import type { Column, Row, Value } from "../types.ts";
import { DecimalSize, isOfUnknownSize } from "./decimal-size.ts";
import type { EncodeOptions } from "./encoder.ts";
import { FrameColumn, FrameRowWriter, type Separators } from "./json-bytes/row-writer.ts";
import { type ColumnRules, dtypeName, PROFILES } from "./profiles.ts";
import { displayZones, jsonWriter, type WriterContext, type WriteValue } from "./value-writers.ts";

export interface RowsAsJson {
  /** `["a","b"]`; names may repeat. */
  readonly columns: string;
  /**
   * `{"a":"int32","b":"string"}`. Of columns with the same name, the dtype of the last one is used, as in a dataframe. Call it
   * after the rows: a decimal whose source reports no size then has the size of its values.
   */
  readonly dtypes: () => string;
  /** `["int32","uuid"]`: by position, with the kinds that dtypes call strings, and decimals of unknown size as `decimal`. */
  readonly types: () => string;
  /** `[1,"x"]` */
  readonly row: (row: Row) => string;
  /** The same for rows in frames, with the given separators. */
  readonly frameRows: (separators: Separators) => FrameRowWriter;
}

/** @throws RangeError for a display zone that `isKnownZone` refuses. */
export function rowsAsJson(columns: readonly Column[], options: EncodeOptions): RowsAsJson {
  const displayZone = options.zone === undefined ? undefined : openZone(options.zone);
  if (options.zone !== undefined && displayZone === undefined) throw new RangeError("The display zone is unknown.");
  const zoneOf = displayZones(displayZone);
  const profile = PROFILES[options.profile];
  const rulesOf = (column: Column): ColumnRules =>
    options.columnDtypes?.has(column.name) ? profile.declaredColumns : profile.columns;
  const sizes = columns.map(({ type }) => (isOfUnknownSize(type) ? new DecimalSize() : undefined));
  const contexts = columns.map((column): WriterContext => ({ column: column.name, rules: rulesOf(column), zoneOf }));
  const writers = columns.map((column, index) => {
    const write = jsonWriter(column.type, contexts[index] as WriterContext);
    const size = sizes[index];
    if (size === undefined) return write;
    return (value: Value) => {
      size.see(value);
      return write(value);
    };
  });
  const width = writers.length;
  return {
    columns: JSON.stringify(columns.map((column) => column.name)),
    dtypes() {
      const dtypes = new Map(
        columns.map((column, index) => {
          const type = sizes[index]?.type ?? column.type;
          return [column.name, dtypeName(type, rulesOf(column), displayZone?.name)] as const;
        }),
      );
      // Not built as an object, which would reorder names that look like numbers and drop `__proto__`.
      return `{${[...dtypes].map(([name, dtype]) => `${JSON.stringify(name)}:${JSON.stringify(dtype)}`).join(",")}}`;
    },
    types: () =>
      JSON.stringify(
        columns.map((column) => exactTypeName(column, dtypeName(column.type, rulesOf(column), displayZone?.name))),
      ),
    row(row) {
      if (row.length !== width) {
        throw new ResultError("VALUE_MISMATCH", `A row has ${row.length} values for ${width} columns.`);
      }
      let text = "[";
      for (let index = 0; index < width; index++) {
        const value = row[index];
        const write = writers[index];
        if (value === undefined || write === undefined) {
          throw new ResultError("VALUE_MISMATCH", "A row lacks a value.");
        }
        text += index === 0 ? write(value) : `,${write(value)}`;
      }
      return `${text}]`;
    },
    frameRows: (separators) =>
      new FrameRowWriter(
        separators,
        columns.map(({ type }, index) => {
          const seesAll = sizes[index] !== undefined;
          return new FrameColumn(type, contexts[index] as WriterContext, writers[index] as WriteValue, seesAll);
        }),
      ),
  };
}

function exactTypeName({ type }: Column, dtype: string): string {
  if (isOfUnknownSize(type)) return "decimal";
  return type.kind === "uuid" || type.kind === "json" ? type.kind : dtype;
}
