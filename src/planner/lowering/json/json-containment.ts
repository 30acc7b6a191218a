/**
 * `?`, `?|`, `?&` and `@>` of JSON by literals, in the input language, for targets that read types and members of documents but have no
 * such operators. The members of an object decide, or whether a text equals the key; a key in an array that has elements raises.
 */
import { unsupported } from "../../diagnostics.ts";
import type { Binary, Expression } from "../../syntax/tree.ts";
import { walk } from "../../syntax/walk.ts";
import { typeOrUnknown } from "../../types.ts";
import { PART } from "../meanings.ts";
import { UNSUPPORTED } from "../templates/unsupported.ts";
import { pathSteps } from "./json-paths.ts";

/** Maximum nodes of a document, which stands in the definition several times. */
const DOCUMENT_NODES = 40;
/** Maximum keys of a literal. */
const KEYS = 20;

/** SQL over `PART`, the document. */
export function containment(node: Binary): string {
  const { operator, left, right } = node;
  const written = right.kind === "cast" ? right.operand : right;
  if (typeOrUnknown(left).kind === "json" && !isLong(left)) {
    if (operator === "?" && written.kind === "string") return hasKeys([written.value], "AND");
    const keys = operator === "?|" || operator === "?&" ? pathSteps(written) : undefined;
    if (keys !== undefined && keys.length > 0 && keys.length <= KEYS) {
      return hasKeys(keys, operator === "?|" ? "OR" : "AND");
    }
    const found = operator === "@>" && written.kind === "string" ? containsObject(written.value) : undefined;
    if (found !== undefined) return `CASE WHEN ${PART} IS NOT NULL THEN ${found} END`;
  }
  throw unsupported(UNSUPPORTED.jsonKeys.refused, node.span, UNSUPPORTED.jsonKeys.hint);
}

function isLong(document: Expression): boolean {
  let nodes = 0;
  walk(document, () => ++nodes <= DOCUMENT_NODES);
  return nodes > DOCUMENT_NODES;
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A text has the key that it equals. The elements of an array are not read: a cast that cannot succeed raises, and says why. */
function hasKeys(keys: readonly string[], operator: "AND" | "OR"): string {
  const of = (condition: (key: string) => string): string =>
    keys.map((key) => condition(literal(key))).join(` ${operator} `);
  const arms = [
    `WHEN 'object' THEN ${of((key) => `(${PART} -> ${key}) IS NOT NULL`)}`,
    `WHEN 'array' THEN CASE WHEN json_array_length(${PART}) > 0 THEN CAST('keys are not searched in a JSON ' || json_typeof(${PART}) AS integer) = 0 ELSE FALSE END`,
    `WHEN 'string' THEN ${of((key) => `(${PART} #>> '{}') = ${key}`)}`,
    ...["number", "boolean", "null"].map((type) => `WHEN '${type}' THEN FALSE`),
  ];
  return `CASE json_typeof(${PART}) ${arms.join(" ")} END`;
}

function containsObject(text: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (text.split(":").length - 1 > KEYS) return undefined;
  return isObject(value) ? contains(PART, value) : undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Never NULL; `undefined` for arrays and numbers. */
function contains(document: string, value: unknown): string | undefined {
  if (value === null) return `coalesce(json_typeof(${document}) = 'null', FALSE)`;
  if (typeof value === "boolean") return isScalar(document, "boolean", String(value));
  if (typeof value === "string") return isScalar(document, "string", value);
  if (!isObject(value)) return undefined;
  const parts = Object.entries(value).map(([name, member]) => contains(`(${document} -> ${literal(name)})`, member));
  const known = parts.filter((part) => part !== undefined);
  if (known.length < parts.length) return undefined;
  return [`coalesce(json_typeof(${document}) = 'object', FALSE)`, ...known].join(" AND ");
}

function isScalar(document: string, type: "boolean" | "string", text: string): string {
  return `CASE WHEN json_typeof(${document}) = '${type}' THEN (${document} #>> '{}') = ${literal(text)} ELSE FALSE END`;
}
