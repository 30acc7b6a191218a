/**
 * How tightly each construct binds, from loosest to tightest: PostgreSQL's table (`gram.y`), which the parser climbs
 * and from which the printer derives parentheses.
 *
 * Three surprising rules: the minus sign binds tighter than `^` (`-2 ^ 2` is 4); all operators without a level of their
 * own (`||`, `->`, `~`, `&`, `<<` …) share one level below `+`; and `IS` is below the comparisons (`a = b IS NULL`
 * tests the comparison).
 */
import type { BinaryOperator } from "./tree.ts";

export const LEVEL = {
  or: 1,
  and: 2,
  not: 3,
  /** IS …, ISNULL, NOTNULL, IS [NOT] DISTINCT FROM. Not associative. */
  is: 4,
  /** `=` `<>` `<` … and quantified comparisons. Not associative. */
  comparison: 5,
  /** BETWEEN, IN, LIKE, ILIKE, SIMILAR TO, OVERLAPS. Not associative. */
  range: 6,
  /** Every operator that has no separate level. */
  operator: 7,
  additive: 8,
  multiplicative: 9,
  power: 10,
  atTimeZone: 11,
  collate: 12,
  /** Unary minus and plus. */
  sign: 13,
  cast: 14,
  /** Needs no parentheses anywhere. */
  primary: 15,
} as const;

export const BINARY_LEVELS: { readonly [operator in BinaryOperator]: number } = {
  "is distinct from": LEVEL.is,
  "is not distinct from": LEVEL.is,
  "=": LEVEL.comparison,
  "<>": LEVEL.comparison,
  "<": LEVEL.comparison,
  "<=": LEVEL.comparison,
  ">": LEVEL.comparison,
  ">=": LEVEL.comparison,
  overlaps: LEVEL.range,
  "||": LEVEL.operator,
  "&": LEVEL.operator,
  "|": LEVEL.operator,
  "#": LEVEL.operator,
  "<<": LEVEL.operator,
  ">>": LEVEL.operator,
  "->": LEVEL.operator,
  "->>": LEVEL.operator,
  "#>": LEVEL.operator,
  "#>>": LEVEL.operator,
  "#-": LEVEL.operator,
  "@>": LEVEL.operator,
  "<@": LEVEL.operator,
  "?": LEVEL.operator,
  "?|": LEVEL.operator,
  "?&": LEVEL.operator,
  "&&": LEVEL.operator,
  "^@": LEVEL.operator,
  "~": LEVEL.operator,
  "~*": LEVEL.operator,
  "!~": LEVEL.operator,
  "!~*": LEVEL.operator,
  "+": LEVEL.additive,
  "-": LEVEL.additive,
  "*": LEVEL.multiplicative,
  "/": LEVEL.multiplicative,
  "//": LEVEL.multiplicative,
  "%": LEVEL.multiplicative,
  "^": LEVEL.power,
};

/** How tightly an operator binds, and how tightly an operand must bind to be printed without parentheses. */
export interface OperatorLevels {
  readonly self: number;
  readonly left: number;
  readonly right: number;
}

/**
 * The printer's rules. They add more parentheses than PostgreSQL needs where sources disagree: around `||`, `&`, `->`
 * and similar operators inside each other and inside arithmetic, around powers, and around comparisons inside
 * comparisons.
 */
export function operatorLevels(operator: BinaryOperator): OperatorLevels {
  const self = BINARY_LEVELS[operator];
  switch (self) {
    case LEVEL.additive:
    case LEVEL.multiplicative:
      return { self, left: self, right: self + 1 };
    case LEVEL.power:
      return { self, left: LEVEL.cast, right: LEVEL.cast };
    case LEVEL.operator:
      return { self, left: LEVEL.atTimeZone, right: LEVEL.atTimeZone };
    default:
      return { self, left: LEVEL.operator, right: LEVEL.operator };
  }
}

/** Whether `(a inner b) outer c` has the same meaning on every source without its parentheses. */
export function chains(inner: BinaryOperator, outer: BinaryOperator): boolean {
  return BINARY_LEVELS[inner] === LEVEL.operator && (inner === outer || (isPath(inner) && isPath(outer)));
}

/** JSON path operators. */
function isPath(operator: BinaryOperator): boolean {
  return operator === "->" || operator === "->>" || operator === "#>" || operator === "#>>";
}

/** Levels at which `a op b op c` is an error rather than a chain. */
export function isNonAssociative(level: number): boolean {
  return level === LEVEL.is || level === LEVEL.comparison || level === LEVEL.range;
}
