/** Schemas of request bodies and answers: bodies are checked with them, and the OpenAPI document is generated from them. */
import * as z from "zod/mini";
import { once } from "../once.ts";
import { SEARCH_KINDS } from "../service/projects/search.ts";

export type Schema<T extends z.ZodMiniType = z.ZodMiniType> = () => T;

const record = once(() => z.record(z.string(), z.unknown()));

const sql = once(() => z.string().check(z.describe("One SELECT statement over the models of the manifest.")));
const manifestStr = once(() => z.string().check(z.describe("Base64 of the manifest's JSON.")));
const connectionFields = once(() => ({
  connectionInfo: z
    .nullish(record())
    .check(
      z.describe(
        "Connection of the data source; its members depend on the kind of source. Or {name} of one that the operator has configured.",
      ),
    ),
  connectionFilePath: z.nullish(z.string()).check(z.describe("Name of a connection that the operator has configured.")),
}));
const sessionProperties = once(() =>
  z
    .nullish(z.record(z.string(), z.string()))
    .check(z.describe("Session properties, as texts of SQL literals. They win over headers of the same name.")),
);

/** The planner reads the values and reports errors with their position. */
const parameters = once(() =>
  z
    .nullish(z.array(z.unknown()))
    .check(
      z.describe(
        'Values for $1, $2 … in the SQL: texts, numbers, true, false, null, lists, or {"type", "value"}. In a structured query {"parameter": 1} stands for the first.',
      ),
    ),
);

const columnDtypes = once(() =>
  z.nullish(z.record(z.string(), z.string())).check(z.describe("Column name → type it is converted to.")),
);

export const queryBody = once(() =>
  z.object({
    sql: sql(),
    parameters: parameters(),
    manifestStr: manifestStr(),
    ...connectionFields(),
    columnDtypes: columnDtypes(),
    sessionProperties: sessionProperties(),
  }),
);

export const dryPlanBody = once(() =>
  z.object({
    sql: sql(),
    parameters: parameters(),
    manifestStr: manifestStr(),
    sessionProperties: sessionProperties(),
  }),
);

export const validateBody = once(() =>
  z.object({
    manifestStr: manifestStr(),
    parameters: record().check(z.describe("Keys depend on the rule.")),
    ...connectionFields(),
    sessionProperties: sessionProperties(),
  }),
);

const projectFields = once(() => ({
  sessionProperties: sessionProperties(),
  viewAs: z
    .nullish(record())
    .check(
      z.describe(
        "Session properties of another caller, with their values: the answer is what that caller would get. Needs the scope siskin:view-as.",
      ),
    ),
}));
const rowLimit = once(() =>
  z.nullish(z.int().check(z.minimum(0))).check(z.describe("Most rows of the answer, pushed into the SQL.")),
);

export const projectQueryBody = once(() =>
  z.object({
    sql: sql(),
    parameters: parameters(),
    limit: rowLimit(),
    columnDtypes: columnDtypes(),
    ...projectFields(),
  }),
);
export const projectPlanBody = once(() => z.object({ sql: sql(), parameters: parameters(), ...projectFields() }));
export const projectCubeBody = once(() =>
  z.object({
    cube: record().check(z.describe(STRUCTURED_QUERY)),
    parameters: parameters(),
    limit: rowLimit(),
    columnDtypes: columnDtypes(),
    ...projectFields(),
  }),
);
export const projectValuesBody = once(() =>
  z.object({
    column: z.string().check(z.describe("A column as model.column.")),
    term: z.nullish(z.string().check(z.maxLength(500))).check(z.describe("Only values that contain it, in any case.")),
    limit: z.nullish(z.int().check(z.minimum(1), z.maximum(100))).check(z.describe("Most values; 100 without it.")),
    ...projectFields(),
  }),
);
export const projectSearchBody = once(() =>
  z.object({
    question: z.nullish(z.string().check(z.maxLength(500))).check(z.describe("Words to look for.")),
    within: z.nullish(z.string()).check(z.describe("A model or a cube.")),
    kinds: z.nullish(z.array(z.enum(SEARCH_KINDS))),
    limit: z.nullish(z.int().check(z.minimum(1), z.maximum(50))).check(z.describe("Most matches; 10 without it.")),
    ...projectFields(),
  }),
);
export const projectValidateBody = once(() =>
  z.object({ parameters: record().check(z.describe("Keys depend on the rule.")), ...projectFields() }),
);

