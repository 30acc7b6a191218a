/** Functions that give rows: of arrays, of numbers and times, of the members of JSON, of the parts of texts. */
import { commonType } from "../common-type.ts";
import { JSON_TYPE, JSONB_TYPE, type SqlType, TEXT, TIMESTAMP, UNKNOWN } from "../types.ts";
import type { Accepts, FunctionSpecification, TableColumn } from "./specification.ts";

type Result = SqlType | ((types: readonly SqlType[]) => SqlType);

/** Parameters as words, as in `scalars.ts`. */
function rows<const Name extends string>(
  name: Name,
  parameters: string,
  result: Result,
  description: string,
  facts: Partial<Pick<FunctionSpecification, "nulls" | "columns">> = {},
): FunctionSpecification<Name> {
  const words = parameters.split(" ");
  return {
    name,
    kind: "table",
    parameters: words.map((word) => word.replace(/[?*]+/, "") as Accepts),
    required: words.filter((word) => !word.includes("?")).length,
    variadic: words.some((word) => word.endsWith("*")),
    result: typeof result === "function" ? result : () => result,
    safety: "pure",
    nulls: "possible",
    description,
    ...facts,
  };
}

const elementOf = (type: SqlType | undefined): SqlType => (type?.kind === "array" ? type.element : UNKNOWN);
const TEXTS: SqlType = { kind: "array", element: TEXT };

const named = (...columns: readonly TableColumn[]) => ({ columns: () => columns });
const members = (type: SqlType) => named({ name: "key", type: TEXT }, { name: "value", type });

function seriesType(types: readonly SqlType[]): SqlType {
  const bounds = commonType(types.slice(0, 2)) ?? UNKNOWN;
  return bounds.kind === "date" ? TIMESTAMP : bounds;
}

function ofJson<const Prefix extends "json" | "jsonb">(prefix: Prefix, type: SqlType) {
  return [
    rows(
      `${prefix}_array_elements`,
      "json",
      type,
      "One row per element of a JSON array.",
      named({ name: "value", type }),
    ),
    rows(
      `${prefix}_array_elements_text`,
      "json",
      TEXT,
      "One row per element of a JSON array, as text.",
      named({ name: "value", type: TEXT }),
    ),
    rows(`${prefix}_each`, "json", UNKNOWN, "Name and value of each member of a JSON object.", members(type)),
    rows(`${prefix}_each_text`, "json", UNKNOWN, "Name and text of each member of a JSON object.", members(TEXT)),
    rows(`${prefix}_object_keys`, "json", TEXT, "One row per name in a JSON object.", { nulls: "never" }),
  ] as const;
}

export const TABLE_FUNCTIONS = [
  rows(
    "unnest",
    "array array?*",
    ([first]) => elementOf(first),
    "One row per element; of several arrays side by side.",
    {
      columns: (types) =>
        types.length > 1 ? types.map((type) => ({ name: "unnest", type: elementOf(type) })) : undefined,
    },
  ),
  rows("generate_series", "any any any?", seriesType, "Values from the first to the second argument.", {
    nulls: "never",
  }),
  ...ofJson("json", JSON_TYPE),
  ...ofJson("jsonb", JSONB_TYPE),
  rows("regexp_split_to_table", "text text text?", TEXT, "One row per part between matches of a pattern.", {
    nulls: "never",
  }),
  rows("string_to_table", "text text text?", TEXT, "One row per part between separators."),
  rows("regexp_matches", "text text text?", TEXTS, "The groups of the first match, with 'g' of every match.", {
    nulls: "never",
  }),
];
