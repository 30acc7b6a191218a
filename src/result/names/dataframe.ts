import type { LogicalType } from "../types.ts";

/** A dataframe's type name per kind; timestamps have one name with a zone and one without. */
export interface DataframeNames extends Readonly<Record<Exclude<LogicalType["kind"], "timestamp">, string>> {
  readonly timestamp: { readonly local: string; readonly zoned: string };
}

/**
 * The names in `classic` answers (docs/decisions/0001-two-profiles.md): the dataframe's name where it has the type, otherwise
 * `object`. A dataframe keeps instants in UTC, whatever their display zone.
 */
export const DATAFRAME_NAMES: DataframeNames = {
  boolean: "bool",
  int8: "int8",
  int16: "int16",
  int32: "int32",
  int64: "int64",
  uint8: "uint8",
  uint16: "uint16",
  uint32: "uint32",
  uint64: "uint64",
  float32: "float64",
  float64: "float64",
  decimal: "object",
  string: "object",
  uuid: "object",
  json: "object",
  binary: "object",
  date: "object",
  time: "object",
  timestamp: { local: "datetime64[ns]", zoned: "datetime64[ns, UTC]" },
  interval: "object",
  list: "object",
  struct: "object",
  map: "object",
  null: "object",
  opaque: "object",
};

export function dataframeTypeName(type: LogicalType, names: DataframeNames = DATAFRAME_NAMES): string {
  if (type.kind !== "timestamp") return names[type.kind];
  return type.zone === undefined ? names.timestamp.local : names.timestamp.zoned;
}