export const projectsAnswer = once(() =>
  z.object({
    projects: z.array(
      z.object({
        name: text(),
        title: z.optional(text()),
        description: z.optional(text()),
        version: z.optional(text()),
        status: z.enum(["ready", "unavailable"]),
      }),
    ),
    cursor: z.optional(text()).check(z.describe("Of the next page: ?cursor=…")),
  }),
);
export const projectAnswer = once(() => {
  const described = { description: z.optional(text()), properties: z.optional(record()) };
  const member = z.object({ name: text(), type: text(), ...described });
  return z.object({
    name: text(),
    title: z.optional(text()),
    ...described,
    version: text(),
    dataSource: text(),
    instructions: z.optional(text()),
    examples: z.array(z.object({ question: text(), sql: text(), verified: z.optional(text()) })),
    questions: z.array(z.object({ name: text(), title: z.optional(text()), description: z.optional(text()) })),
    models: z.array(
      z.object({
        name: text(),
        ...described,
        primaryKey: z.optional(z.array(text())),
        columns: z.array(z.object({ name: text(), type: text(), nullable: z.boolean(), ...described })),
        paths: z.array(z.object({ name: text(), model: text(), joinType: text(), ...described })),
      }),
    ),
    relationships: z.array(
      z.object({
        name: text(),
        models: z.array(text()).check(z.describe("Two models, or one twice.")),
        joinType: text(),
        on: z
          .array(z.array(text()))
          .check(z.describe("Columns of the first model, each with the column of the second that it equals.")),
        ...described,
      }),
    ),
    views: z.array(z.object({ name: text(), ...described })),
    cubes: z.array(
      z.object({
        name: text(),
        ...described,
        measures: z.array(member),
        dimensions: z.array(member),
        timeDimensions: z.array(member),
      }),
    ),
    rowRuleProperties: z.array(text()).check(z.describe("Names of the session properties that row rules read.")),
  });
});
export const projectExplainAnswer = once(() => {
  const { columns, descriptions, descriptionsOmitted, warnings, ...withSql } = explainAnswer().shape;
  const optional = Object.fromEntries(Object.entries(withSql).map(([name, type]) => [name, z.optional(type)]));
  const origins = z
    .optional(z.array(z.int()))
    .check(
      z.describe(
        "Triples: an offset in dialectSql, and the start and end of the SQL that the text from there comes from; 0 is the first character.",
      ),
    );
  return z.object({ columns, descriptions, descriptionsOmitted, warnings, ...optional, origins });
});
export const valuesAnswer = once(() =>
  z.object({
    values: z.array(text()).check(z.describe("As texts, in the order of the column's type.")),
    truncated: z.boolean().check(z.describe("true: the column has more values.")),
  }),
);
export const searchAnswer = once(() =>
  z.object({
    matches: z.array(
      z.object({
        kind: z.enum(SEARCH_KINDS),
        name: text(),
        of: z.optional(text()),
        type: z.optional(text()),
        description: z.optional(text()),
      }),
    ),
    more: z.int(),
  }),
);

const projects = once(() =>
  z.nullish(z.array(z.looseObject({ projectId: z.nullish(z.string()), datasetIds: z.nullish(z.array(z.string())) }))),
);

const metadataFields = once(() => {
  const pattern = z.nullish(z.string());
  return {
    filterInfo: z
      .nullish(z.looseObject({ catalog: pattern, schema: pattern, table: pattern, projects: projects() }))
      .check(
        z.describe(
          "Patterns with * and ?, compared without case; projects are the datasets of a project connection to BigQuery.",
        ),
      ),
    limit: z.nullish(z.int().check(z.minimum(0))).check(z.describe("Most records of the listing.")),
  };
});

export const metadataBody = once(() => z.object({ ...connectionFields(), ...metadataFields() }));

/** The metadata operations of `/v2` have no `connectionFilePath` and report a missing `connectionInfo` in the `detail` form. */
export const metadataV2Body = once(() =>
  z.object({
    connectionInfo: record().check(z.describe("Connection of the data source.")),
    ...metadataFields(),
  }),
);

