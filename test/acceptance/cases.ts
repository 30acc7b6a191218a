/** The acceptance cases of the planner, and the judgement of one on any source. */
import { readFileSync } from "node:fs";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import type { Manifest } from "../../src/planner/index.ts";
import type { DataSource, Plan, Variant } from "../../src/planner/plan.ts";
import { type ActualRows, type ExpectedRows, rowsDiffer } from "../support/comparator.ts";
import { manifestOf, type PlanSettings, plannedCube, plannedOn } from "../support/plan.ts";

export type Expected =
  | { readonly type: "error"; readonly kind: string }
  | {
      readonly type: "rows";
      readonly ordered?: boolean;
      readonly compareNames?: boolean;
      /** `false` where the answer is an estimate. */
      readonly compareRows?: boolean;
      readonly columns: readonly string[];
      /** In DuckDB's names. */
      readonly columnTypes?: readonly string[];
      readonly rows: ExpectedRows;
    }
  /** Planned, with a warning; what the source makes of it is its own affair. */
  | { readonly type: "planned" };

interface AnyCase {
  readonly id: string;
  readonly topic: string;
  readonly title: string;
  readonly manifest: string;
  readonly sessionProperties: Readonly<Record<string, string>>;
}

/** Answered with rows or an error. */
export interface QueryCase extends AnyCase {
  readonly operation: "query" | "cubeQuery";
  /** For cases with the operation `query`. */
  readonly sql: string;
  /** For cases with the operation `cubeQuery`. */
  readonly cubeQuery?: unknown;
  readonly expected: Expected;
  /** Other answers that are right, where the reference's is not the best one. */
  readonly acceptable?: readonly Expected[];
  /** How often a text may stand in the plan. */
  readonly planAssertions?: { readonly maxCount?: Readonly<Record<string, number>> };
}

/** About the text that is printed for one source. */
export interface DialectCase extends AnyCase {
  readonly operation: "dialect";
  readonly sql: string;
  readonly dataSource: DataSource;
  /** Regular expressions. */
  readonly planAssertions: { readonly must: readonly string[]; readonly mustNot: readonly string[] };
}

/** Judged by `service-operations.test.ts`. */
interface ServiceCase extends AnyCase {
  readonly operation: "limit" | "substitute" | "validate" | "analysis" | "manifest";
}

const file = JSON.parse(readFileSync(new URL("../cases/planner-cases.json", import.meta.url), "utf8")) as {
  readonly fixtures: { readonly sql: string };
  readonly manifests: Readonly<Record<string, unknown>>;
  readonly cases: readonly (QueryCase | DialectCase | ServiceCase)[];
};

/** Beside those of the set, over its manifests and tables. */
const FURTHER: readonly QueryCase[] = [
  {
    id: "L07",
    topic: "metrics (legacy)",
    title: "a metric over a metric, which keeps its own groups",
    operation: "query",
    manifest: "metric",
    sql: 'SELECT max_rev FROM "StatusStats"',
    sessionProperties: {},
    expected: {
      type: "rows",
      compareNames: true,
      columns: ["max_rev"],
      columnTypes: ["DECIMAL(38,2)"],
      rows: [["810.00"]],
    },
  },
];

/** The manifests of the set, as JSON has them. */
export const MANIFEST_DATA = file.manifests;
export const CASES = [...file.cases, ...FURTHER];
export const QUERY_CASES = CASES.filter(
  (each): each is QueryCase => each.operation === "query" || each.operation === "cubeQuery",
);
export const DIALECT_CASES = CASES.filter((each): each is DialectCase => each.operation === "dialect");
/** In DuckDB's SQL. */
export const FIXTURES = file.fixtures.sql;

/** The acceptance set's kinds → our reasons. */
const REASONS: Readonly<Record<string, readonly string[]>> = {
  COLUMN_NOT_FOUND: ["COLUMN_NOT_FOUND"],
  MODEL_NOT_FOUND: ["MODEL_NOT_FOUND"],
  AMBIGUOUS_COLUMN: ["AMBIGUOUS_COLUMN"],
  INVALID_MDL: [
    "MANIFEST_DUPLICATE",
    "MANIFEST_SOURCE",
    "MANIFEST_LAYOUT_VERSION",
    "MANIFEST_EXPRESSION",
    "MANIFEST_SCHEMA",
    "MANIFEST_RELATIONSHIP",
  ],
  INVALID_SQL: ["SYNTAX", "SEVERAL_STATEMENTS"],
  UNSUPPORTED_STATEMENT: ["UNSUPPORTED_STATEMENT"],
  CYCLE: ["MANIFEST_CYCLE"],
  FANOUT: ["FANOUT"],
  PRIMARY_KEY_REQUIRED: ["PRIMARY_KEY_REQUIRED"],
  SESSION_PROPERTY_REQUIRED: ["SESSION_PROPERTY_REQUIRED"],
  SESSION_PROPERTY_INVALID: ["SESSION_PROPERTY_INVALID"],
  ACCESS_DENIED: ["ACCESS_DENIED"],
  ENUM_VALUE_NOT_FOUND: ["ENUM_VALUE_NOT_FOUND"],
  FUNCTION_NOT_FOUND: ["FUNCTION_NOT_FOUND"],
  CUBE_NOT_FOUND: ["CUBE_NOT_FOUND"],
  CUBE_FIELD_NOT_FOUND: ["CUBE_FIELD_NOT_FOUND"],
  CUBE_INVALID_QUERY: ["CUBE_INVALID_QUERY"],
};

