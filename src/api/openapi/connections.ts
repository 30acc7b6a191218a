/**
 * The forms of `connectionInfo` as components: `Connection_postgres` is one of `Connection_postgres_fields` and
 * `Connection_postgres_url`. Each branch of a union has a name, because client generators name their classes after it.
 */
import type { Schema } from "../schemas.ts";
import { isJson, type Json, schemaOf } from "./json-schema.ts";

type Shapes = Readonly<Record<string, Schema>>;

const componentName = (source: string): string => `Connection_${source}`;
const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** The union of all connections, for the member `connectionInfo`. */
export const anyConnection = (shapes: Shapes): Json => ({
  description: "Connection of the data source named in the path.",
  anyOf: [...Object.keys(shapes).map((source) => reference(componentName(source))), reference(NAMED), { type: "null" }],
});

const NAMED = "Connection_named";

/** `settings`: shapes of the member `sessionSettings`, by source. */
export function connectionComponents(shapes: Shapes, settings: Shapes = {}): Json {
  if (Object.keys(shapes).length === 0) return {};
  const named: Json = {
    title: NAMED,
    type: "object",
    description: "A connection that the operator has configured.",
    properties: { name: { type: "string" } },
    required: ["name"],
  };
  const components = Object.entries(shapes).flatMap(([source, shape]) =>
    componentsOf(componentName(source), source, withSettings(schemaOf(shape), settings[source])),
  );
  return Object.fromEntries([...components, [NAMED, named]]);
}

/** Every form of a connection may pass session properties on. */
function withSettings(schema: Json, shape: Schema | undefined): Json {
  if (shape === undefined) return schema;
  const branches = schema["anyOf"];
  if (Array.isArray(branches)) return { ...schema, anyOf: branches.map((branch: Json) => withSettings(branch, shape)) };
  const properties = isJson(schema["properties"]) ? schema["properties"] : {};
  return { ...schema, properties: { ...properties, sessionSettings: schemaOf(shape) } };
}

function componentsOf(name: string, source: string, schema: Json): readonly (readonly [string, Json])[] {
  const branches = schema["anyOf"];
  if (!Array.isArray(branches)) return [[name, { title: name, ...schema }]];
  const discriminator = branches.every((branch) => constantOf(branch, `${source}_type`) !== undefined)
    ? `${source}_type`
    : undefined;
  const named = branches.map((branch: Json) => [`${name}_${branchName(branch, source)}`, branch] as const);
  const mapping = named.map(([key, branch]) => [
    constantOf(branch, discriminator ?? ""),
    `#/components/schemas/${key}`,
  ]);
  const union: Json = {
    title: name,
    [discriminator === undefined ? "anyOf" : "oneOf"]: named.map(([key]) => reference(key)),
    ...(discriminator !== undefined && {
      discriminator: { propertyName: discriminator, mapping: Object.fromEntries(mapping) },
    }),
  };
  return [[name, union], ...named.map(([key, branch]) => [key, { title: key, ...branch }] as const)];
}

/**
 * Named after the member that only this branch requires: a URL, or the constant that names the kind of login; otherwise `fields`.
 */
function branchName(branch: Json, source: string): string {
  const required = branch["required"];
  if (Array.isArray(required) && required.includes("connectionUrl")) return "url";
  return constantOf(branch, `${source}_type`) ?? "fields";
}

/** The only value that a required member may have. */
function constantOf(branch: unknown, member: string): string | undefined {
  if (!isJson(branch) || !isJson(branch["properties"])) return undefined;
  const required = branch["required"];
  const property = branch["properties"][member];
  const isConstant = isJson(property) && Array.isArray(required) && required.includes(member);
  return isConstant && typeof property["const"] === "string" ? property["const"] : undefined;
}
