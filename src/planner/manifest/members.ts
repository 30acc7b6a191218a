/**
 * The members of every object of a manifest, each with a description, an example and its bounds. This table drives the reader,
 * the check for unknown members (`survey.ts`) and the JSON Schema (`json-schema.ts`), from which docs/manifest.md is printed.
 */

export interface Member {
  readonly holds: Holds;
  readonly description: string;
  /** A JSON value. Absent for objects, whose own members have examples. */
  readonly example?: unknown;
  /** The object is invalid without the member. */
  readonly required?: true;
  /** The only texts allowed, in capitals; the reader ignores case. */
  readonly values?: readonly string[];
  /** Exact length of a list. */
  readonly length?: number;
  /** Largest integer. */
  readonly maximum?: number;
  /** The format defines the member, and no plan depends on it. */
  readonly ignored?: true;
  /** Callers can read the member, although no plan depends on it. */
  readonly returned?: true;
}

/** The JSON type of a member. `free` is any JSON; a map has the modeller's own names and lists of texts. */
export type Holds =
  | "text"
  | "flag"
  | "integer"
  | "texts"
  | "text or texts"
  | "lists of texts"
  | "map of texts"
  | "free"
  /** An object of this kind, a text or such an object, or a list of such objects. */
  | { readonly one: string; readonly orText?: true }
  | { readonly many: string };

export const JOIN_TYPES = ["ONE_TO_ONE", "ONE_TO_MANY", "MANY_TO_ONE", "MANY_TO_MANY"] as const;
export const COLUMN_RULE_OPERATORS = [
  "EQUALS",
  "NOT_EQUALS",
  "GREATER_THAN",
  "LESS_THAN",
  "GREATER_THAN_OR_EQUALS",
  "LESS_THAN_OR_EQUALS",
] as const;
export const THRESHOLD_TYPES = ["NUMERIC", "STRING"] as const;

type Bounds = Pick<Member, "length" | "maximum">;

/** The highest `layoutVersion` that the reader understands. */
export const LAYOUT_VERSION = 4;

const member = (holds: Holds, description: string, example?: unknown, bounds: Bounds = {}): Member => ({
  holds,
  description,
  ...(example === undefined ? {} : { example }),
  ...bounds,
});
const required = (holds: Holds, description: string, example?: unknown, bounds?: Bounds): Member => ({
  ...member(holds, description, example, bounds),
  required: true,
});
const oneOf = (description: string, values: readonly string[], example: string): Member => ({
  ...required("text", description, example),
  values,
});
const ignored = (holds: Holds, description: string, example?: unknown): Member => ({
  ...member(holds, description, example),
  ignored: true,
});

const returned = (holds: Holds, description: string, example: unknown): Member => ({
  ...ignored(holds, description, example),
  returned: true,
});

/** No plan depends on these; callers read them (`annotations.ts`). */
const ANNOTATIONS = {
  description: returned(
    "text",
    "Text for people. `explain` returns it, up to 4096 characters.",
    "One row per order line.",
  ),
  properties: returned(
    "free",
    "Annotations: any names and values. `explain` returns up to 64 of them, each up to 4096 characters as JSON.",
    { owner: "sales" },
  ),
} as const;

/** The same for objects that nothing returns to callers. */
const IGNORED_ANNOTATIONS = {
  description: ignored("text", "Text for people.", "One row per order line."),
  properties: ignored("free", "Annotations of other tools: any names and values.", { owner: "sales" }),
} as const;

/** Hints of the retired format for copies of a model's rows. */
const CACHING = {
  cached: ignored("flag", "Whether a tool may keep a copy of the rows. Siskin keeps no copies.", false),
  refreshTime: ignored("text", "Age at which such a copy is renewed.", "30m"),
} as const;

const NAME = required("text", "Name of the object. Quoted names in SQL must match it exactly.", "orders");
const TYPE = "Type name of the data source";
const REQUIRED_PROPERTIES = "Session properties that the rule reads.";
const UNITS = "YEAR, QUARTER, MONTH, WEEK, DAY, HOUR, MINUTE or SECOND";

