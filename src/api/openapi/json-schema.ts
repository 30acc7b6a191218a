/** JSON Schema of zod schemas, in the form that client generators understand. */
import * as z from "zod/mini";
import type { Schema } from "../schemas.ts";

export type Json = Readonly<Record<string, unknown>>;

export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The schema of the input: optional members may be absent. */
export function schemaOf(schema: Schema): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema(), { io: "input" }) as Record<string, unknown>;
  return withoutPropertyNames(rest) as Json;
}

/** Names of JSON members are always strings, and openapi-python-client drops a schema that states it. */
function withoutPropertyNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPropertyNames);
  if (!isJson(value)) return value;
  const kept = Object.entries(value).filter(([name, inner]) => !(name === "propertyNames" && isJson(inner)));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutPropertyNames(inner)]));
}
