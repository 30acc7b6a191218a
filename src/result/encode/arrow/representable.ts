/**
 * Rejects values that JSON can represent and Arrow's types cannot: infinite dates, NaN in decimals, the time 24:00:00. The error
 * names the column; NULL in place of the value would be a wrong answer.
 */
import { ResultError } from "../../failure.ts";
import { arrowTypeName } from "../../names/arrow.ts";
import { mapBatches } from "../../stream/map.ts";
import type { LogicalType, ResultStream, Row, Value } from "../../types.ts";
import { isDecimal128, PER_DAY } from "./types.ts";

type Holds = (value: Exclude<Value, null>) => boolean;

/** The same rows. A value that Arrow cannot represent ends them with `ResultError` CONVERSION. */
export function representable(source: ResultStream): ResultStream {
  const checks = source.columns.flatMap(({ name, type }, index) => {
    const holds = checkOf(type);
    return holds === undefined ? [] : [{ index, name, type, holds }];
  });
  if (checks.length === 0) return source;
  const check = (row: Row): void => {
    for (const { index, name, type, holds } of checks) {
      const value = row[index];
      if (value !== null && value !== undefined && !holds(value)) throw unrepresentable(name, type);
    }
  };
  return mapBatches(source, source.columns, (batch) => {
    for (const row of batch) check(row);
    return batch;
  });
}

function unrepresentable(column: string, type: LogicalType): ResultError {
  return new ResultError(
    "CONVERSION",
    `Column "${column}" (${arrowTypeName(type)}) has a value that Arrow cannot hold: cast the column to text, or ask for another format.`,
    { column },
  );
}

const NANOSECONDS_HELD = 2n ** 63n - 1n;

/** `undefined`: Arrow can represent every value of the type. */
function checkOf(type: LogicalType): Holds | undefined {
  switch (type.kind) {
    case "date":
      return (value) => value !== Number.POSITIVE_INFINITY && value !== Number.NEGATIVE_INFINITY;
    case "timestamp":
      return (value) => typeof value === "bigint" && BigInt.asIntN(64, value) === value;
    case "decimal":
      return isDecimal128(type)
        ? (value) => value !== "NaN" && value !== "Infinity" && value !== "-Infinity"
        : undefined;
    case "time": {
      const end = PER_DAY[type.unit];
      return (value) => typeof value === "number" && value >= 0 && value < end;
    }
    case "interval":
      return (value) => {
        if (typeof value !== "object" || !("microseconds" in value)) return true;
        const nanoseconds = value.microseconds * 1000n;
        return nanoseconds <= NANOSECONDS_HELD && nanoseconds >= -NANOSECONDS_HELD;
      };
    case "list":
      return every(checkOf(type.element));
    case "struct": {
      const checks = type.fields.map((field) => checkOf(field.type));
      if (checks.every((check) => check === undefined)) return undefined;
      return (value) =>
        !Array.isArray(value) ||
        value.every((member: Value, index) => member === null || checks[index]?.(member) !== false);
    }
    case "map": {
      const [key, value] = [checkOf(type.key), checkOf(type.value)];
      if (key === undefined && value === undefined) return undefined;
      return every((pair) => {
        if (!Array.isArray(pair)) return true;
        const [first, second]: readonly Value[] = pair;
        return (first == null || key?.(first) !== false) && (second == null || value?.(second) !== false);
      });
    }
    default:
      return undefined;
  }
}

function every(holds: Holds | undefined): Holds | undefined {
  if (holds === undefined) return undefined;
  return (value) => !Array.isArray(value) || value.every((element: Value) => element === null || holds(element));
}
