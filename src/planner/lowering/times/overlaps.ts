/**
 * `(a, b) OVERLAPS (c, d)` in the input language, for targets without it. Ends come in any order, a period does not contain its later end,
 * and equal ends are an instant, which contains itself. Where an end is NULL, the other one can only decide that the periods overlap.
 */
import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { call, typed } from "../../syntax/build.ts";
import type { Binary, Call, Expression } from "../../syntax/tree.ts";
import { BOOLEAN, type SqlType, typeOrUnknown } from "../../types.ts";
import { UNSUPPORTED } from "../templates/unsupported.ts";

const MOMENTS: ReadonlySet<SqlType["kind"]> = new Set(["date", "timestamp", "null"]);

/** A call of the four values of both sides, which are lowered already, and SQL over `"$1"` to `"$4"` with its meaning. */
export function overlapping({ left, right, span }: Binary): { readonly node: Call; readonly sql: string } {
  const sides = [left, right].map(partsOf);
  const parts = sides.flat();
  const type = commonType(parts, span);
  const [one, other] = sides.map((side, index) => periodOf(side, 2 * index + 1, type));
  if (one === undefined || other === undefined) throw new TypeError("OVERLAPS has two sides");
  const crossing = `${one.low} < ${other.high} AND ${other.low} < ${one.high}`;
  const together = `${one.low} = ${other.low}`;
  const present = [...one.nullable, ...other.nullable].map((end) => `${end} IS NOT NULL`);
  const sql =
    present.length === 0
      ? `${crossing} OR ${together}`
      : `CASE WHEN ${crossing} THEN true WHEN ${present.join(" AND ")} THEN ${together} END`;
  return { node: call(UNSUPPORTED.overlaps.refused, parts, typed(BOOLEAN, { span })), sql };
}

function partsOf(side: Expression): readonly [Expression, Expression] {
  const [start, second] = side.kind === "row" ? side.elements : [];
  if (start === undefined || second === undefined || !MOMENTS.has(typeOrUnknown(start).kind)) throw refused(side);
  if (second.kind !== "interval" && !MOMENTS.has(typeOrUnknown(second).kind)) throw refused(second);
  return [start, second];
}

const refused = ({ span }: Pick<Expression, "span">) =>
  unsupported("OVERLAPS of this", span, "Write (start, end) of dates or timestamps on both sides.");

/** The name of the type to which all ends are cast: that of PostgreSQL's function, whose dates are their midnights. */
function commonType(parts: readonly Expression[], span: Binary["span"]): string {
  const types = parts.map(typeOrUnknown).filter(({ kind }) => kind !== "null" && kind !== "interval");
  if (types.length === 0) throw refused({ span });
  if (types.some((type) => type.kind === "timestamp" && type.zoned)) return "timestamptz";
  const isOfDays = types.every(({ kind }) => kind === "date") && !parts.some(({ kind }) => kind === "interval");
  return isOfDays ? "date" : "timestamp";
}

/** The ends of a period as SQL: the earlier and the later one, or the only one, and those that may be NULL. */
interface Period {
  readonly low: string;
  readonly high: string;
  readonly nullable: readonly string[];
}

function periodOf([start, second]: readonly [Expression, Expression], place: number, type: string): Period {
  const from = endOf(start, `"$${place}"`, type);
  const nullableStart = isNullable(start) ? [from] : [];
  const written = `"$${place + 1}"`;
  if (second.kind === "interval") {
    const to = `${from} + ${written}`;
    return { low: `least(${from}, ${to})`, high: `greatest(${from}, ${to})`, nullable: nullableStart };
  }
  const to = endOf(second, written, type);
  const nullable = isNullable(second) ? [...nullableStart, to] : nullableStart;
  if (areInOrder(start, second)) return { low: from, high: to, nullable };
  return { low: `least(${from}, ${to})`, high: `greatest(${from}, ${to})`, nullable };
}

function endOf(end: Expression, written: string, name: string): string {
  const type = typeOrUnknown(end);
  const own = type.kind === "timestamp" && type.zoned ? "timestamptz" : type.kind;
  return own === name ? written : `CAST(${written} AS ${name})`;
}

const WRITTEN = /^\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d:\d\d)?$/;

/** Literals whose texts tell which one is earlier. */
function areInOrder(start: Expression, end: Expression): boolean {
  const [from, to] = [textOf(start), textOf(end)];
  return WRITTEN.test(from) && WRITTEN.test(to) && from.length === to.length && from <= to;
}

/** The text of a literal, which some targets cast. */
function textOf(end: Expression): string {
  const text = end.kind === "cast" ? end.operand : end;
  return text.kind === "typed" || text.kind === "string" ? text.value : "";
}
