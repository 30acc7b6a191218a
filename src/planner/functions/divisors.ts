/**
 * Definitions of gcd, lcm and factorial for engines without them. Euclid's algorithm is a loop, which no expression has; but a divisor
 * of a literal depends only on the remainder of the other number, and a CASE lists all remainders.
 */
import type { Expression } from "../syntax/tree.ts";
import { typeOrUnknown } from "../types.ts";
import type { Meaning } from "./specification.ts";

type Meanings = Readonly<Record<string, Meaning["sql"]>>;

/** More remainders than this are refused: the CASE has a branch for each. */
const MOST_REMAINDERS = 120;

/** 20! is the last factorial of 64 bits. */
const MOST_FACTORS = 20;

/** An integer literal without a sign. */
const sizeOf = (literal: Expression | undefined): number =>
  literal?.kind === "number" ? Number(literal.text) : Number.NaN;

const divisorOf = (a: number, b: number): number => (b === 0 ? a : divisorOf(b, a % b));

/** A number for each remainder of `value` by the size of the literal. */
function byRemainder(value: string, size: number, of: (remainder: number) => number): string {
  const branches = Array.from({ length: size }, (_, remainder) => `WHEN ${remainder} THEN ${of(remainder)}`);
  return `CASE abs(mod(${value}, ${size})) ${branches.join(" ")} END`;
}

/** `made` of the argument that is no literal and the size of the one that is; PostgreSQL's result has the longer type of both. */
const besideLiteral =
  (literal: 0 | 1, made: (value: string, size: number) => string): Meaning["sql"] =>
  (list: readonly Expression[]) => {
    const [written, value] = [list[literal], list[1 - literal]];
    const size = sizeOf(written);
    if (value === undefined || !(size <= MOST_REMAINDERS)) return undefined;
    const type = typeOrUnknown(value);
    const sql = made(`$${2 - literal}`, size);
    return type.kind === "integer" && type.bits === 64 ? `CAST(${sql} AS bigint)` : sql;
  };

const greatest = (value: string, size: number): string => byRemainder(value, size, (each) => divisorOf(size, each));
const least = (value: string, size: number): string =>
  `abs(${value} * ${byRemainder(value, size, (each) => size / divisorOf(size, each))})`;

const ofEither = (made: (value: string, size: number) => string): Meanings => ({
  "integer, literal integer >= 1": besideLiteral(1, made),
  "literal integer >= 1, integer": besideLiteral(0, made),
});

export const GREATEST_DIVISOR: Meanings = ofEither(greatest);
export const LEAST_MULTIPLE: Meanings = ofEither(least);

export const FACTORIAL: Meanings = {
  "literal integer >= 0": ([value]) => {
    const count = sizeOf(value);
    if (!(count <= MOST_FACTORS)) return undefined;
    const factors = Array.from({ length: count }, (_, index) => BigInt(index + 1));
    return `CAST(${factors.reduce((product, each) => product * each, 1n)} AS numeric(19, 0))`;
  },
};
