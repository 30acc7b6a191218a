/** The statement of the input language that a structured query means, as the planner reads it (docs/reference/cube-queries.md). */
import type { CubeQuery, Filter, TimeDimension } from "./cube-query.ts";

export function cubeSql(query: CubeQuery): string {
  const { cube, measures, dimensions, timeDimensions, filters, orderBy, limit } = query;
  const times = timeDimensions.flatMap(({ dimension, granularity }) =>
    granularity === undefined
      ? []
      : [
          {
            name: `${dimension}__${granularity}`,
            text: `date_trunc('${granularity}', ${quoted(dimension)}) AS ${quoted(`${dimension}__${granularity}`)}`,
          },
        ],
  );
  const named = [...dimensions, ...measures].map((name) => ({ name, text: quoted(name) }));
  const items = [...times, ...named];
  const keys = times.length + dimensions.length;
  const conditions = [...timeDimensions.flatMap(rangeOf), ...filters.map(conditionOf)];
  const place = (member: string): number => items.findIndex(({ name }) => name === member) + 1;
  const orders =
    orderBy.length === 0
      ? times.map((_, index) => `${index + 1}`)
      : orderBy.map(({ member, direction }) => `${place(member)}${direction === "desc" ? " DESC" : ""}`);
  return [
    `SELECT ${items.map(({ text }) => text).join(", ")}`,
    `FROM ${quoted(cube)}`,
    ...(conditions.length === 0 ? [] : [`WHERE ${conditions.join("\n  AND ")}`]),
    ...(keys === 0 ? [] : [`GROUP BY ${numbers(keys)}`]),
    ...(orders.length === 0 ? [] : [`ORDER BY ${orders.join(", ")}`]),
    ...(limit === undefined ? [] : [`LIMIT ${limit}`]),
  ].join("\n");
}

/** Names of cubes and members are exact: quotes keep their case and their spaces. */
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const numbers = (count: number): string => Array.from({ length: count }, (_, index) => index + 1).join(", ");

/** Both days belong to the range. */
function rangeOf({ dimension, dateRange }: TimeDimension): readonly string[] {
  if (dateRange === undefined) return [];
  const [start, end] = dateRange;
  return [`${quoted(dimension)} >= ${literal(start)}`, `${quoted(dimension)} < ${literal(dayAfter(end))}`];
}

function dayAfter(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString().slice(0, "9999-12-31".length);
}

const COMPARISONS = { eq: "=", neq: "<>", gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

function conditionOf({ dimension, operator, value = "" }: Filter): string {
  const member = quoted(dimension);
  const values = typeof value === "string" ? [value] : value;
  const [first = ""] = values;
  switch (operator) {
    case "is_null":
      return `${member} IS NULL`;
    case "is_not_null":
      return `${member} IS NOT NULL`;
    case "in":
    case "not_in":
      return `${member} ${operator === "in" ? "IN" : "NOT IN"} (${values.map(literal).join(", ")})`;
    case "contains":
    case "starts_with": {
      const escaped = first.replace(/[\\%_]/g, (each) => `\\${each}`);
      return `${member} LIKE ${literal(`${operator === "contains" ? "%" : ""}${escaped}%`)}`;
    }
    default:
      return `${member} ${COMPARISONS[operator]} ${literal(first)}`;
  }
}
