/** The schema of a structured query over a cube. The planner validates the query itself and reports an error with its path. */
import { CUBE_GRANULARITIES, CUBE_OPERATORS } from "../../service/cube-words.ts";
import type { Json } from "./json-schema.ts";

const name = (description: string): Json => ({ type: "string", description });
const listOf = (items: Json, description: string): Json => ({ type: "array", items, description });
const scalar: Json = { type: ["string", "number", "boolean"] };

const CUBE_QUERY: Json = {
  title: "CubeQuery",
  type: "object",
  required: ["cube"],
  properties: {
    cube: name("Name of the cube."),
    measures: listOf({ type: "string" }, "Measures of the answer."),
    dimensions: listOf({ type: "string" }, "Dimensions that group the answer."),
    timeDimensions: listOf({ $ref: "#/components/schemas/CubeTimeDimension" }, "Times that group or limit the answer."),
    filters: listOf({ $ref: "#/components/schemas/CubeFilter" }, "Conditions, all of which hold."),
    orderBy: listOf({ $ref: "#/components/schemas/CubeOrder" }, "The order of the rows."),
    limit: { type: ["integer", "null"], minimum: 0, description: "Maximum number of rows." },
    offset: { type: ["integer", "null"], minimum: 0, description: "Number of rows to pass over." },
  },
};

export const CUBE_COMPONENTS: Json = {
  CubeQuery: CUBE_QUERY,
  CubeTimeDimension: {
    title: "CubeTimeDimension",
    type: "object",
    required: ["dimension"],
    description: "Has a granularity, a dateRange, or both.",
    properties: {
      dimension: name("Name of a time dimension."),
      granularity: { type: ["string", "null"], enum: [...CUBE_GRANULARITIES, null] },
      dateRange: {
        type: ["array", "null"],
        items: { type: "string" },
        minItems: 2,
        maxItems: 2,
        description: "Start and end, as dates or timestamps.",
      },
    },
  },
  CubeFilter: {
    title: "CubeFilter",
    type: "object",
    required: ["dimension", "operator"],
    properties: {
      dimension: name("Name of a dimension, a time dimension or a measure."),
      operator: { type: "string", enum: CUBE_OPERATORS },
      value: {
        anyOf: [scalar, { type: "array", items: scalar, minItems: 1 }, { type: "null" }],
        description: "A list for in and not_in; absent for is_null and is_not_null.",
      },
    },
  },
  CubeOrder: {
    title: "CubeOrder",
    type: "object",
    required: ["member"],
    properties: {
      member: name("A measure, a dimension or a time dimension of the query."),
      direction: { type: ["string", "null"], enum: ["asc", "desc", null] },
    },
  },
};
