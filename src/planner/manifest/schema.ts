/**
 * The manifest as data (planner.md §1), read with the tolerance its format promises: unknown members are ignored,
 * booleans may be 0/1, `null` and `""` count as absent. A member of a wrong type raises MANIFEST_SCHEMA with its path.
 */
import { PlannerError } from "../diagnostics.ts";
import { type CumulativeMetricData, type DateSpineData, DEFAULT_SPINE } from "../legacy/cumulative-metrics.ts";
import type { EnumData } from "../legacy/enums.ts";
import type { MacroData } from "../legacy/macros.ts";
import type { MetricColumnData, MetricData } from "../legacy/metrics.ts";

export interface ManifestData {
  readonly catalog: string;
  readonly schema: string;
  readonly models: readonly Readable<ModelData>[];
  readonly relationships: readonly Readable<RelationshipData>[];
  readonly views: readonly Readable<ViewData>[];
  readonly metrics: readonly Readable<MetricData>[];
  readonly cumulativeMetrics: readonly Readable<CumulativeMetricData>[];
  readonly dateSpine: DateSpineData | undefined;
  readonly macros: readonly Readable<MacroData>[];
  readonly enums: readonly Readable<EnumData>[];
  readonly cubes: readonly Readable<CubeData>[];
}

/** An object of the manifest, or what is wrong with it: raised only when a query depends on it. */
export type Readable<T> =
  | { readonly name: string; readonly data: T }
  | { readonly name: string; readonly problem: PlannerError };

export interface ModelData {
  readonly name: string;
  readonly tableReference: TableReference | undefined;
  readonly refSql: string | undefined;
  readonly baseObject: string | undefined;
  readonly columns: readonly ColumnData[];
  readonly primaryKey: readonly string[];
  readonly uniqueKeys: readonly (readonly string[])[];
  readonly rowRules: readonly RowRuleData[];
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
}

/** A session property that a rule reads (planner.md §1.6). */
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

export type ColumnRuleOperator =
  | "EQUALS"
  | "NOT_EQUALS"
  | "GREATER_THAN"
  | "LESS_THAN"
  | "GREATER_THAN_OR_EQUALS"
  | "LESS_THAN_OR_EQUALS";

/** The column is seen by those whose property compares with the threshold (planner.md §1.7). */
export interface ColumnRuleData {
  readonly name: string;
  readonly property: PropertyData;
  readonly operator: ColumnRuleOperator;
  /** SQL text of a literal. */
  readonly threshold: string;
}

export type JoinType = "ONE_TO_ONE" | "ONE_TO_MANY" | "MANY_TO_ONE" | "MANY_TO_MANY";

export interface RelationshipData {
  readonly name: string;
  readonly models: readonly [string, string];
  readonly joinType: JoinType;
  readonly condition: string;
}

export interface ViewData {
  readonly name: string;
  readonly statement: string;
}

/** A dimension, time dimension or measure of a cube (planner.md §1.8). */
export interface CubeMemberData {
  readonly name: string;
  /** Over columns and paths of the base; in a measure also over other measures. */
  readonly expression: string;
  readonly type: string;
}

export interface CubeData {
  readonly name: string;
  /** A model or a view. */
  readonly baseObject: string;
  readonly measures: readonly CubeMemberData[];
  readonly dimensions: readonly CubeMemberData[];
  readonly timeDimensions: readonly CubeMemberData[];
  readonly hierarchies: readonly HierarchyData[];
}

export interface HierarchyData {
  readonly name: string;
  /** Dimensions or time dimensions, coarse to fine. */
  readonly levels: readonly string[];
}

/** Highest `layoutVersion` understood (decisions P15). */
const LAYOUT_VERSION = 4;

