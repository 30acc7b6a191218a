/**
 * Every member that an object of a manifest may have, with one line about it. The reader takes only members of this table,
 * the check for unknown members compares a manifest with it, and so must whatever describes the format.
 */

export interface Member {
  readonly holds: Holds;
  readonly description: string;
  /** The format defines the member, and no plan depends on it. */
  readonly ignored?: true;
}

/** A value of the member. `free` is any JSON; a map has names of the modeller's own and lists of texts. */
type Holds =
  | "text"
  | "flag"
  | "integer"
  | "texts"
  | "text or texts"
  | "lists of texts"
  | "map of texts"
  | "free"
  /** An object of this kind, or several of them. */
  | { readonly one: string }
  | { readonly many: string };

const member = (holds: Holds, description: string): Member => ({ holds, description });
const ignored = (holds: Holds, description: string): Member => ({ holds, description, ignored: true });

const ANNOTATIONS = {
  description: ignored("text", "Text for people."),
  properties: ignored("free", "Free annotations of tools."),
} as const;

/** Hints of the retired format for copies of a model's rows. */
const CACHING = {
  cached: ignored("flag", "Whether a copy of the rows may be kept; no copies are kept."),
  refreshTime: ignored("text", "Age at which a copy is renewed, like 30m."),
} as const;

const NAME = member("text", "Name of the object, compared exactly.");
const REQUIRED_PROPERTIES = member({ many: "property" }, "Session properties that the rule reads.");

