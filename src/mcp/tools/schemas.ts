/** Schemas that tools share. */

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;
const integer = { type: "integer" } as const;

const WARNINGS = {
  type: "array",
  items: {
    type: "object",
    properties: { code: text, message: text, hint: text, position: { type: "object" }, count: integer },
    required: ["code"],
  },
} as const;

const COLUMNS = {
  type: "array",
  items: { type: "object", properties: { name: text, type: text }, required: ["name", "type"] },
} as const;

export const ROWS_OUTPUT = {
  type: "object",
  properties: {
    columns: COLUMNS,
    rows: { type: "array", items: { type: "array" } },
    rowCount: integer,
    truncated: { ...flag, description: "true: more rows exist. Never sum, count or average these rows." },
    warnings: WARNINGS,
    rowRules: text,
    queryId: text,
    error: { type: "object" },
  },
} as const;

export const CHECK_OUTPUT = {
  type: "object",
  properties: {
    ok: flag,
    columns: COLUMNS,
    lineage: { type: "array" },
    reads: { type: "array" },
    warnings: WARNINGS,
    rowRules: text,
    bytesProcessed: integer,
    sql: text,
    error: { type: "object" },
  },
} as const;

/** Members of an object of another kind; errors have the member error. */
export const outputOf = (properties: Readonly<Record<string, object>>): Readonly<Record<string, unknown>> => ({
  type: "object",
  properties: { ...properties, error: { type: "object" } },
});

export const OUT = { text, flag, integer, list: { type: "array" }, texts: { type: "array", items: text } } as const;