export function readManifest(json: unknown): ManifestData {
  const root = new Reader(json, "manifest").object();
  const version = root.member("layoutVersion").optionalInteger() ?? 1;
  if (version > LAYOUT_VERSION) {
    throw new PlannerError(
      "MANIFEST_LAYOUT_VERSION",
      `the manifest requires layout version ${version}, this service supports up to ${LAYOUT_VERSION}`,
    );
  }
  return {
    catalog: root.member("catalog").string(),
    schema: root.member("schema").string(),
    models: root.member("models").list((item) => attempt(item, readModel)),
    relationships: root.member("relationships").list((item) => attempt(item, readRelationship)),
    views: root.member("views").list((item) => attempt(item, readView)),
    metrics: root.member("metrics").list((item) => attempt(item, readMetric)),
    cumulativeMetrics: root.member("cumulativeMetrics").list((item) => attempt(item, readCumulativeMetric)),
    dateSpine: root.member("dateSpine").isAbsent() ? undefined : readDateSpine(root.member("dateSpine")),
    macros: root.member("macros").list((item) => attempt(item, readMacro)),
    enums: root.member("enumDefinitions").list((item) => attempt(item, readEnum)),
    cubes: root.member("cubes").list((item) => attempt(item, readCube)),
  };
}

function attempt<T>(reader: Reader, read: (reader: Reader) => T): Readable<T> {
  const name = reader.object().member("name").string();
  try {
    return { name, data: read(reader) };
  } catch (error) {
    if (error instanceof PlannerError) return { name, problem: error };
    throw error;
  }
}

function readView(reader: Reader): ViewData {
  const view = reader.object();
  return { name: view.member("name").string(), statement: view.member("statement").string() };
}

function readMetric(reader: Reader): MetricData {
  const metric = reader.object();
  const column = (item: Reader): MetricColumnData => {
    const data = item.object();
    return { name: data.member("name").string(), expression: data.member("expression").optionalString() };
  };
  return {
    name: metric.member("name").string(),
    baseObject: metric.member("baseObject").string(),
    dimensions: metric.member("dimension").list(column),
    measures: metric.member("measure").list(column),
    timeGrains: metric.member("timeGrain").list((item) => {
      const grain = item.object();
      return {
        name: grain.member("name").string(),
        refColumn: grain.member("refColumn").string(),
        dateParts: grain.member("dateParts").list((part) => part.string().toUpperCase()),
      };
    }),
  };
}

function readCumulativeMetric(reader: Reader): CumulativeMetricData {
  const metric = reader.object();
  const measure = metric.member("measure").object();
  const window = metric.member("window").object();
  return {
    name: metric.member("name").string(),
    baseObject: metric.member("baseObject").string(),
    measure: {
      name: measure.member("name").string(),
      operator: measure.member("operator").string(),
      refColumn: measure.member("refColumn").string(),
    },
    window: {
      name: window.member("name").string(),
      refColumn: window.member("refColumn").string(),
      timeUnit: window.member("timeUnit").string(),
      start: window.member("start").string(),
      end: window.member("end").string(),
    },
  };
}

function readDateSpine(reader: Reader): DateSpineData {
  const spine = reader.object();
  return {
    unit: spine.member("unit").optionalString() ?? DEFAULT_SPINE.unit,
    start: spine.member("start").optionalString() ?? DEFAULT_SPINE.start,
    end: spine.member("end").optionalString() ?? DEFAULT_SPINE.end,
  };
}

function readMacro(reader: Reader): MacroData {
  const macro = reader.object();
  return { name: macro.member("name").string(), definition: macro.member("definition").string() };
}

function readEnum(reader: Reader): EnumData {
  const data = reader.object();
  return {
    name: data.member("name").string(),
    values: data.member("values").list((item) => {
      const value = item.object();
      return { name: value.member("name").string(), value: value.member("value").optionalString() };
    }),
  };
}

function readCube(reader: Reader): CubeData {
  const cube = reader.object();
  const hierarchies = cube.member("hierarchies");
  return {
    name: cube.member("name").string(),
    baseObject: cube.member("baseObject").string(),
    measures: cube.member("measures").list(readCubeMember),
    dimensions: cube.member("dimensions").list(readCubeMember),
    timeDimensions: cube.member("timeDimensions").list(readCubeMember),
    hierarchies: hierarchies.isAbsent()
      ? []
      : hierarchies.entries().map(([name, levels]) => ({ name, levels: levels.list((level) => level.string()) })),
  };
}

