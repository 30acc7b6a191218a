/** Rules for the fields of EXTRACT on DuckDB. Measured on DuckDB 1.4.5. */

import { unsupported } from "../../diagnostics.ts";
import { fieldRules, type Rules, sameRule } from "../../lowering/rules.ts";
import { spelled, sql } from "../../lowering/templates/template.ts";
import type { Expression, Extract } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";
import { refuseEndless } from "./endless.ts";

/** Accepts dates and times that end. */
function same(node: Extract): undefined {
  refuseEndless([node.operand]);
}

/** DuckDB's fields of seconds are integers; PostgreSQL's have the fraction. */
const ofMicroseconds = (factor: string) => {
  const template = sql(`CAST($1 AS numeric(20, 0)) * ${factor}`);
  return (node: Extract): Expression => {
    refuseEndless([node.operand]);
    return spelled(template, [{ ...node, field: "microseconds" }], node);
  };
};

const EPOCH = sql("CAST(epoch_us($1) AS numeric(20, 0)) * 0.000001");

function epoch(node: Extract): Expression | undefined {
  refuseEndless([node.operand]);
  return typeOrUnknown(node.operand).kind === "timestamp" ? spelled(EPOCH, [node.operand], node) : undefined;
}

function zone(node: Extract): never {
  refuseEndless([node.operand]);
  throw unsupported("the zone of a timestamp", node.span, "All sessions run in UTC.");
}

export const duckdbFields = (): Rules<Extract> =>
  fieldRules([], {
    ...sameRule("dow doy isodow isoyear julian week century day decade millennium month quarter year hour", same),
    ...sameRule("minute microseconds", same),
    second: ofMicroseconds("0.000001"),
    milliseconds: ofMicroseconds("0.001"),
    epoch,
    ...sameRule("timezone timezone_hour timezone_minute", zone),
  });