export const MEMBERS = {
  manifest: {
    $schema: ignored("text", "Address of this JSON Schema, for editors.", "./manifest.schema.json"),
    layoutVersion: member("integer", "Version of the format, 1 to 4. Without it the version is 1.", 4, {
      maximum: LAYOUT_VERSION,
    }),
    catalog: required("text", "First part of the full name of every model: `catalog.schema.model`.", "shop"),
    schema: required("text", "Second part of the full name of every model.", "public"),
    dataSource: ignored("text", "Kind of data source. The path of the request decides instead.", "POSTGRES"),
    models: member({ many: "model" }, "Tables of the semantic model."),
    relationships: member({ many: "relationship" }, "Joins between two models, which columns and paths follow."),
    views: member({ many: "view" }, "Named queries over models and other views."),
    cubes: member({ many: "cube" }, "Measures and dimensions over a model or a view."),
    metrics: member({ many: "metric" }, "Measures by dimensions, of older manifests. New manifests use cubes."),
    cumulativeMetrics: member({ many: "cumulativeMetric" }, "Measures over a trailing period, of older manifests."),
    enumDefinitions: member({ many: "enum" }, "Named constants: `Status.OPEN` in SQL, of older manifests."),
    macros: member({ many: "macro" }, "Text templates that expressions call, of older manifests."),
    dateSpine: member({ one: "dateSpine" }, "Days that cumulative metrics run over."),
    sampleDataFolder: ignored("text", "Directory where a tool keeps sample data.", "samples"),
    ...ANNOTATIONS,
  },
  model: {
    name: NAME,
    tableReference: member(
      { one: "tableReference" },
      "Physical table of the model. A model has exactly one of tableReference, refSql and baseObject.",
    ),
    refSql: member(
      "text",
      "SELECT statement in the SQL of the data source, in place of a table. Siskin sends it as it is.",
      "SELECT id, total FROM raw.orders WHERE NOT deleted",
    ),
    baseObject: member("text", "Another model, view or metric, in place of a table.", "all_orders"),
    columns: required({ many: "column" }, "Columns of the model, in the order of `SELECT *`."),
    primaryKey: member("text or texts", "Column, or list of columns, that identifies a row.", "id"),
    uniqueKeys: member("lists of texts", "Further keys, each a list of columns.", [["number", "year"]]),
    rowLevelAccessControls: member(
      { many: "rowRule" },
      "Conditions that decide which rows a session sees. A row must satisfy all of them.",
    ),
    readMayFail: member(
      "flag",
      "Whether reading a column can fail: a view that computes, computed columns, an external or a federated table.",
      true,
    ),
    dialect: ignored("text", "Language of refSql. Siskin takes it as the SQL of the data source.", "POSTGRES"),
    ...CACHING,
    ...ANNOTATIONS,
    properties: {
      ...member(
        "free",
        "Annotations: any names and values, which `explain` returns. Siskin reads `csv`: options of the model's CSV files.",
        { csv: { encoding: "latin-1", delimiter: ";" } },
      ),
      returned: true,
    },
  },
  tableReference: {
    catalog: member("text", "Physical catalog, database or project.", "shop"),
    schema: member("text", "Physical schema or dataset.", "public"),
    table: required("text", "Physical table. For files: a path, or a pattern such as `orders/*.parquet`.", "orders"),
    ...IGNORED_ANNOTATIONS,
  },
  column: {
    name: { ...NAME, example: "total" },
    type: required(
      "text",
      `${TYPE}. For a column with a relationship: the name of the related model.`,
      "DECIMAL(12,2)",
    ),
    relationship: member(
      "text",
      "Relationship that the column follows: `customer.name` in SQL joins the related model.",
      "orders_customer",
    ),
    isCalculated: member(
      "flag",
      "true: `expression` is SQL over columns of this model and of related models. false: it is SQL of the data source.",
      true,
    ),
    expression: member("text", "SQL that computes the column.", "price * quantity"),
    notNull: member("flag", "true: the column is never NULL. Siskin believes it.", true),
    isHidden: member("flag", "true: queries cannot name the column; expressions of the manifest can.", true),
    columnLevelAccessControl: member({ one: "columnRule" }, "Rule that decides which sessions can name the column."),
    ...ANNOTATIONS,
  },
  rowRule: {
    name: { ...NAME, example: "own_region" },
    requiredProperties: member({ many: "property" }, REQUIRED_PROPERTIES),
    condition: required(
      "text",
      "Condition over columns of the model. `@name` is a session property.",
      "region = @region",
    ),
    ...IGNORED_ANNOTATIONS,
  },
  columnRule: {
    name: { ...NAME, example: "managers_only" },
    requiredProperties: required(
      { many: "property" },
      `${REQUIRED_PROPERTIES} A column rule reads exactly one.`,
      undefined,
      {
        length: 1,
      },
    ),
    operator: oneOf(
      "Comparison between the session property and the threshold.",
      COLUMN_RULE_OPERATORS,
      "GREATER_THAN_OR_EQUALS",
    ),
    threshold: required(
      { one: "threshold", orText: true },
      "Literal that the property is compared with, as SQL text (`3`, `'boss'`) or as an object.",
      "3",
    ),
    ...IGNORED_ANNOTATIONS,
  },
  property: {
    name: { ...NAME, example: "region" },
    required: member("flag", "true: a session without the property is refused. false: the rule is skipped.", true),
    defaultExpr: member("text", "SQL literal that stands in where the session lacks the property.", "'none'"),
    ...IGNORED_ANNOTATIONS,
  },
  threshold: {
    value: required("text", "The value, without quotes.", "3"),
    dataType: oneOf("Type of the value.", THRESHOLD_TYPES, "NUMERIC"),
  },
  relationship: {
    name: { ...NAME, example: "orders_customer" },
    models: required("texts", "The two models, left and right.", ["orders", "customer"], { length: 2 }),
    joinType: oneOf("Number of rows on each side, from left to right.", JOIN_TYPES, "MANY_TO_ONE"),
    condition: required(
      "text",
      "Condition over columns of both models, each qualified by its model.",
      "orders.customer_id = customer.id",
    ),
    manySideSortKeys: ignored({ many: "sortKey" }, "Order of the rows on the many side."),
    ...ANNOTATIONS,
  },
  sortKey: {
    name: ignored("text", "Column of the many side.", "ordered_at"),
    ordering: ignored("text", "ASC or DESC.", "DESC"),
    isDescending: ignored("flag", "Older form of `ordering`.", true),
    ...IGNORED_ANNOTATIONS,
  },
  view: {
    name: { ...NAME, example: "open_orders" },
    statement: required("text", "One query over models and views.", "SELECT * FROM orders WHERE status = 'open'"),
    dialect: ignored("text", "Language of the statement. Siskin takes it as its input language.", "POSTGRES"),
    ...ANNOTATIONS,
  },
  cube: {
    name: { ...NAME, example: "sales" },
    baseObject: required("text", "Model or view that the cube is computed over.", "orders"),
    measures: member({ many: "cubeMember" }, "Aggregates of the cube."),
    dimensions: member({ many: "cubeMember" }, "Columns to group and filter by."),
    timeDimensions: member({ many: "cubeMember" }, "Dates and timestamps to group and filter by."),
    hierarchies: member("map of texts", "Levels for drilling down, coarse to fine: dimensions and time dimensions.", {
      place: ["country", "city"],
    }),
    ...CACHING,
    ...ANNOTATIONS,
  },
  cubeMember: {
    name: { ...NAME, example: "revenue" },
    expression: required("text", "SQL over columns of the base. A measure may also name other measures.", "sum(total)"),
    type: member("text", `${TYPE}. The expression is converted to it.`, "DECIMAL(12,2)"),
    ...ANNOTATIONS,
  },
  metric: {
    name: { ...NAME, example: "revenue_by_day" },
    baseObject: required("text", "Model, view or metric that the metric is computed over.", "orders"),
    dimension: member({ many: "metricColumn" }, "Columns to group by."),
    measure: member({ many: "metricColumn" }, "Aggregates."),
    timeGrain: member({ many: "timeGrain" }, "Times that `roll_up()` truncates."),
    ...CACHING,
    ...IGNORED_ANNOTATIONS,
  },
  metricColumn: {
    name: { ...NAME, example: "revenue" },
    expression: member(
      "text",
      "SQL over columns of the base. Without it: the base's column of this name.",
      "sum(total)",
    ),
    type: ignored("text", `${TYPE}.`, "DECIMAL(12,2)"),
    relationship: ignored("text", "A metric's expression follows paths without it.", "orders_customer"),
    isCalculated: ignored("flag", "A metric's expression is always calculated.", true),
    notNull: ignored("flag", "Whether the column is never NULL.", true),
    ...IGNORED_ANNOTATIONS,
  },
  timeGrain: {
    name: { ...NAME, example: "ordered_at" },
    refColumn: required("text", "Column of the base.", "ordered_at"),
    dateParts: member("texts", `Units that queries may ask for: ${UNITS}. Without it: any.`, ["DAY", "MONTH"]),
    ...IGNORED_ANNOTATIONS,
  },
  cumulativeMetric: {
    name: { ...NAME, example: "weekly_revenue" },
    baseObject: required("text", "Model, view or metric that the metric is computed over.", "orders"),
    measure: required({ one: "cumulativeMeasure" }, "The aggregate."),
    window: required({ one: "window" }, "The period of each row."),
    ...CACHING,
    ...IGNORED_ANNOTATIONS,
  },
  cumulativeMeasure: {
    name: { ...NAME, example: "revenue" },
    type: ignored("text", `${TYPE}.`, "DECIMAL(12,2)"),
    operator: required("text", "Name of the aggregate function.", "sum"),
    refColumn: required("text", "Column that is aggregated.", "total"),
    ...IGNORED_ANNOTATIONS,
  },
  window: {
    name: { ...NAME, example: "week" },
    refColumn: required("text", "Column with the time of a row.", "ordered_at"),
    timeUnit: required("text", `Length of a period: ${UNITS}.`, "WEEK"),
    start: required("text", "First day.", "2026-01-01"),
    end: required("text", "Last day.", "2026-12-31"),
    ...IGNORED_ANNOTATIONS,
  },
  dateSpine: {
    unit: member("text", `Step between two rows: ${UNITS}.`, "DAY"),
    start: member("text", "First day.", "2026-01-01"),
    end: member("text", "Last day.", "2026-12-31"),
    ...IGNORED_ANNOTATIONS,
  },
  enum: {
    name: { ...NAME, example: "Status" },
    values: member({ many: "enumValue" }, "The constants."),
    ...IGNORED_ANNOTATIONS,
  },
  enumValue: {
    name: { ...NAME, example: "OPEN" },
    value: member("text", "The literal. Without it: the name itself.", "open"),
    ...IGNORED_ANNOTATIONS,
  },
  macro: {
    name: { ...NAME, example: "per_unit" },
    definition: required(
      "text",
      "`(parameter: Expression, …) => body`, with `{{ parameter }}` in the body.",
      "(a: Expression) => {{ a }} / quantity",
    ),
    ...IGNORED_ANNOTATIONS,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Member>>>>;

/** A kind of object. */
export type Kind = keyof typeof MEMBERS;

/** The names of the members of a kind. */
export type MemberOf<K extends Kind> = keyof (typeof MEMBERS)[K] & string;

/** The name of a kind in errors and documents, with its article. */
export const CALLED: Readonly<Record<Kind, string>> = {
  manifest: "the manifest",
  model: "a model",
  tableReference: "a tableReference",
  column: "a column",
  rowRule: "a row rule",
  columnRule: "a column rule",
  property: "a required property",
  threshold: "a threshold",
  relationship: "a relationship",
  sortKey: "a sort key",
  view: "a view",
  cube: "a cube",
  cubeMember: "a measure or dimension of a cube",
  metric: "a metric",
  metricColumn: "a column of a metric",
  timeGrain: "a time grain",
  cumulativeMetric: "a cumulative metric",
  cumulativeMeasure: "a measure of a cumulative metric",
  window: "a window",
  dateSpine: "the date spine",
  enum: "an enum",
  enumValue: "a value of an enum",
  macro: "a macro",
};