function readCubeMember(reader: Reader): CubeMemberData {
  const member = reader.object();
  return {
    name: member.member("name").string(),
    expression: member.member("expression").string(),
    type: member.member("type").optionalString() ?? "",
  };
}

function readModel(reader: Reader): ModelData {
  const model = reader.object();
  const table = model.member("tableReference");
  const key = model.member("primaryKey");
  return {
    name: model.member("name").string(),
    tableReference: table.isAbsent() ? undefined : readTableReference(table),
    refSql: model.member("refSql").optionalString(),
    baseObject: model.member("baseObject").optionalString(),
    columns: model.member("columns").requiredList(readColumn),
    primaryKey: key.isAbsent() ? [] : key.isText() ? [key.string()] : key.list((item) => item.string()),
    uniqueKeys: model.member("uniqueKeys").list((keys) => keys.list((item) => item.string())),
    rowRules: model.member("rowLevelAccessControls").list(readRowRule),
  };
}

function readTableReference(reader: Reader): TableReference | undefined {
  const reference = reader.object();
  const catalog = reference.member("catalog").optionalString();
  const schema = reference.member("schema").optionalString();
  const table = reference.member("table").optionalString();
  if (table === undefined) return undefined;
  return { ...(catalog === undefined ? {} : { catalog }), ...(schema === undefined ? {} : { schema }), table };
}

function readColumn(reader: Reader): ColumnData {
  const column = reader.object();
  const rule = column.member("columnLevelAccessControl");
  return {
    name: column.member("name").string(),
    type: column.member("type").string(),
    relationship: column.member("relationship").optionalString(),
    isCalculated: column.member("isCalculated").flag(),
    expression: column.member("expression").optionalString(),
    notNull: column.member("notNull").flag(),
    isHidden: column.member("isHidden").flag(),
    rule: rule.isAbsent() ? undefined : readColumnRule(rule),
  };
}

function readRowRule(reader: Reader): RowRuleData {
  const rule = reader.object();
  return {
    name: rule.member("name").string(),
    properties: rule.member("requiredProperties").list(readProperty),
    condition: rule.member("condition").string(),
  };
}

function readProperty(reader: Reader): PropertyData {
  const property = reader.object();
  return {
    name: property.member("name").string(),
    required: property.member("required").flag(),
    defaultExpression: property.member("defaultExpr").optionalString(),
  };
}

const OPERATORS: readonly ColumnRuleOperator[] = [
  "EQUALS",
  "NOT_EQUALS",
  "GREATER_THAN",
  "LESS_THAN",
  "GREATER_THAN_OR_EQUALS",
  "LESS_THAN_OR_EQUALS",
];

function readColumnRule(reader: Reader): ColumnRuleData {
  const rule = reader.object();
  const properties = rule.member("requiredProperties").list(readProperty);
  const [property] = properties;
  if (property === undefined || properties.length !== 1) {
    throw rule.member("requiredProperties").error("must name exactly one property");
  }
  const written = rule.member("operator").string().toUpperCase();
  const operator = OPERATORS.find((candidate) => candidate === written);
  if (operator === undefined) throw rule.member("operator").error(`must be one of ${OPERATORS.join(", ")}`);
  return { name: rule.member("name").string(), property, operator, threshold: readThreshold(rule.member("threshold")) };
}

/** Text in SQL form, or `{ value, dataType }` with the value alone; both are written by tools (decisions, planner.md §1.7). */
function readThreshold(reader: Reader): string {
  if (reader.isText()) return reader.string();
  const threshold = reader.object();
  const value = threshold.member("value").string();
  const dataType = threshold.member("dataType").string().toUpperCase();
  if (dataType === "NUMERIC") return value;
  if (dataType === "STRING") return `'${value.replaceAll("'", "''")}'`;
  throw threshold.member("dataType").error("must be NUMERIC or STRING");
}

