/** Request bodies and answers, as schemas: bodies are checked with them, OpenAPI is written from them. */
import * as z from "zod";

const sql = z.string().describe("One SELECT statement over the models of the manifest.");
const manifestStr = z.string().describe("Base64 of the manifest's JSON.");
const connectionFields = {
  connectionInfo: z
    .record(z.string(), z.unknown())
    .nullish()
    .describe("Connection of the data source; its members depend on the kind of source."),
  connectionFilePath: z.string().nullish().describe("Name of a connection that the operator has configured."),
};
const sessionProperties = z
  .record(z.string(), z.string())
  .nullish()
  .describe("Session properties, as texts of SQL literals. They win over headers of the same name.");

export const queryBody = z.object({
  sql,
  manifestStr,
  ...connectionFields,
  columnDtypes: z.record(z.string(), z.string()).nullish().describe("Column name → type it is converted to."),
  sessionProperties,
});

export const dryPlanBody = z.object({ sql, manifestStr, sessionProperties });

export const validateBody = z.object({
  manifestStr,
  parameters: z.record(z.string(), z.unknown()).describe("Keys depend on the rule."),
  ...connectionFields,
  sessionProperties,
});

const filterPattern = z.string().nullish();

const metadataFields = {
  filterInfo: z
    .looseObject({ catalog: filterPattern, schema: filterPattern, table: filterPattern })
    .nullish()
    .describe("Patterns with * and ?, compared without case."),
  limit: z.int().min(0).nullish().describe("Most records of the listing."),
};

export const metadataBody = z.object({ ...connectionFields, ...metadataFields });

/** The metadata operations of `/v2` know no `connectionFilePath` and miss `connectionInfo` in the `detail` shape. */
export const metadataV2Body = z.object({
  connectionInfo: z.record(z.string(), z.unknown()).describe("Connection of the data source."),
  ...metadataFields,
});

export const substituteBody = z.object({ sql, manifestStr, ...connectionFields });
export const analysisBody = z.object({ sql, manifestStr });
export const analysisBatchBody = z.object({ sqls: z.array(z.string()), manifestStr });
export const cubeBody = z.object({
  cube: z.record(z.string(), z.unknown()).describe("The structured query."),
  manifestStr,
  ...connectionFields,
  sessionProperties,
});

export const text = z.string();

export function listOf<T extends z.ZodType>(item: T): z.ZodArray<T> {
  return z.array(item);
}

const nullableText = z.string().nullable();

export const queryAnswer = z.object({
  columns: z.array(text).describe("Names of the columns, in order; names may repeat."),
  data: z.array(z.array(z.unknown())).describe("One array per row, values in the order of the columns."),
  dtypes: z.record(text, text).describe("Column name → name of its type."),
});

const columnRecord = z.object({
  name: text,
  type: text,
  notNull: z.boolean(),
  description: nullableText,
  properties: z.record(text, z.unknown()).nullable(),
  nestedColumns: z.array(z.record(text, z.unknown())).nullable(),
});

export const tableRecord = z.object({
  name: text,
  columns: z.array(columnRecord),
  description: nullableText,
  properties: z.object({ schema: nullableText, catalog: nullableText, table: nullableText, path: nullableText }),
  primaryKey: nullableText,
});

export const constraintRecord = z.object({
  constraintName: text,
  constraintType: z.enum(["PRIMARY KEY", "FOREIGN KEY", "UNIQUE"]),
  constraintTable: text,
  constraintColumn: text,
  constraintedTable: text,
  constraintedColumn: text,
});

export const schemaRecord = z.object({ name: text, schemas: z.array(text) });

export const explainAnswer = z.object({
  plannedSql: text,
  dialectSql: text,
  columns: z.array(z.object({ name: text, type: text, nullable: z.boolean() })),
  reads: z.array(z.object({ model: text, columns: z.array(text), physical: z.record(text, z.unknown()).nullable() })),
  lineage: z.array(z.object({ column: text, sources: z.array(text) })),
  warnings: z.array(z.record(text, z.unknown())),
  session: z.array(z.object({ name: text, value: text })),
});

export const functionRecord = z.object({
  function_type: z.enum(["scalar", "aggregate", "window"]),
  name: text,
  return_type: nullableText,
  param_names: nullableText,
  param_types: nullableText,
  description: nullableText,
});

export const knowledgeAnswer = z.record(text, z.unknown());

export const analysisRecord = z.record(text, z.unknown());

export const errorBody = z.object({
  errorCode: text,
  message: text,
  metadata: z
    .looseObject({
      reason: text.optional(),
      position: z
        .object({ line: z.int(), column: z.int(), offset: z.int(), length: z.int() })
        .optional()
        .describe("Place in the SQL of the request: line, column and offset are 1-based and count UTF-16 units."),
      suggestions: z.array(text).optional(),
      hint: text.optional(),
      plannedSql: text.optional(),
      dialectSql: text.optional(),
    })
    .nullable(),
  phase: nullableText,
  timestamp: text,
  correlationId: text,
});

export const detailBody = z.object({
  detail: z.array(z.looseObject({ type: text, loc: z.array(z.union([text, z.int()])), msg: text })),
});

export const configAnswer = z.object({
  wren_engine_endpoint: nullableText,
  remote_function_list_path: nullableText,
  remote_white_function_list_path: nullableText,
  app_timeout_seconds: z.number(),
  diagnose: z.boolean(),
});

export const healthAnswer = z.object({ status: z.literal("ok") });