/** A source's different spelling: replaces every match of the pattern. */
export type Spelling = readonly [what: string, written: RegExp, instead: string];

export function spelled(text: string, spellings: readonly Spelling[]): string {
  return spellings.reduce((sql, [, written, instead]) => sql.replaceAll(written, instead), text);
}

export interface Engine {
  readonly source: DataSource;
  /** For native SQL in the manifests' JSON. */
  readonly spellings?: readonly Spelling[];
  /** The server's variant, if plans depend on it. */
  readonly variant?: Variant | undefined;
  /** Its decimals have the scale of their values, not of their column: `0` where the expectation says `0.00`. */
  readonly scaleOfValues: boolean;
  readonly textOrder?: PlanSettings["textOrder"];
  run(plan: Plan): Promise<ActualRows>;
}

const AS_WRITTEN: readonly Spelling[] = [];
const manifests = new Map<readonly Spelling[], Map<string, Manifest>>();

function manifest(name: string, spellings = AS_WRITTEN): Manifest {
  const read = manifests.get(spellings) ?? new Map<string, Manifest>();
  const known = read.get(name) ?? manifestOf(JSON.parse(spelled(JSON.stringify(file.manifests[name]), spellings)));
  manifests.set(spellings, read.set(name, known));
  return known;
}

/** Throws `PlannerError`; a manifest that cannot be read counts as one of its queries. */
export function planOf(
  each: QueryCase | DialectCase,
  { source, textOrder, spellings, variant }: Pick<Engine, "source" | "textOrder" | "spellings" | "variant">,
): Plan {
  const session = new Map(Object.entries(each.sessionProperties).map(([name, value]) => [name.toLowerCase(), value]));
  const settings: PlanSettings = { source, session, ...(textOrder && { textOrder }) };
  return each.operation === "cubeQuery"
    ? plannedCube(each.cubeQuery, manifest(each.manifest, spellings), settings)
    : plannedOn(variant, each.sql, manifest(each.manifest, spellings), settings);
}

/** How the answer differs from all that are right; `undefined` when it does not. An engine's failure is thrown. */
export async function problemWith(each: QueryCase, engine: Engine): Promise<string | undefined> {
  const problems: string[] = [];
  for (const expected of [each.expected, ...(each.acceptable ?? [])]) {
    const problem = await differenceFrom(expected, each, engine);
    if (problem === undefined) return undefined;
    problems.push(problem);
  }
  return problems.join("\n");
}

async function differenceFrom(expected: Expected, each: QueryCase, engine: Engine): Promise<string | undefined> {
  let plan: Plan;
  try {
    plan = planOf(each, engine);
  } catch (error) {
    if (!(error instanceof PlannerError)) throw error;
    const fits = expected.type === "error" && REASONS[expected.kind]?.includes(error.reason) === true;
    return fits ? undefined : `${error.reason}: ${error.message}`;
  }
  if (expected.type === "error") return `no ${expected.kind}, but ${plan.sql}`;
  if (expected.type === "planned") return plan.warnings.length > 0 ? undefined : "planned without a warning";
  const rows = await engine.run(plan);
  if (expected.compareRows !== false) {
    const wanted = engine.scaleOfValues ? decimalsByValue(expected) : expected.rows;
    const difference = rowsDiffer(wanted, rows, expected.ordered ?? false);
    if (difference !== undefined) return `${JSON.stringify(difference)}\n${plan.sql}`;
  }
  const names = plan.columns.map(({ name }) => name);
  if (expected.compareNames === true && names.join() !== expected.columns.join()) return `named ${names.join()}`;
  for (const [text, most] of Object.entries(each.planAssertions?.maxCount ?? {})) {
    const count = plan.reads().filter(({ model }) => model === text).length;
    const tables = plan.sql.split(`"${text}" AS`).length - 1;
    if (Math.max(count, tables) > most) return `${text} stands ${tables} times in ${plan.sql}`;
  }
  return undefined;
}

function decimalsByValue({ rows, columnTypes }: Extract<Expected, { type: "rows" }>): ExpectedRows {
  return rows.map((row) =>
    row.map((cell, index) =>
      typeof cell === "string" && columnTypes?.[index]?.startsWith("DECIMAL") ? { decimal: cell } : cell,
    ),
  );
}