export const MEMBERS = {
  manifest: {
    $schema: ignored("text", "Address of a JSON Schema for editors."),
    layoutVersion: member("integer", "Version of the format, 1 to 4."),
    catalog: member("text", "First part of the models' full names."),
    schema: member("text", "Second part of the models' full names."),
    dataSource: ignored("text", "Kind of data source; the request's path decides."),
    models: member({ many: "model" }, "Tables of the semantic model."),
    relationships: member({ many: "relationship" }, "How models are joined."),
    views: member({ many: "view" }, "Named queries over models and views."),
    cubes: member({ many: "cube" }, "Measures and dimensions over a model or a view."),
    metrics: member({ many: "metric" }, "Measures by dimensions, of old manifests."),
    cumulativeMetrics: member({ many: "cumulativeMetric" }, "Measures over trailing time, of old manifests."),
    enumDefinitions: member({ many: "enum" }, "Named constants, of old manifests."),
    macros: member({ many: "macro" }, "Texts that expressions may call, of old manifests."),
    dateSpine: member({ one: "dateSpine" }, "Days that cumulative metrics run over."),
    sampleDataFolder: ignored("text", "Where a tool kept sample data."),
    ...ANNOTATIONS,
  },
  model: {
    name: NAME,
    tableReference: member({ one: "tableReference" }, "The physical table behind the model."),
    refSql: member("text", "A SELECT in the source's own SQL, in place of a table."),
    baseObject: member("text", "Another model, view or metric, in place of a table."),
    columns: member({ many: "column" }, "Columns of the model, in the order of `*`."),
    primaryKey: member("text or texts", "Column, or columns, that identify a row."),
    uniqueKeys: member("lists of texts", "Further keys, each a list of columns."),
    rowLevelAccessControls: member({ many: "rowRule" }, "Rules that decide which rows a session sees."),
    dialect: ignored("text", "Language of refSql; it is read as the source's own."),
    ...CACHING,
    ...ANNOTATIONS,
  },
  tableReference: {
    catalog: member("text", "Physical catalog or database."),
    schema: member("text", "Physical schema."),
    table: member("text", "Physical table, or path of a file."),
    ...ANNOTATIONS,
  },
  column: {
    name: NAME,
    type: member("text", "Type name of the data source; of a relationship column, the related model."),
    relationship: member("text", "Relationship that the column follows."),
    isCalculated: member("flag", "Whether the expression is over columns of the model and its relationships."),
    expression: member("text", "SQL that computes the column."),
    notNull: member("flag", "Whether the column never is NULL."),
    isHidden: member("flag", "Whether queries may not name the column."),
    columnLevelAccessControl: member({ one: "columnRule" }, "Rule that decides which sessions see the column."),
    ...ANNOTATIONS,
  },
  rowRule: {
    name: NAME,
    requiredProperties: REQUIRED_PROPERTIES,
    condition: member("text", "Condition over the model's columns, with @name for session properties."),
    ...ANNOTATIONS,
  },
  columnRule: {
    name: NAME,
    requiredProperties: REQUIRED_PROPERTIES,
    operator: member("text", "Comparison of the session property with the threshold."),
    threshold: member({ one: "threshold" }, "Literal as SQL text, or an object of value and dataType."),
    ...ANNOTATIONS,
  },
  property: {
    name: NAME,
    required: member("flag", "Whether the session must have the property."),
    defaultExpr: member("text", "SQL literal that holds where the session lacks an optional property."),
    ...ANNOTATIONS,
  },
  threshold: {
    value: member("text", "The value, without quotes."),
    dataType: member("text", "NUMERIC or STRING."),
  },
  relationship: {
    name: NAME,
    models: member("texts", "The two models, left and right."),
    joinType: member("text", "ONE_TO_ONE, ONE_TO_MANY, MANY_TO_ONE or MANY_TO_MANY, from left to right."),
    condition: member("text", "Condition over columns of both models."),
    manySideSortKeys: ignored({ many: "sortKey" }, "Order of the rows on the many side."),
    ...ANNOTATIONS,
  },
  sortKey: {
    name: NAME,
    ordering: ignored("text", "ASC or DESC."),
    isDescending: ignored("flag", "An older form of ordering."),
    ...ANNOTATIONS,
  },
  view: {
    name: NAME,
    statement: member("text", "One query over models and views."),
    dialect: ignored("text", "Language of the statement; it is the input language."),
    ...ANNOTATIONS,
  },
  cube: {
    name: NAME,
    baseObject: member("text", "Model or view that the cube is computed over."),
    measures: member({ many: "cubeMember" }, "Aggregates of the cube."),
    dimensions: member({ many: "cubeMember" }, "Columns to group and filter by."),
    timeDimensions: member({ many: "cubeMember" }, "Dates and timestamps to group and filter by."),
    hierarchies: member("map of texts", "Levels of drilling down, coarse to fine."),
    ...CACHING,
    ...ANNOTATIONS,
  },
  cubeMember: {
    name: NAME,
    expression: member("text", "SQL over columns of the base; a measure may name other measures."),
    type: member("text", "Type name of the data source."),
    ...ANNOTATIONS,
  },
  metric: {
    name: NAME,
    baseObject: member("text", "Model, view or metric that the metric is computed over."),
    dimension: member({ many: "metricColumn" }, "Columns to group by."),
    measure: member({ many: "metricColumn" }, "Aggregates."),
    timeGrain: member({ many: "timeGrain" }, "Times that roll_up() truncates."),
    ...CACHING,
    ...ANNOTATIONS,
  },
  metricColumn: {
    name: NAME,
    expression: member("text", "SQL over columns of the base."),
    type: ignored("text", "Type name of the data source."),
    relationship: ignored("text", "As of a column; a metric's expression follows paths itself."),
    isCalculated: ignored("flag", "As of a column; a metric's expression is always calculated."),
    notNull: ignored("flag", "Whether the column never is NULL."),
    ...ANNOTATIONS,
  },
  timeGrain: {
    name: NAME,
    refColumn: member("text", "Column of the base."),
    dateParts: member("texts", "Units that may be asked for; any where there are none."),
    ...ANNOTATIONS,
  },
  cumulativeMetric: {
    name: NAME,
    baseObject: member("text", "Model, view or metric that the metric is computed over."),
    measure: member({ one: "cumulativeMeasure" }, "The aggregate."),
    window: member({ one: "window" }, "The time that is accumulated over."),
    ...CACHING,
    ...ANNOTATIONS,
  },
  cumulativeMeasure: {
    name: NAME,
    type: ignored("text", "Type name of the data source."),
    operator: member("text", "Name of the aggregate function."),
    refColumn: member("text", "Column that is aggregated."),
    ...ANNOTATIONS,
  },
  window: {
    name: NAME,
    refColumn: member("text", "Column of the time."),
    timeUnit: member("text", "Length of a period: YEAR to SECOND."),
    start: member("text", "First day."),
    end: member("text", "Last day."),
    ...ANNOTATIONS,
  },
  dateSpine: {
    unit: member("text", "Step between two days."),
    start: member("text", "First day."),
    end: member("text", "Last day."),
    ...ANNOTATIONS,
  },
  enum: {
    name: NAME,
    values: member({ many: "enumValue" }, "The constants."),
    ...ANNOTATIONS,
  },
  enumValue: {
    name: NAME,
    value: member("text", "The literal; the name itself where it is absent."),
    ...ANNOTATIONS,
  },
  macro: {
    name: NAME,
    definition: member("text", "(a: Expression) => body, with {{ a }} in the body."),
    ...ANNOTATIONS,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Member>>>>;

/** A kind of object. */
export type Kind = keyof typeof MEMBERS;

/** What an object of the kind may have. */
export type MemberOf<K extends Kind> = keyof (typeof MEMBERS)[K] & string;

/** The kind as an error calls it. */
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
