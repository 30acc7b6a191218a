/**
 * Converts listed columns to other types (`columnDtypes`, docs/spec/contract.md#column-types-on-request), exactly or not at all.
 */
import { ResultError } from "../failure.ts";
import { arrowTypeName } from "../names/arrow.ts";
import { mapBatches } from "../stream/map.ts";
import { openZone } from "../text/zone.ts";
import type { Column, LogicalType, ResultStream, Row } from "../types.ts";
import type { ColumnDtypes } from "./column-dtypes.ts";
import { type Conversion, conversionOf } from "./conversions.ts";

/**
 * Converts the columns that `dtypes` lists. Every column with a listed name is converted, and a name that the result does not
 * have is ignored. The conversion is idempotent. The API can therefore wrap the source before `prefetch`, where a value of the
 * first rows that does not convert still gives an error status, and encode the stream as usual.
 *
 * NULL stays NULL. A text that is not a timestamp becomes NULL, for compatibility; any other value that does not convert without
 * loss ends the stream with a `ResultError` CONVERSION.
 *
 * @param zone Display zone (docs/decisions/0011-time-zones.md): it decides the calendar day of an instant that is shown as a date.
 * @throws ResultError CONVERSION at once when a type cannot be shown as the listed one at all.
 */
export function convertColumns(source: ResultStream, dtypes: ColumnDtypes | undefined, zone?: string): ResultStream {
  if (dtypes === undefined || dtypes.size === 0) return source;
  const displayZone = zone === undefined ? undefined : openZone(zone);
  const conversions = source.columns.map((column): Conversion | undefined => {
    const dtype = dtypes.get(column.name);
    return dtype === undefined ? undefined : conversionOf(column.type, dtype, displayZone, column.name);
  });
  if (conversions.every((conversion) => conversion === undefined)) return source;
  const columns = source.columns.map((column, index): Column => {
    const conversion = conversions[index];
    return conversion === undefined ? column : { name: column.name, type: conversion.type };
  });
  const convertRow = (row: Row): Row =>
    row.map((value, index) => {
      const conversion = conversions[index];
      const column = source.columns[index];
      if (value === null || conversion === undefined || column === undefined) return value;
      const converted = conversion.convert(value);
      if (converted === undefined) throw inconvertible(column, conversion.type);
      return converted;
    });
  return mapBatches(source, columns, (batch) => Array.from(batch, convertRow));
}

function inconvertible(column: Column, wanted: LogicalType): ResultError {
  return new ResultError(
    "CONVERSION",
    `Column "${column.name}" (${arrowTypeName(column.type)}) has a value that is no ${arrowTypeName(wanted)}.`,
    { column: column.name },
  );
}
