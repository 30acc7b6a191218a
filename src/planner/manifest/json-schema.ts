/** The JSON Schema (draft 7, which editors know best) of a manifest, made from the table of members. */
import { CALLED, type Holds, type Kind, MEMBERS, type Member } from "./members.ts";

export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** The schema as a separate document. Unknown members are invalid; the service warns of them. */
export function manifestSchema(): JsonSchema {
  const { manifest, ...others } = MEMBERS;
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Semantic manifest",
    ...objectSchema(manifest),
    definitions: Object.fromEntries(Object.keys(others).map((kind) => [kind, definition(kind as Kind)])),
  };
}

function definition(kind: Kind): JsonSchema {
  const schema = objectSchema(MEMBERS[kind]);
  const described = { description: CALLED[kind].replace(/^./, (letter) => letter.toUpperCase()), ...schema };
  return kind === "model" ? { ...described, ...ONE_SOURCE } : described;
}

/** The reader counts null and "" as absent, as do these conditions. */
const SOURCES = ["tableReference", "refSql", "baseObject"] as const;
const ONE_SOURCE: JsonSchema = {
  oneOf: SOURCES.map((source) => ({
    required: [source],
    properties: { [source]: { not: { enum: [null, ""] } } },
  })),
};

function objectSchema(members: Readonly<Record<string, Member>>): JsonSchema {
  const entries = Object.entries(members);
  const required = entries.filter(([, member]) => member.required).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, member]) => [name, memberSchema(member)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

function memberSchema(member: Member): JsonSchema {
  const value = valueSchema(member);
  return {
    description: member.ignored && !member.returned ? `${member.description} Ignored.` : member.description,
    ...(member.required ? value : orAbsent(value)),
    ...(member.example === undefined ? {} : { examples: [member.example] }),
  };
}

const TEXT: JsonSchema = { type: "string" };
const TEXTS: JsonSchema = { type: "array", items: TEXT };

function valueSchema({ holds, values, length, maximum }: Member): JsonSchema {
  // JSON Schema compares exactly, so that editors offer capitals; the reader ignores case.
  if (values !== undefined) return { type: "string", enum: values };
  const bounds = length === undefined ? {} : { minItems: length, maxItems: length };
  if (typeof holds !== "string") return { ...objectsSchema(holds), ...bounds };
  switch (holds) {
    case "text":
      return TEXT;
    case "flag":
      return { enum: [true, false, 0, 1] };
    case "integer":
      return maximum === undefined ? { type: "integer" } : { type: "integer", maximum };
    case "texts":
      return { ...TEXTS, ...bounds };
    case "text or texts":
      return { anyOf: [TEXT, TEXTS] };
    case "lists of texts":
      return { type: "array", items: TEXTS };
    case "map of texts":
      return { type: "object", additionalProperties: TEXTS };
    case "free":
      return {};
    default:
      return holds satisfies never;
  }
}

function objectsSchema(holds: Exclude<Holds, string>): JsonSchema {
  if ("many" in holds) return { type: "array", items: reference(holds.many) };
  return holds.orText === true ? { anyOf: [TEXT, reference(holds.one)] } : reference(holds.one);
}

const reference = (kind: string): JsonSchema => ({ $ref: `#/definitions/${kind}` });

/** Optional members may be null; draft 7 ignores keywords next to `$ref`. */
function orAbsent(schema: JsonSchema): JsonSchema {
  if (typeof schema["type"] === "string") return { ...schema, type: [schema["type"], "null"] };
  if (Array.isArray(schema["enum"])) return { ...schema, enum: [...schema["enum"], null] };
  if (Array.isArray(schema["anyOf"])) return { anyOf: [...schema["anyOf"], { type: "null" }] };
  return "$ref" in schema ? { anyOf: [schema, { enum: [null, ""] }] } : schema;
}
