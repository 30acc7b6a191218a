/**
 * Values as Canner writes them into PostgreSQL's texts. They are PostgreSQL's own but for instants: those come as a time on a clock
 * with the zone's name behind it (`2024-01-01 23:59:59.000000 UTC`), in columns that may be described as timestamps or as texts
 * (contract §3.4).
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

/** Of an answer to `statement`: what its plan says of a column decides where the description says less. */
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

/** Behind a time stand a zone's name, or an offset behind a sign; or the era. */
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

/** Without a zone; one that turns up behind rows that had none would be lost. */
function clockTimes(column: ReadColumn): ReadColumn {
  return { ...column, read: (text) => (hasZone(text) ? unreadable("a timestamp with a zone") : readTimestamp(text)) };
}

function unreadable(what: string): never {
  throw new UnreadableValue(what);
}
