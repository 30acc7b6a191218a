/** The tools that answer with rows. */

import { catalogueOf } from "../catalogue.ts";
import type { AskOptions, Session, UseCase } from "../use-cases.ts";
import { rowsOf } from "./rows.ts";
import { ROWS_OUTPUT } from "./schemas.ts";
import { type Arguments, type InputSchema, listOf, numberOf, type Tool, type ToolAnswer, textOf } from "./tool.ts";

const DEFAULT_ROWS = 100;
const MOST_ROWS = 10_000;

const SHARED = {
  limit: { type: "integer", minimum: 1, maximum: MOST_ROWS, description: `Most rows; ${DEFAULT_ROWS} by default.` },
  timeZone: {
    type: "string",
    maxLength: 100,
    description: "IANA zone in which instants are read, truncated, compared with dates and shown.",
  },
  parameters: { type: "array", items: {}, description: "Values of $1, $2 and so on." },
} as const;

async function answered(
  session: Session,
  useCase: UseCase,
  question: object,
  given: Arguments,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const limit = numberOf(given, "limit") ?? DEFAULT_ROWS;
  const timeZone = textOf(given, "timeZone");
  const options: AskOptions = { lines: true, ...(timeZone !== undefined && { timeZone }) };
  // One row more shows that there are more.
  const body = { ...question, parameters: listOf(given, "parameters"), limit: limit + 1 };
  const response = await session.ask(useCase, body, options);
  return rowsOf(response, { limit, sql: textOf(given, "sql") }, signal);
}

export const queryTool: Tool = {
  name: "query",
  title: "Run SQL",
  description: `Runs one SELECT over the models and answers rows. Text has one JSON array per row; decimals and large integers are strings. When truncated is true there are more rows: never sum, count or average returned rows, aggregate in SQL. Tell the user each warning.`,
  inputSchema: {
    type: "object",
    properties: {
      sql: { type: "string", description: "One SELECT over models, with names as search and describe return them." },
      ...SHARED,
    },
    required: ["sql"],
    additionalProperties: false,
  },
  outputSchema: ROWS_OUTPUT,
  hasView: true,
  run: (session, given, signal) => answered(session, "query", { sql: given["sql"] }, given, signal),
};

const CUBE_INPUT: InputSchema = {
  type: "object",
  properties: {
    cube: { type: "string", description: "Name of the cube." },
    measures: { type: "array", items: { type: "string" }, description: "Measures to compute." },
    dimensions: { type: "array", items: { type: "string" }, description: "Dimensions to group by." },
    timeDimensions: {
      type: "array",
      items: { type: "object" },
      description:
        '[{"dimension": "ordered_at", "granularity": "month", "dateRange": ["2024-01-01", "2024-12-31"]}]; dateRange may be left out.',
    },
    filters: {
      type: "array",
      items: { type: "object" },
      description: '[{"dimension": "status", "operator": "eq", "value": "open"}]',
    },
    orderBy: {
      type: "array",
      items: { type: "object" },
      description: '[{"member": "revenue", "direction": "desc"}]',
    },
    offset: { type: "integer", minimum: 0, description: "Rows to skip." },
    ...SHARED,
  },
  required: ["cube"],
  additionalProperties: false,
};

/** More names would fill the model's context. */
const MOST_NAMED = 20;

export const cubeTool: Tool = {
  name: "query_cube",
  title: "Query a cube",
  description:
    "Runs a structured query over a cube: measures, dimensions, time dimensions and filters of the names that describe returns. Answers rows as query does.",
  inputSchema: CUBE_INPUT,
  inputFor: async (session) => {
    const { cubes } = await catalogueOf(session);
    if (cubes.length === 0 || cubes.length > MOST_NAMED) return CUBE_INPUT;
    const cube = { type: "string", enum: cubes.map(({ name }) => name), description: "Name of the cube." } as const;
    return { ...CUBE_INPUT, properties: { ...CUBE_INPUT.properties, cube } };
  },
  outputSchema: ROWS_OUTPUT,
  hasView: true,
  run: (session, given, signal) => {
    const { limit: _limit, timeZone: _zone, parameters: _parameters, ...cube } = given;
    return answered(session, "cube", { cube }, given, signal);
  },
};
