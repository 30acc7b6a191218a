/**
 * Numbers beside doubles: what MySQL and MariaDB look up by a key, of an index or of the table that they make of a subquery's rows,
 * keeps the key's own type, and beyond 2^53 a match is missed there or met twice (MySQL 9.7, MariaDB 10.11;
 * `test/engines/mysql-doubles.test.ts`).
 */
import { isInexactDecimal } from "../../lowering/inexact.ts";
import { MixedNumbers } from "../../lowering/mixed-numbers.ts";
import { columnsAsKeys } from "../../lowering/queries/keys.ts";
import { isReal } from "../../lowering/reals.ts";
import { call, cast, inPlaceOf, integer, typed } from "../../syntax/build.ts";
import type { Expression } from "../../syntax/tree.ts";
import { DOUBLE, typeOrUnknown } from "../../types.ts";
import { SETTLED_DIGITS } from "./settled-digits.ts";

const BESIDE_DOUBLES = new MixedNumbers({
  counts: ({ kind, type }) => type?.kind === "float" && kind !== "number",
  made: (value) => (isOtherKey(value) ? cast(value, "double precision", typed(DOUBLE, value)) : value),
  columns: (query, made) => ({ ...query, body: columnsAsKeys(query.body, made) }),
});

/** The digits of a quotient depend on those of its sides: `0.05 / 3` and `0.05 / 3.00` differ in the last one. */
const QUOTIENTS = new MixedNumbers({
  counts: isInexactDecimal,
  least: 2,
  refusal: { what: "a row of quotients among quotients", hint: "Write round(…, 14) on both sides." },
  made: (value) =>
    isInexactDecimal(value) ? call("round", [value, integer(SETTLED_DIGITS, value)], inPlaceOf(value)) : value,
  columns: (query, made) => ({ ...query, body: columnsAsKeys(query.body, made) }),
});

/** Numbers that are compared with each other. */
export const MIXED_NUMBERS: Pick<MixedNumbers, "together" | "among"> = {
  together: (values) => QUOTIENTS.together(BESIDE_DOUBLES.together(values)),
  among: (node) => QUOTIENTS.among(BESIDE_DOUBLES.among(node)),
};

/** Numbers of at most 32 bits are exact as doubles, and a literal is no key: an index can serve the comparison. */
function isOtherKey(value: Expression): boolean {
  if (value.kind === "number") return false;
  const type = typeOrUnknown(value);
  return type.kind === "decimal" || (type.kind === "integer" && type.bits === 64) || isReal(type);
}