export const substituteBody = once(() =>
  z.object({
    sql: z.string().check(z.describe("One query over physical tables, in the dialect of the data source.")),
    manifestStr: manifestStr(),
    ...connectionFields(),
    sessionProperties: sessionProperties(),
  }),
);
export const analysisBody = once(() => z.object({ sql: sql(), parameters: parameters(), manifestStr: manifestStr() }));
export const analysisBatchBody = once(() => z.object({ sqls: z.array(z.string()), manifestStr: manifestStr() }));
/** The planner validates it and reports errors with their path. */
const STRUCTURED_QUERY =
  "The structured query: cube, measures[], dimensions[], timeDimensions[{dimension, granularity, dateRange}], " +
  "filters[{dimension, operator, value}], orderBy[{member, direction}], limit, offset. A date as the end of a dateRange " +
  "includes its day; a timestamp as the end is not in the range.";
export const cubeBody = once(() =>
  z.object({
    cube: record().check(z.describe(STRUCTURED_QUERY)),
    parameters: parameters(),
    manifestStr: manifestStr(),
    ...connectionFields(),
    columnDtypes: columnDtypes(),
    sessionProperties: sessionProperties(),
  }),
);

export const text = once(() => z.string());
const nullableText = once(() => z.nullable(z.string()));

export function listOf(item: Schema): Schema {
  return once(() => z.array(item()));
}

export const queryAnswer = once(() =>
  z.object({
    columns: z.array(text()).check(z.describe("Names of the columns, in order; names may repeat.")),
    data: z.array(z.array(z.unknown())).check(z.describe("One array per row, values in the order of the columns.")),
    dtypes: z.record(text(), text()).check(z.describe("Column name → name of its type.")),
  }),
);

export const tableRecord = once(() =>
  z.object({
    name: text(),
    columns: z.array(
      z.object({
        name: text(),
        type: text(),
        notNull: z.boolean(),
        description: nullableText(),
        properties: z.nullable(record()),
        nestedColumns: z.nullable(z.array(record())),
      }),
    ),
    description: nullableText(),
    properties: z.object({
      schema: nullableText(),
      catalog: nullableText(),
      table: nullableText(),
      path: nullableText(),
    }),
    readMayFail: z.optional(z.literal(true)),
    primaryKey: nullableText(),
  }),
);

export const constraintRecord = once(() =>
  z.object({
    constraintName: text(),
    constraintType: z.enum(["PRIMARY KEY", "FOREIGN KEY", "UNIQUE"]),
    constraintTable: text(),
    constraintColumn: text(),
    constraintedTable: text(),
    constraintedColumn: text(),
  }),
);

export const schemaRecord = once(() => z.object({ name: text(), schemas: z.array(text()) }));

const position = once(() =>
  z
    .object({ line: z.int(), column: z.int(), offset: z.int(), length: z.int() })
    .check(z.describe("Place in the SQL of the request: line, column and offset are 1-based and count UTF-16 units.")),
);

export const explainAnswer = once(() => {
  const described = (description: string) => text().check(z.describe(description));
  return z.object({
    plannedSql: nullableText().check(z.describe("The plan in the input language.")),
    dialectSql: described("What would be sent to the source."),
    columns: z.array(
      z.object({ name: text(), type: described("The input language's name of the type."), nullable: z.boolean() }),
    ),
    reads: z.array(
      z.object({
        model: text(),
        columns: z.array(text()).check(z.describe("Columns of the model that the plan needs.")),
        physical: z
          .nullable(z.object({ catalog: z.optional(text()), schema: z.optional(text()), table: text() }))
          .check(z.describe("The physical table; null for a model that is defined by SQL.")),
      }),
    ),
    lineage: z.array(
      z.object({
        column: text(),
        sources: z.array(text()).check(z.describe("What it is computed from, as model.column.")),
      }),
    ),
    descriptions: z
      .array(
        z.object({
          kind: text(),
          name: text(),
          of: z.optional(text()),
          description: z.optional(text()),
          properties: z.optional(record()),
          propertiesOmitted: z.optional(z.int()),
        }),
      )
      .check(z.describe("Descriptions and properties of the manifest's objects that the query uses.")),
    descriptionsOmitted: z.optional(z.int()).check(z.describe("Number of described objects without room here.")),
    warnings: z.array(
      z.object({ code: text(), message: text(), position: z.optional(position()), hint: z.optional(text()) }),
    ),
    rowRules: described("The guarantee for rows that row rules exclude: none, plain, fenced or besteffort."),
    session: z.array(
      z
        .object({ name: text(), value: text() })
        .check(z.describe("A setting that is applied before the statement, because its meaning depends on it.")),
    ),
  });
});

