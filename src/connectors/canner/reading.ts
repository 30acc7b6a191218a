/**
 * Reads the values that Canner writes as PostgreSQL texts. They have PostgreSQL's form except for instants, which are local times
 * followed by the zone's name (`2024-01-01 23:59:59.000000 UTC`), in columns that may be described as timestamps or as texts
 * (docs/spec/contract.md#time-zones-of-answers).
 */
import { parseMicroseconds, parseTimestamp } from "../../result/text/timestamp.ts";
import type { Statement } from "../connector.ts";
import {
  type ColumnReading,
  type FieldDescription,
  needsSample,
  type ReadColumn,
  readColumns,
} from "../postgres/rows.ts";
import type { ReadValue } from "../postgres/types.ts";
import { readText, readTimestamp } from "../postgres/values.ts";
import { instantReader } from "../trino/values.ts";
import { UnreadableValue } from "../unreadable-value.ts";

const TIMESTAMP = 1114;
const TIMESTAMPTZ = 1184;

/** Reads the result of `statement`: the plan's column types are used where the description is less precise. */
export function readingOf({ columns: meant }: Pick<Statement, "columns">): ColumnReading {
  const isInstant = (index: number): boolean => {
    const type = meant[index]?.type;
    return type?.kind === "timestamp" && type.zoned;
  };
  return {
    needsSample: (fields) => needsSample(fields) || fields.some(isTimestamp),
    readColumns: (fields, context, sample) =>
      readColumns(fields, context, sample).map((column, index) => {
        const field = fields[index];
        const texts = sample.flatMap((row) => row[index] ?? []);
        if (field === undefined) return column;
        if (field.dataTypeID === TIMESTAMPTZ) return instants(column);
        if (isTimestamp(field)) return isInstant(index) || texts.some(hasZone) ? instants(column) : clockTimes(column);
        return column.read === readText && isInstant(index) ? instants(column) : column;
      }),
  };
}

const isTimestamp = ({ dataTypeID }: FieldDescription): boolean => dataTypeID === TIMESTAMP;

/** The time is followed by a zone's name, a signed offset, or the era. */
const hasZone = (text: string): boolean => /:\d\d(?:\.\d+)? ?(?:[A-Za-z]|[+-]\d\d)/.test(text.replace(/ BC$/, ""));

function instants(column: ReadColumn): ReadColumn {
  const named = instantReader("ns");
  const read: ReadValue = (text) => {
    if (parseTimestamp(text)?.offset !== undefined) return parseMicroseconds(text) ?? unreadable("a timestamp");
    const nanoseconds = named(text);
    if (typeof nanoseconds !== "bigint" || nanoseconds % 1000n !== 0n) return unreadable("a timestamp of finer digits");
    return nanoseconds / 1000n;
  };
  return { ...column, type: { kind: "timestamp", unit: "us", zone: "UTC" }, read };
}

/** A column of timestamps without a zone; a zone that occurs in a later row would be lost. */
function clockTimes(column: ReadColumn): ReadColumn {
  return { ...column, read: (text) => (hasZone(text) ? unreadable("a timestamp with a zone") : readTimestamp(text)) };
}

function unreadable(what: string): never {
  throw new UnreadableValue(what);
}
