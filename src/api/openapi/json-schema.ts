/** JSON Schema of what is checked with zod, in the form that generators of clients understand. */
import * as z from "zod/mini";
import type { Schema } from "../schemas.ts";

export type Json = Readonly<Record<string, unknown>>;

export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** As callers write it: optional members may be absent. */
export function schemaOf(schema: Schema): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema(), { io: "input" }) as Record<string, unknown>;
  return withoutPropertyNames(rest) as Json;
}

/** Every name of a JSON member is a text, and openapi-python-client drops a schema that says so. */
function withoutPropertyNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPropertyNames);
  if (!isJson(value)) return value;
  const kept = Object.entries(value).filter(([name, inner]) => !(name === "propertyNames" && isJson(inner)));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutPropertyNames(inner)]));
}