export const functionRecord = once(() =>
  z.object({
    function_type: z.enum(["scalar", "aggregate", "window"]),
    name: text(),
    return_type: nullableText(),
    param_names: nullableText(),
    param_types: nullableText(),
    description: nullableText(),
  }),
);

export const knowledgeAnswer = once(() =>
  z.object({
    text_to_sql_rule: text(),
    instructions: z.record(z.string(), z.string()).check(z.describe("By topic, and one named as the source.")),
    sql_correction_rule: text(),
  }),
);

const location = once(() => z.object({ line: z.int(), column: z.int() }));

/** Records of an analysis. Recursive members are described in words, because they nest without a limit. */
export const analysisRecord = once(() => {
  const source = z.object({
    expression: text(),
    sourceDataset: text().check(z.describe("Name of the model.")),
    sourceColumn: text(),
    nodeLocation: location(),
  });
  const sources = z.array(source);
  const key = { expression: text(), nodeLocation: location(), exprSources: sources };
  const flag = z.enum(["true", "false"]);
  const item = z.object({
    alias: nullableText(),
    expression: text().check(z.describe("In canonical form: every operator between parentheses.")),
    properties: z.object({ includeFunctionCall: flag, includeMathematicalOperation: flag }),
    nodeLocation: location(),
    exprSources: sources,
  });
  const filter = z.object({
    type: z.enum(["AND", "OR", "EXPR"]),
    left: z.optional(record()).check(z.describe("Of AND and OR: a filter.")),
    right: z.optional(record()).check(z.describe("Of AND and OR: a filter.")),
    node: z.optional(text()).check(z.describe("Of EXPR: its text.")),
    nodeLocation: location(),
    exprSources: z.optional(sources),
  });
  const relation = z.object({
    type: z.enum([
      "TABLE",
      "SUBQUERY",
      "INNER_JOIN",
      "LEFT_JOIN",
      "RIGHT_JOIN",
      "FULL_JOIN",
      "CROSS_JOIN",
      "IMPLICIT_JOIN",
    ]),
    alias: z.optional(text()),
    left: z.optional(record()).check(z.describe("Of joins: a relation.")),
    right: z.optional(record()).check(z.describe("Of joins: a relation.")),
    criteria: z.optional(z.object({ expression: text(), nodeLocation: location() })),
    exprSources: z.optional(sources),
    tableName: z.optional(text()).check(z.describe("Of TABLE.")),
    body: z.optional(z.array(record())).check(z.describe("Of SUBQUERY: its analysis.")),
    nodeLocation: location(),
  });
  return z.object({
    selectItems: z.array(item),
    relation: z.optional(relation),
    filter: z.optional(filter),
    groupByKeys: z.array(z.array(z.object(key))),
    sortings: z.array(z.object({ ...key, ordering: z.enum(["ASCENDING", "DESCENDING"]) })),
    isSubqueryOrCte: z.boolean(),
  });
});

const manifestProblem = once(() =>
  z.object({
    reason: text(),
    object: text(),
    message: text(),
    hint: z.optional(text()),
    suggestions: z.optional(z.array(text())),
  }),
);

export const errorBody = once(() =>
  z.object({
    errorCode: text(),
    message: text(),
    metadata: z.nullable(
      z.looseObject({
        reason: z.optional(text()),
        position: z.optional(position()),
        suggestions: z.optional(z.array(text())),
        hint: z.optional(text()),
        plannedSql: z.optional(text()),
        dialectSql: z.optional(text()),
        problems: z.optional(z.array(manifestProblem())),
        moreProblems: z.optional(z.int()),
      }),
    ),
    phase: nullableText(),
    timestamp: text(),
    correlationId: text(),
  }),
);

export const detailBody = once(() =>
  z.object({
    detail: z.array(z.looseObject({ type: text(), loc: z.array(z.union([text(), z.int()])), msg: text() })),
  }),
);

export const configAnswer = once(() =>
  z.object({
    wren_engine_endpoint: nullableText(),
    remote_function_list_path: nullableText(),
    remote_white_function_list_path: nullableText(),
    app_timeout_seconds: z.number(),
    diagnose: z.boolean(),
    row_rules: z
      .record(z.string(), z.array(text()))
      .check(z.describe("Guarantees that statements over row rules can have on each source; none: they are refused.")),
  }),
);

export const healthAnswer = once(() => z.object({ status: z.literal("ok") }));

export const readyAnswer = once(() =>
  z.object({ status: z.enum(["ready", "degraded", "not ready"]), parts: z.record(z.string(), z.string()) }),
);
