/**
 * `<<` and `>>` by a literal in the input language, for targets whose shifts are of other lengths or without a sign. PostgreSQL shifts a
 * number of two's complement and drops the bits beyond its type, so that no shift raises.
 */
import { unsupported } from "../../diagnostics.ts";
import { call, inPlaceOf } from "../../syntax/build.ts";
import type { Binary, Call } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";
import { UNSUPPORTED } from "../templates/unsupported.ts";
import { naturalOf } from "./written-counts.ts";

/** A call of the shifted number, which is lowered already, and SQL over `"$1"` with the meaning of the shift. */
export function shifted(node: Binary): { readonly node: Call; readonly sql: string } {
  const { left, right, operator, span } = node;
  const type = typeOrUnknown(left);
  const count = naturalOf(right);
  const bits = type.kind === "integer" ? type.bits : 0;
  // The outermost bits alone would be numbers that the type has not.
  if (count === undefined || count === 0 || count > bits - 2) {
    throw unsupported(UNSUPPORTED.bitShifts.refused, span, UNSUPPORTED.bitShifts.hint);
  }
  const sql = operator === ">>" ? shiftedRight(count) : shiftedLeft(count, bits);
  return {
    node: call(UNSUPPORTED.bitShifts.refused, [left], inPlaceOf(node)),
    sql: bits === 16 ? `CAST(${sql} AS smallint)` : sql,
  };
}

/** The number without its last bits is divided exactly, below zero, too. */
const shiftedRight = (count: number): string => `("$1" & -${2n ** BigInt(count)}) / ${2n ** BigInt(count)}`;

/** The bits that remain, of which the first one becomes the sign. */
function shiftedLeft(count: number, bits: number): string {
  const sign = 2n ** BigInt(bits - count - 1);
  return `(("$1" & ${sign - 1n}) - ("$1" & ${sign})) * ${2n ** BigInt(count)}`;
}
