/**
 * The Plan: everything a connector needs to run a query, and everything a caller may ask about it
 * (docs/decisions/0024-plan-as-a-value.md). It is plain data, so it crosses to the sidecar as it is; connectors get it whole and
 * never parse SQL.
 */
import type { PlannerWarning } from "./diagnostics.ts";
import type { PlanCost } from "./plan-budget.ts";
import type { SourceText } from "./syntax/printer.ts";
import type { SqlType } from "./types.ts";
import type { Variant, VariantRange } from "./variant.ts";

/** For rooms that know of the planner nothing but its plans. */
export type { PlannerWarning, SqlType, Variant, VariantRange };

export interface PlanColumn {
  /** The name the caller sees (docs/decisions/0003-names-of-columns.md). Duplicates are legal. */
  readonly name: string;
  readonly type: SqlType;
  readonly nullable: boolean;
}

/** A setting the meaning of the SQL depends on; the connector applies it before the statement or refuses. */
export interface SessionSetting {
  readonly name: string;
  readonly value: string;
  /** The value is a session property of the caller (docs/reference/row-policies.md): it must not outlive the request. */
  readonly ofCaller?: true;
}

/** One physical object that the plan reads. */
export interface PlanRead {
  readonly model: string;
  /** Model columns that the plan needs and its caller may know of, in manifest order. */
  readonly columns: readonly string[];
  /** The physical table; absent when the model is a `refSql`. For file sources `table` is the path. */
  readonly physical: { readonly catalog?: string; readonly schema?: string; readonly table: string } | undefined;
  /**
   * The physical columns that the manifest declares. Present for sources that infer types from their data: they read these
   * columns by the declared types, so that one question has one answer.
   */
  readonly declared?: readonly DeclaredColumn[];
  /**
   * Types of columns that are not declared may be inferred. Absent while an access rule keeps rows or columns of this physical
   * table from the caller: then it has the declared columns alone, because types inferred from restricted rows would show in the
   * others (docs/decisions/0037-files-have-declared-types.md#decision). A reader that does not know the flag therefore reads too
   * little, and never too much.
   */
  readonly infersOthers?: true;
  /** The model's `properties.csv`: how its CSV files are written. The connector checks it. */
  readonly csv?: unknown;
}

/** One use of a physical table. */
export interface Scan {
  /** Names of its columns in the SQL, possibly with others; undefined: any of its columns. */
  readonly columns?: readonly string[];
  /** A row that does not meet all of them has no say in the answer. */
  readonly filters: readonly ScanFilter[];
  /**
   * Present where a row rule of the table is in force: the filters that come from the rule alone. Whatever a caller can
   * observe of the bytes that are read may depend on these, and not on `filters`, which compare rows that the rule excludes.
   */
  readonly ruleFilters?: readonly ScanFilter[];
}

/** The column compares so with one of the values; NULL does not. */
export interface ScanFilter {
  readonly column: string;
  readonly operator: "=" | "<" | "<=" | ">" | ">=";
  /** Several with `=` alone. */
  readonly values: readonly ScanValue[];
}

export type ScanValue =
  | { readonly kind: "boolean"; readonly value: boolean }
  /** Decimal digits, with an exponent at times. */
  | { readonly kind: "number"; readonly text: string }
  /** Texts compare by their code points. */
  | { readonly kind: "text"; readonly text: string }
  /** `YYYY-MM-DD`. */
  | { readonly kind: "date"; readonly text: string }
  /** `YYYY-MM-DD HH:MM:SS[.ffffff]`, in UTC. */
  | { readonly kind: "timestamp"; readonly text: string };

/** A column of a physical table. */
export interface DeclaredColumn {
  readonly name: string;
  readonly type: SqlType;
}

/** Which model columns an output column is computed from, as `model.column`; none that its caller may not know of. */
export interface Lineage {
  readonly column: string;
  readonly sources: readonly string[];
}

export type DescribedKind =
  | "manifest"
  | "model"
  | "column"
  | "relationship"
  | "view"
  | "cube"
  | "measure"
  | "dimension"
  | "time dimension";

/** Texts of the modeller for people and tools, which no plan depends on. */
export interface Annotations {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  /** Number of properties left out: beyond the 64th, or longer than 4096 characters as JSON. */
  readonly propertiesOmitted?: number;
}

/** Description and properties of an object of the manifest. `of`: the model of a column, the cube of a member. */
export interface Description extends Annotations {
  readonly kind: DescribedKind;
  readonly name: string;
  readonly of?: string;
}

export interface Descriptions {
  readonly objects: readonly Description[];
  /** Number of described objects that are left out because the texts together are too long. */
  readonly omitted: number;
}

