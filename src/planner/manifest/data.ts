/** The manifest as data: its objects, with absent members distinguished from empty ones (docs/spec/planner.md#models). */
import type { CumulativeMetricData, DateSpineData } from "../legacy/cumulative-metrics.ts";
import type { EnumData } from "../legacy/enums.ts";
import type { MacroData } from "../legacy/macros.ts";
import type { MetricData } from "../legacy/metrics.ts";
import type { Annotated } from "./annotations.ts";
import type { Entry } from "./entry.ts";
import type { COLUMN_RULE_OPERATORS, JOIN_TYPES } from "./members.ts";
import type { Survey } from "./survey.ts";

export interface ManifestData {
  readonly catalog: string;
  readonly schema: string;
  readonly models: readonly Entry<ModelData>[];
  readonly relationships: readonly Entry<RelationshipData>[];
  readonly views: readonly Entry<ViewData>[];
  readonly metrics: readonly Entry<MetricData>[];
  readonly cumulativeMetrics: readonly Entry<CumulativeMetricData>[];
  readonly dateSpine: DateSpineData | undefined;
  readonly macros: readonly Entry<MacroData>[];
  readonly enums: readonly Entry<EnumData>[];
  readonly cubes: readonly Entry<CubeData>[];
  /** Made on first call. Throws LIMIT_SIZE. */
  readonly survey: () => Survey;
  readonly annotations: Annotated | undefined;
}

export interface ModelData {
  readonly name: string;
  readonly tableReference: TableReference | undefined;
  readonly refSql: string | undefined;
  readonly baseObject: string | undefined;
  readonly columns: readonly ColumnData[];
  readonly primaryKey: readonly string[];
  readonly uniqueKeys: readonly (readonly string[])[];
  readonly rowRules: readonly RowRuleData[];
  readonly annotations: Annotated | undefined;
  /** `properties.csv` as it is in the manifest: only sources of files read it. */
  readonly csv: unknown;
  /** Reading a column of the table may fail: a view, computed columns, an external or federated table. */
  readonly readMayFail: boolean;
}

export interface TableReference {
  readonly catalog?: string;
  readonly schema?: string;
  readonly table: string;
}

export interface ColumnData {
  readonly name: string;
  readonly type: string;
  readonly relationship: string | undefined;
  readonly isCalculated: boolean;
  readonly expression: string | undefined;
  readonly notNull: boolean;
  readonly isHidden: boolean;
  readonly rule: ColumnRuleData | undefined;
  readonly annotations: Annotated | undefined;
}

/** A session property that a rule reads (docs/spec/planner.md#row-rules). */
export interface PropertyData {
  readonly name: string;
  readonly required: boolean;
  /** SQL text of a literal. */
  readonly defaultExpression: string | undefined;
}

export interface RowRuleData {
  readonly name: string;
  readonly properties: readonly PropertyData[];
  /** A condition over the model's columns with `@property` for values. */
  readonly condition: string;
}

export type ColumnRuleOperator = (typeof COLUMN_RULE_OPERATORS)[number];

/** The column is visible to callers whose property compares with the threshold (docs/spec/planner.md#column-rules). */
export interface ColumnRuleData {
  readonly name: string;
  readonly property: PropertyData;
  readonly operator: ColumnRuleOperator;
  /** SQL text of a literal. */
  readonly threshold: string;
}

export type JoinType = (typeof JOIN_TYPES)[number];

export interface RelationshipData {
  readonly name: string;
  readonly models: readonly [string, string];
  readonly joinType: JoinType;
  readonly condition: string;
  readonly annotations: Annotated | undefined;
}

export interface ViewData {
  readonly name: string;
  readonly statement: string;
  readonly annotations: Annotated | undefined;
}

/** A dimension, time dimension or measure of a cube (docs/spec/planner.md#cubes). */
export interface CubeMemberData {
  readonly name: string;
  /** Over columns and paths of the base; in a measure also over other measures. */
  readonly expression: string;
  readonly type: string;
  readonly annotations: Annotated | undefined;
}

export interface CubeData {
  readonly name: string;
  /** A model or a view. */
  readonly baseObject: string;
  readonly measures: readonly CubeMemberData[];
  readonly dimensions: readonly CubeMemberData[];
  readonly timeDimensions: readonly CubeMemberData[];
  readonly hierarchies: readonly HierarchyData[];
  readonly annotations: Annotated | undefined;
}

export interface HierarchyData {
  readonly name: string;
  /** Dimensions or time dimensions, coarse to fine. */
  readonly levels: readonly string[];
}
