/** The forms of `ROW_RULES=besteffort` (`src/planner/expand/fence.ts`) as the experiment's, for engines that run here. */
import type { Engine } from "./engines.ts";
import { MORE_POSITIONS } from "./more-positions.ts";
import { body, type FenceForm, names, ofSource, type Rule } from "./shapes.ts";

const COLUMNS = names(undefined).split(", ");

interface Form {
  /** One more column of the rows inside, and the condition on it outside. */
  readonly number?: readonly [expression: string, condition: string];
  readonly limit?: string;
  /** The columns inside; as they are when absent. */
  readonly column?: (name: string) => string;
  /** Columns outside are CASE over the rule's truth, unless the rule holds a query, as the planner prints them. */
  readonly guarded?: true;
  /** A condition of the caller that cannot fail, beside the rule. */
  readonly beside?: string;
}

/** The rule and the columns inside, the caller's expressions outside. */
function barrier({ number, limit = "", column, guarded, beside }: Form): FenceForm {
  return (rule: Rule, q) => {
    const isGuarded = guarded === true && !rule.where.includes("SELECT");
    const inner = { ...rule, where: beside === undefined ? rule.where : `(${rule.where}) AND ${beside}` };
    const more = `${isGuarded ? `, (${rule.where}) AS r` : ""}${number === undefined ? "" : `, ${number[0]} AS rn`}`;
    const outside = (name: string): string => (isGuarded ? `CASE WHEN f.r THEN f.${name} END` : `f.${name}`);
    const items = COLUMNS.map((name) => `${outside(name)} AS ${name}`);
    if (q !== undefined)
      items.push(`(${ofSource(q).replaceAll(/\bb\.(\w+)/g, (_, name: string) => outside(name))}) AS q`);
    const rows = `${body(inner, undefined, more, column)}${limit}`;
    return `(SELECT ${items.join(", ")} FROM (${rows}) AS f${number === undefined ? "" : ` WHERE ${number[1]}`})`;
  };
}

const RANKED: Form = { number: ["row_number() OVER (ORDER BY 1)", "f.rn > 0"] };
const LIMITED: Form = {
  number: ["row_number() OVER (ORDER BY (SELECT NULL))", "f.rn > 0"],
  limit: " LIMIT 9223372036854775807",
};
const OWN_ROW = "ROWS BETWEEN CURRENT ROW AND CURRENT ROW";
const BESIDE = "b.id BETWEEN 0 AND 1000000";

export const BARRIERS = {
  /** Snowflake and Redshift. */
  ranked: barrier(RANKED),
  "ranked, guarded": barrier({ ...RANKED, guarded: true }),
  "ranked, guarded, a condition inside": barrier({ ...RANKED, guarded: true, beside: BESIDE }),
  /** SQL Server. */
  "ranked and limited": barrier(LIMITED),
  "ranked and limited, guarded": barrier({ ...LIMITED, guarded: true }),
  "ranked and limited, guarded, a condition inside": barrier({ ...LIMITED, guarded: true, beside: BESIDE }),
  /** Athena, Canner, Starburst. */
  "numbered and limited": barrier({ ...LIMITED, number: ["row_number() OVER ()", "f.rn > 0"] }),
  /** Doris. */
  "copied in order": barrier({ column: (name) => `first_value(b.${name}) OVER (ORDER BY b.id ${OWN_ROW})` }),
  "copied in order, a condition inside": barrier({
    column: (name) => `first_value(b.${name}) OVER (ORDER BY b.id ${OWN_ROW})`,
    beside: BESIDE,
  }),
  /** Earlier ClickHouse and ClickHouse Cloud. */
  copied: barrier({ column: (name) => `any(b.${name}) OVER (${OWN_ROW})` }),
  /** Oracle, with MariaDB's number of the same name. */
  "ROWNUM, guarded, a condition inside": barrier({
    number: ["ROWNUM()", "f.rn >= 0"],
    guarded: true,
    beside: BESIDE,
  }),
  /** Databricks, Spark 3.5. */
  "number as it comes": barrier({ number: ["monotonically_increasing_id()", "f.rn >= 0"] }),
  "number as it comes, a condition inside": barrier({
    number: ["monotonically_increasing_id()", "f.rn >= 0"],
    beside: BESIDE,
  }),
  /** PlanetScale, TiDB. */
  "LIMIT, OFFSET 0": barrier({ limit: " LIMIT 18446744073709551615 OFFSET 0" }),
} satisfies Record<string, FenceForm>;

export type BarrierName = keyof typeof BARRIERS;

export async function withBarriers(open: Promise<Engine>): Promise<Engine> {
  const engine = await open;
  return { ...engine, shapes: { ...engine.shapes, fences: { ...engine.shapes.fences, ...BARRIERS } } };
}

/** The same at 51 positions and more. */
export async function atAllPositions(open: Promise<Engine>): Promise<Engine> {
  const engine = await withBarriers(open);
  const positions = { ...MORE_POSITIONS, ...engine.shapes.positions };
  return { ...engine, shapes: { ...engine.shapes, positions } };
}
