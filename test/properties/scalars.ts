/** Random expressions of a kind over given leaves: what means the same to the input language and to DuckDB. */
import type { Random } from "../support/random-query.ts";
import { type Expression, type Kind, type Template, template } from "./expression.ts";
import { literal, type StoredKind } from "./tables.ts";

/** A reference of that kind; `undefined` where there is none. */
export type Leaf = (kind: Kind) => Expression | undefined;

export const STORED_KINDS: readonly StoredKind[] = ["int", "dec", "dbl", "text", "bool", "date", "ts"];

/** A leaf or a literal, or an operator over such, `depth` levels at most. */
export function scalar(kind: StoredKind, depth: number, leaf: Leaf, random: Random): Expression {
  const constant = (of: StoredKind = kind): Expression => template(of, literal(of, random));
  if (depth <= 0 || random.chance(0.25)) return (random.chance(0.9) ? leaf(kind) : undefined) ?? constant();
  const of = (wanted: StoredKind): Expression => scalar(wanted, depth - 1, leaf, random);
  const each = (): Expression => of(kind);
  if (random.chance(0.25)) {
    return random.pick([
      () => template(kind, "coalesce(", each(), ", ", constant(), ")"),
      () => template(kind, "CASE WHEN ", of("bool"), " THEN ", each(), " ELSE ", each(), " END"),
      () => template(kind, "CASE WHEN ", of("bool"), " THEN ", each(), " END"),
      () => template(kind, "nullif(", each(), ", ", constant(), ")"),
    ])();
  }
  switch (kind) {
    case "int":
      return random.pick([
        () => template(kind, "(", each(), " + ", each(), ")"),
        () => template(kind, "(", each(), " - ", each(), ")"),
        () => template(kind, "(", each(), " * 2)"),
        () => template(kind, "abs(", each(), ")"),
        () => template(kind, "length(", of("text"), ")"),
        () =>
          template(
            kind,
            "CAST(extract(",
            random.pick(["year", "doy", "isodow"]),
            " FROM ",
            of("date"),
            ") AS INTEGER)",
          ),
        () => template(kind, "greatest(", each(), ", ", each(), ")"),
      ])();
    case "dec":
      return random.pick([
        () => template(kind, "(", each(), " + ", each(), ")"),
        () => template(kind, "(", each(), " - ", each(), ")"),
        () => template(kind, "least(", each(), ", ", each(), ")"),
      ])();
    case "dbl":
      return template(kind, "(", each(), random.pick([" + ", " - "]), each(), ")");
    case "text":
      return random.pick([
        () => template(kind, "upper(", each(), ")"),
        () => template(kind, "(", each(), " || ", each(), ")"),
        () => template(kind, "concat(", each(), ", '-', ", each(), ")"),
        () => template(kind, "left(", each(), ", 2)"),
        () => textOf(random.pick(["int", "bool", "date", "ts"]), of),
        () => template(kind, "concat(", each(), ", ", ...texts(of), ")"),
        () => template(kind, "concat_ws('/', ", ...texts(of), ", ", each(), ")"),
        () => formatted(of("date"), random),
      ])();
    case "bool":
      return condition(depth, leaf, random);
    case "date":
      return random.pick([
        () => template(kind, "(", each(), " + 1)"),
        () => template(kind, "greatest(", each(), ", ", each(), ")"),
      ])();
    case "ts":
      return random.pick([
        () => template(kind, "CAST(", of("date"), " AS TIMESTAMP)"),
        () => template(kind, "least(", each(), ", ", each(), ")"),
      ])();
  }
}

function condition(depth: number, leaf: Leaf, random: Random): Expression {
  const of = (wanted: StoredKind): Expression => scalar(wanted, depth - 1, leaf, random);
  const kind = random.pick(STORED_KINDS);
  const [left, right] = [of(kind), random.chance(0.5) ? template(kind, literal(kind, random)) : of(kind)];
  return random.pick([
    () => template("bool", "(", left, random.pick([" = ", " <> ", " < ", " <= ", " > ", " >= "]), right, ")"),
    () => template("bool", "(", left, random.pick([" IS NULL", " IS NOT NULL"]), ")"),
    () => template("bool", "(", left, " IS DISTINCT FROM ", right, ")"),
    () => template("bool", "(", left, " IN (", right, ", ", template(kind, literal(kind, random)), "))"),
    () => template("bool", "(", left, " BETWEEN ", right, " AND ", template(kind, literal(kind, random)), ")"),
    () => template("bool", "(", of("text"), " LIKE ", random.pick(["'a%'", "'%b'", "'_'"]), ")"),
    () => template("bool", "(", of("bool"), random.pick([" AND ", " OR "]), of("bool"), ")"),
    () => template("bool", "(NOT ", of("bool"), ")"),
  ])();
}

function textOf(kind: StoredKind, of: (wanted: StoredKind) => Expression): Expression {
  return template("text", "CAST(", of(kind), " AS VARCHAR)");
}

/** Values that a function makes texts of: a boolean is one letter there, and a word where it is cast. */
function texts(of: (wanted: StoredKind) => Expression): Template["parts"] {
  const letter = [{ written: "", oracle: "left(CAST(" }, of("bool"), { written: "", oracle: " AS VARCHAR), 1)" }];
  return [...letter, ", ", of("date"), ", ", of("int")];
}

const FORMATS = [
  ["YYYY-MM-DD", "%Y-%m-%d"],
  ["TMDay", "%A"],
  ["FMMonth, FMDD", "%B, %-d"],
  ["Dy DDD", "%a %j"],
] as const;

function formatted(date: Expression, random: Random): Expression {
  const [pattern, directives] = random.pick(FORMATS);
  return template("text", { written: "to_char(", oracle: "strftime(" }, date, {
    written: `, '${pattern}')`,
    oracle: `, '${directives}')`,
  });
}