/** A rule of the manifest that had a say in the plan. */
export interface AppliedRule {
  readonly model: string;
  readonly rule: string;
  /**
   * The rule excludes rows; or restricts a requested column (by name or by `*`); or has no effect, because its optional
   * property is missing.
   */
  readonly effect: "rows" | "column" | "skipped";
}

export interface Plan {
  readonly dialect: string;
  /** The variants that the plan is for, if it uses syntax or semantics that others do not share. */
  readonly variant?: VariantRange;
  readonly sql: string;
  readonly columns: readonly PlanColumn[];
  readonly session: readonly SessionSetting[];
  /** Computed on demand, like the lineage: a plan that is only shown needs neither. */
  readonly reads: () => readonly PlanRead[];
  /**
   * How the SQL uses its physical tables, keyed by lower-case name; only for file sources. It includes restricted
   * columns and values of rules, so it is for connectors and not for callers.
   */
  readonly scans: () => ReadonlyMap<string, readonly Scan[]>;
  /** Whether one side of a join may be filtered by values of the other; only for file sources. */
  readonly joinsMayFilter: () => boolean;
  readonly lineage: () => readonly Lineage[];
  /** Descriptions of the objects that the query uses. */
  readonly descriptions: () => Descriptions;
  readonly warnings: readonly PlannerWarning[];
  /**
   * Access rules withhold rows or columns: the source's error texts may speak of them and are not shown
   * (docs/decisions/0020-row-rules.md).
   */
  readonly restricted: boolean;
  readonly rules: readonly AppliedRule[];
  /** How rows that row rules exclude are kept from what the statement computes. */
  readonly rowRules: RowGuarantee;
  /** Session properties whose values access rules read for this plan, set or not: names in lower case, sorted. */
  readonly ruleProperties: () => readonly string[];
  /** The same statement over the same rows may answer differently at another time: it is not to be kept. */
  readonly volatile: boolean;
  /**
   * Ascending triples (offset in `sql`, start, end in the caller's SQL): text from the offset to the next triple comes
   * from that span. Maps an engine's error position back (`originOf`).
   */
  readonly origins: readonly number[];
  /** Positions of native SQL in `sql`, in order: an engine's error inside one is about the manifest. */
  readonly sourceTexts: readonly SourceText[];
  /** Nodes that were printed and steps that planning took, of those that `PlannerLimits` allow. */
  readonly cost: PlanCost;
}

/** A table that is read, and how much of it must be. */
export interface StatementRead extends PlanRead {
  /** One for each use of the physical table; absent where nothing is known of them. */
  readonly scans?: readonly Scan[];
}

/**
 * `none`: no row rule is in force, or the plan is for no source. `plain`: nothing in the statement can fail. `fenced`: a form that
 * attacks on the engine have proven. `besteffort`: a form that the maker documents, never proven (docs/reference/access-rules.md).
 */
export type RowGuarantee = "none" | "plain" | "fenced" | "besteffort";

/** The part of a plan that a connector needs; catalogue readers build one by hand. */
export interface Statement extends Pick<Plan, "sql" | "columns" | "session" | "variant"> {
  readonly reads: readonly StatementRead[];
  /** Its fences keep expressions off excluded rows: only for engines on which they are proven. `unproven`: for any. */
  readonly fenced?: true | "unproven";
  /** Join filters of an engine that pushes them below LIMIT (DuckDB) are safe; if absent, they may not be. */
  readonly joinsMayFilter?: true;
}

export function statementOf(plan: Plan): Statement {
  const { sql, columns, session, reads, scans, variant } = plan;
  const fenced = plan.rowRules === "fenced" ? true : plan.rowRules === "besteffort" ? ("unproven" as const) : undefined;
  const known = scans();
  const statementReads = reads().map((read): StatementRead => {
    const uses = known.get(read.physical?.table.toLowerCase() ?? "");
    return { ...read, ...(uses !== undefined && { scans: uses }) };
  });
  return {
    sql,
    columns,
    session,
    reads: statementReads,
    ...(fenced !== undefined && { fenced }),
    ...(plan.joinsMayFilter() && { joinsMayFilter: true }),
    ...(variant && { variant }),
  };
}

/** Path segment `{data_source}`: the 17 of the specification, `doris` and `duckdb`. */
export type DataSource =
  | "athena"
  | "bigquery"
  | "canner"
  | "clickhouse"
  | "mssql"
  | "mysql"
  | "oracle"
  | "postgres"
  | "redshift"
  | "snowflake"
  | "trino"
  | "local_file"
  | "s3_file"
  | "minio_file"
  | "gcs_file"
  | "spark"
  | "databricks"
  | "doris"
  | "duckdb";
