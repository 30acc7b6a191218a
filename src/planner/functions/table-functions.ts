/** Functions that give rows: of arrays, of numbers and times, of the members of JSON, of the parts of texts. */
import { commonType } from "../common-type.ts";
import { JSON_PART, JSONB_TYPE, type SqlType, TEXT, TIMESTAMP, UNKNOWN } from "../types.ts";
import { entry, type Specified, type TableColumn } from "./specification.ts";

const rows = <const Name extends string>(name: Name, ...rest: Specified) => entry("table", name, rest);

/** The innermost one: an array of arrays is an array of two dimensions. */
function elementOf(type: SqlType | undefined): SqlType {
  if (type?.kind !== "array") return UNKNOWN;
  return type.element.kind === "array" ? elementOf(type.element) : type.element;
}

const TEXTS: SqlType = { kind: "array", element: TEXT };

const named = (...columns: readonly TableColumn[]) => ({ columns: () => columns });
const members = (type: SqlType) => named({ name: "key", type: TEXT }, { name: "value", type });

function seriesType(types: readonly SqlType[]): SqlType {
  const bounds = commonType(types.slice(0, 2)) ?? UNKNOWN;
  return bounds.kind === "date" ? TIMESTAMP : bounds;
}

function ofJson<const Prefix extends "json" | "jsonb">(prefix: Prefix, type: SqlType) {
  return [
    rows(`${prefix}_array_elements`, "json", type, named({ name: "value", type })),
    rows(`${prefix}_array_elements_text`, "json", TEXT, named({ name: "value", type: TEXT })),
    rows(`${prefix}_each`, "json", UNKNOWN, members(type)),
    rows(`${prefix}_each_text`, "json", UNKNOWN, members(TEXT)),
    rows(`${prefix}_object_keys`, "json", TEXT, { nulls: "never" }),
  ] as const;
}

export const TABLE_FUNCTIONS = [
  rows("unnest", "array array?*", ([first]) => elementOf(first), {
    columns: (types) =>
      types.length > 1 ? types.map((type) => ({ name: "unnest", type: elementOf(type) })) : undefined,
  }),
  rows("generate_series", "any any any?", seriesType, { nulls: "never" }),
  ...ofJson("json", JSON_PART),
  ...ofJson("jsonb", JSONB_TYPE),
  rows("regexp_split_to_table", "text text text?", TEXT, { nulls: "never" }),
  rows("string_to_table", "text text text?", TEXT),
  rows("regexp_matches", "text text text?", TEXTS, { nulls: "never" }),
];
