/**
 * A real as `numeric` on engines in Java: PostgreSQL keeps six digits of it, and of two that are as near it takes the even one. Java's
 * formats round such a tie away from zero. A real is a tie if its seventh digit is 5 and no other one follows: then the seven digits
 * read back as the same double, which holds of no other real (all texts of seven digits with a 5 at the end were compared).
 */
import { cast, typed } from "../../syntax/build.ts";
import type { Expression, Template } from "../../syntax/tree.ts";
import { DOUBLE, type SqlType } from "../../types.ts";
import { spelled, sql } from "../templates/template.ts";

/** `format` is the engine's function of Java's formats, and `double` its name of the type. */
export const digitsOfReal = (format: string): Template => {
  const seven = `${format}('%.6e', $1)`;
  const isTie = `regexp_like(${seven}, '[02468]5e') AND CAST(${seven} AS double precision) = $1`;
  const read = (text: string): string => `CAST(${text} AS double precision)`;
  return sql(
    `CASE WHEN $1 IS NOT NULL THEN CASE WHEN ${isTie} THEN ${read(`replace(${seven}, '5e', 'e')`)}
      ELSE ${read(`${format}('%.5e', $1)`)} END END`,
    { type: DOUBLE },
  );
};

export const isReal = (type: SqlType): boolean => type.kind === "float" && type.bits === 32;

/** The double that is nearest to the digits. */
export const asNearestDouble = (digits: Template, real: Expression): Expression =>
  spelled(digits, [cast(real, "double precision", typed(DOUBLE, real))], typed(DOUBLE, real));