const JOIN_TYPES: readonly JoinType[] = ["ONE_TO_ONE", "ONE_TO_MANY", "MANY_TO_ONE", "MANY_TO_MANY"];

function readRelationship(reader: Reader): RelationshipData {
  const relationship = reader.object();
  const models = relationship.member("models").list((item) => item.string());
  const [left, right] = models;
  if (left === undefined || right === undefined || models.length !== 2) {
    throw relationship.member("models").error("must name exactly two models");
  }
  const joinType = relationship.member("joinType").string();
  const known = JOIN_TYPES.find((candidate) => candidate === joinType.toUpperCase());
  if (known === undefined) {
    throw new PlannerError("MANIFEST_SCHEMA", `Unknown relationship type: ${joinType}`, {
      hint: relationship.member("joinType").error(`must be one of ${JOIN_TYPES.join(", ")}.`).message,
    });
  }
  return {
    name: relationship.member("name").string(),
    models: [left, right],
    joinType: known,
    condition: relationship.member("condition").string(),
  };
}

/** One JSON value and the path to it, which every complaint names. */
class Reader {
  readonly #value: unknown;
  readonly #path: string;

  constructor(value: unknown, path: string) {
    this.#value = value;
    this.#path = path;
  }

  error(problem: string): PlannerError {
    return new PlannerError("MANIFEST_SCHEMA", `${this.#path} ${problem}`);
  }

  isAbsent(): boolean {
    return this.#value === undefined || this.#value === null || this.#value === "";
  }

  isText(): boolean {
    return typeof this.#value === "string";
  }

  object(): ObjectReader {
    const value = this.#value;
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw this.error("must be an object");
    return new ObjectReader(value as Readonly<Record<string, unknown>>, this.#path);
  }

  /** The members of an object by name, in their order. */
  entries(): readonly (readonly [string, Reader])[] {
    this.object();
    return Object.entries(this.#value as Readonly<Record<string, unknown>>).map(
      ([name, value]) => [name, new Reader(value, `${this.#path}.${name}`)] as const,
    );
  }

  string(): string {
    if (this.#value === undefined || this.#value === null) throw this.error("is missing");
    if (typeof this.#value !== "string") throw this.error("must be a string");
    checkText(this.#value, this);
    return this.#value;
  }

  optionalString(): string | undefined {
    return this.isAbsent() ? undefined : this.string();
  }

  flag(): boolean {
    switch (this.#value) {
      case undefined:
      case null:
      case "":
      case false:
      case 0:
        return false;
      case true:
      case 1:
        return true;
      default:
        throw this.error("must be true or false");
    }
  }

  optionalInteger(): number | undefined {
    if (this.isAbsent()) return undefined;
    if (!Number.isInteger(this.#value)) throw this.error("must be an integer");
    return this.#value as number;
  }

  list<T>(read: (item: Reader) => T): readonly T[] {
    return this.isAbsent() ? [] : this.requiredList(read);
  }

  requiredList<T>(read: (item: Reader) => T): readonly T[] {
    if (this.isAbsent()) throw this.error("is missing");
    if (!Array.isArray(this.#value)) throw this.error("must be an array");
    return this.#value.map((item, index) => read(new Reader(item, `${this.#path}[${index}]`)));
  }
}

class ObjectReader {
  readonly #value: Readonly<Record<string, unknown>>;
  readonly #path: string;

  constructor(value: Readonly<Record<string, unknown>>, path: string) {
    this.#value = value;
    this.#path = path;
  }

  member(name: string): Reader {
    return new Reader(Object.hasOwn(this.#value, name) ? this.#value[name] : undefined, `${this.#path}.${name}`);
  }
}

/** NUL ends strings in C libraries, lone surrogates have no UTF-8: neither may reach a source inside a name. */
function checkText(text: string, reader: Reader): void {
  if (text.includes("\u0000")) throw reader.error("holds a NUL character");
  if (!text.isWellFormed()) throw reader.error("holds half a surrogate pair");
}
