/** Numbers of different types, and quotients, that are compared with each other. */
import { isInexactDecimal } from "../../lowering/numbers/inexact.ts";
import { MixedNumbers } from "../../lowering/numbers/mixed-numbers.ts";
import { columnsAsKeys } from "../../lowering/queries/keys.ts";
import { call, inPlaceOf, integer } from "../../syntax/build.ts";
import { BESIDE_DOUBLES } from "./quirks/keys-beside-doubles.ts";
import { SETTLED_DIGITS } from "./settled-digits.ts";

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
