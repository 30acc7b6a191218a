/**
 * Reals for engines whose floats all have 64 bits: a double is rounded to the 24 bits of a real. `x * (2^29 + 1)` and two subtractions keep
 * the first 24 bits of x (Veltkamp's splitting), and round a tie to the even number. Below 2^-126 a real has fewer bits, and a sum with
 * 1.5 * 2^-97 keeps them. A double that no real holds raises an error, as on PostgreSQL. Compared with `Math.fround` over millions of values:
 * `test/planner/lowering/numbers/rounded-reals.test.ts`.
 */
import { unsupported } from "../../diagnostics.ts";
import { cast, typed } from "../../syntax/build.ts";
import type { Expression, QueryBody, SetOperation, Template } from "../../syntax/tree.ts";
import { DOUBLE, REAL, typeOrUnknown } from "../../types.ts";
import { spelled, sql } from "../templates/template.ts";
import { isExact, isReal } from "./reals.ts";

/** 2^29 + 1. */
const SPLITTER = "536870913";
const SPLIT = `$1 * ${SPLITTER} - ($1 * ${SPLITTER} - $1)`;
/** 2^-126, below which reals are subnormal. */
const SMALLEST_NORMAL = "1.1754943508222875e-38";
/** 2^-150, which is rounded to 0. */
const UNDERFLOW = "7.006492321624085e-46";
/** 1.5 * 2^-97, whose last bit is 2^-149. */
const SHIFT = "9.466330862652142e-30";
/** 2^128 - 2^103, which is rounded to 2^128. */
const OVERFLOW = "3.4028235677973366e38";

/** The digits of a literal whose type is real. */
export const realDigits = (literal: { readonly text: string }): string => String(Math.fround(Number(literal.text)));

interface Words {
  readonly double: (digits: string) => string;
  readonly isInfinite: string;
  readonly failure: string;
}

export interface RealsByRounding {
  /** A value of any numeric type as a real. */
  readonly asReal: (value: Expression) => Expression;
  /** A result of type real that the engine computes as a double. */
  readonly rounded: (value: Expression) => Expression;
}

/**
 * `double` writes a literal of a double, `isInfinite` holds for infinities, and for NaN where NaN is a number like others;
 * `failure` is an expression that raises an error.
 */
export function realsByRounding({ double, isInfinite, failure }: Words): RealsByRounding {
  const outside = `ABS($1) >= ${double(OVERFLOW)} OR ABS($1) <= ${double(UNDERFLOW)}`;
  const subnormal = `ABS($1) < ${double(SMALLEST_NORMAL)} THEN ($1 + ${double(SHIFT)}) - ${double(SHIFT)}`;
  const same = `$1 = 0 OR ${isInfinite} THEN $1`;
  const any = sql(`CASE WHEN ${same} WHEN ${outside} THEN ${failure} WHEN ${subnormal} ELSE ${SPLIT} END`, {
    type: REAL,
  });
  // Integers and decimals are no larger than reals.
  const exact = sql(SPLIT, { type: REAL });
  const by = (template: Template, value: Expression): Expression =>
    spelled(template, [asDouble(value)], typed(REAL, value));
  return {
    asReal: (value) => {
      const { kind } = typeOrUnknown(value);
      if (isReal(value.type)) return value;
      if (kind === "null") return cast(value, "double precision", typed(REAL, value));
      return by(isExact(value.type) ? exact : any, value);
    },
    rounded: (value) => by(any, { ...value, type: DOUBLE }),
  };
}

function asDouble(value: Expression): Expression {
  const { type } = value;
  return type?.kind === "float" && type.bits === 64 ? value : cast(value, "double precision", typed(DOUBLE, value));
}

const isOther = (value: Expression): boolean => isExact(value.type) || value.kind === "string";

/** Values that come to one type: PostgreSQL makes reals of numbers and literals beside a real, and the engine makes doubles. */
export function refuseMixedReals(list: readonly Expression[]): void {
  const other = list.some((value) => isReal(value.type)) ? list.find(isOther) : undefined;
  if (other !== undefined) throw unsupported("a real beside a value of another type", other.span, HINT);
}

/** Compared values: PostgreSQL compares a real with a number as doubles, and reads a literal text as a real. */
export function refuseTextsBesideReals(list: readonly Expression[]): void {
  const other = list.some((value) => isReal(value.type)) ? list.find(({ kind }) => kind === "string") : undefined;
  if (other !== undefined) throw unsupported("a text beside a real", other.span, HINT);
}

const HINT = "Cast both to double precision.";

/** Both sides of a UNION by their columns; rows of VALUES have become one. */
export function refuseMixedSides({ left, right }: SetOperation): void {
  const rows = [...rowsOf(left), ...rowsOf(right)];
  const [first = []] = rows;
  for (const index of first.keys()) refuseMixedReals(rows.flatMap((row) => row[index] ?? []));
}

function rowsOf(body: QueryBody): readonly (readonly Expression[])[] {
  switch (body.kind) {
    case "select":
      return [body.items.flatMap((item) => (item.kind === "item" ? [item.expression] : []))];
    case "set":
      return [...rowsOf(body.left), ...rowsOf(body.right)];
    case "nested":
      return rowsOf(body.query.body);
    case "values":
      return body.rows;
    default:
      return body satisfies never;
  }
}
