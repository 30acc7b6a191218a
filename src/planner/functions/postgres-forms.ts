/**
 * Functions that only PostgreSQL offers in this form, with their types: a plan for PostgreSQL takes them, and every other source
 * refuses them. The other functions of PostgreSQL that the catalogue lacks pass without types (`postgres.ts`).
 */
import { INTEGER, JSON_TYPE, JSONB_TYPE, NUMERIC, type SqlType, TEXT, TIMESTAMPTZ } from "../types.ts";
import { type Entry, entry } from "./specification.ts";

const TEXTS: SqlType = { kind: "array", element: TEXT };

const FORMS: readonly Entry[] = [
  entry("scalar", "format", ["text any*", TEXT]),
  entry("scalar", "row_to_json", ["any boolean?", JSON_TYPE]),
  entry("scalar", "to_number", ["text text", NUMERIC]),
  // The zone begins the unit: a name, or an interval.
  entry("scalar", "date_trunc", ["text datetime text", TIMESTAMPTZ]),
  entry("table", "generate_subscripts", ["array number boolean?", INTEGER, { nulls: "never" }]),
  entry("table", "jsonb_path_query", ["json text json? boolean?", JSONB_TYPE, { nulls: "never" }]),
  entry("table", "regexp_matches", ["text text text?", TEXTS, { nulls: "never" }]),
];

export const POSTGRES_FORMS: ReadonlyMap<string, Entry> = new Map(FORMS.map((form) => [form.name, form]));
