/** Rules for the fields of EXTRACT on DuckDB. Measured on DuckDB 1.4.5. */

import { unsupported } from "../../diagnostics.ts";
import { fieldRules, type Rules } from "../../lowering/rules.ts";
import { binary, call, cast, decimal, inPlaceOf, typed } from "../../syntax/build.ts";
import type { Expression, Extract } from "../../syntax/tree.ts";
import { BIGINT, NUMERIC, typeOrUnknown } from "../../types.ts";
import { refuseEndless } from "./endless.ts";

/** Accepts dates and times that end. */
function same(node: Extract): undefined {
  refuseEndless([node.operand]);
}

/** DuckDB's fields of seconds are whole; PostgreSQL's carry the fraction. */
function fraction(node: Extract, microseconds: Expression, factor: string): Expression {
  refuseEndless([node.operand]);
  return binary(
    cast(microseconds, "numeric", typed(NUMERIC, node), [20, 0]),
    "*",
    decimal(factor, node),
    inPlaceOf(node),
  );
}

const ofMicroseconds = (factor: string) => (node: Extract) =>
  fraction(node, { ...node, field: "microseconds" }, factor);

function epoch(node: Extract): Expression | undefined {
  if (typeOrUnknown(node.operand).kind !== "timestamp") return same(node);
  return fraction(node, call("epoch_us", [node.operand], typed(BIGINT, node)), "0.000001");
}

function zone(node: Extract): never {
  refuseEndless([node.operand]);
  throw unsupported("the zone of a timestamp", node.span, "All sessions run in UTC.");
}

export const duckdbFields = (): Rules<Extract> =>
  fieldRules([], {
    dow: same,
    doy: same,
    isodow: same,
    isoyear: same,
    julian: same,
    week: same,
    century: same,
    day: same,
    decade: same,
    millennium: same,
    month: same,
    quarter: same,
    year: same,
    hour: same,
    minute: same,
    microseconds: same,
    second: ofMicroseconds("0.000001"),
    milliseconds: ofMicroseconds("0.001"),
    epoch,
    timezone: zone,
    timezone_hour: zone,
    timezone_minute: zone,
  });
