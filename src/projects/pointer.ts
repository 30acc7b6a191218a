/** The pointer of a project: which manifest, which connection, and what its callers may see. */
import { isSlipOf, nearestNames } from "../planner/suggest.ts";
import { PROJECT_NAME } from "./store.ts";

export interface Pointer {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** SHA-256 of the manifest's JSON text, in hexadecimal digits, and its length. */
  readonly manifest: { readonly sha256: string; readonly bytes: number };
  /** A name of the setting CONNECTIONS; the kind of source comes with it. */
  readonly connection: string;
  readonly instructions?: string;
  readonly examples: readonly Example[];
  /** Columns whose values may be listed: none, those with the property `searchable`, or these and all texts. */
  readonly values: "none" | "declared" | "text";
  readonly show: { readonly sql: boolean; readonly lineage: boolean };
  readonly limits: { readonly rows?: number; readonly bytes?: number; readonly bytesBilled?: number };
  readonly access: "strict" | "standard";
  readonly timeZone?: string;
  /** Session properties that requests may set, in lower case. All others come from credentials or the operator. */
  readonly callerProperties: readonly string[];
  readonly questions: ReadonlyMap<string, StoredQuestion>;
}

export interface Example {
  readonly question: string;
  readonly sql: string;
  readonly verified?: string;
}

export interface StoredQuestion {
  readonly title?: string;
  readonly description?: string;
  readonly sql: string;
  readonly parameters?: readonly unknown[];
  readonly limit?: number;
}

export type PointerOutcome =
  | { readonly ok: true; readonly pointer: Pointer; readonly remarks: readonly string[] }
  /** One sentence, for the operator: it may name parts of the pointer. */
  | { readonly ok: false; readonly problem: string };

export const LARGEST_POINTER = 256 * 1024;
const LARGEST_MANIFEST = 48 * 1024 * 1024;
const LONGEST_TEXT = 8 * 1024;
const LONGEST_SQL = 64 * 1024;
const MOST_LISTED = 200;
const QUESTION_NAME = /^[a-z0-9-]{1,63}$/;

class Wrong extends Error {}

const MEMBERS = [
  ...["version", "name", "title", "description", "manifest", "connection", "instructions", "examples", "values"],
  ...["show", "limits", "access", "environment", "callerProperties", "questions"],
];
/** A misspelt one of these would show more than the operator meant. */
const PROTECTED = [
  "values",
  "show",
  "limits",
  "access",
  "callerProperties",
  "sql",
  "lineage",
  "rows",
  "bytes",
  "bytesBilled",
];

/** Reads the JSON value of a pointer that is stored under `name`. */
export function readPointer(json: unknown, name: string): PointerOutcome {
  const remarks: string[] = [];
  try {
    return { ok: true, pointer: pointerIn(json, name, remarks), remarks };
  } catch (error) {
    if (error instanceof Wrong) return { ok: false, problem: error.message };
    throw error;
  }
}

function pointerIn(json: unknown, name: string, remarks: string[]): Pointer {
  const root = recordOf(json, "the pointer", MEMBERS, remarks);
  if (root["version"] !== 1) throw new Wrong("version must be 1");
  if (root["name"] !== name || !PROJECT_NAME.test(name))
    throw new Wrong(`name must be "${name}", as the file is called`);
  const manifest = recordOf(root["manifest"], "manifest", ["sha256", "bytes"], remarks);
  const sha256 = textOf(manifest["sha256"], "manifest.sha256", 64);
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Wrong("manifest.sha256 must be 64 hexadecimal digits");
  const show = recordOf(root["show"] ?? {}, "show", ["sql", "lineage"], remarks);
  const limits = recordOf(root["limits"] ?? {}, "limits", ["rows", "bytes", "bytesBilled"], remarks);
  const environment = recordOf(root["environment"] ?? {}, "environment", ["timeZone"], remarks);
  return {
    name,
    ...optional("title", optionalText(root["title"], "title")),
    ...optional("description", optionalText(root["description"], "description")),
    manifest: { sha256, bytes: countOf(manifest["bytes"], "manifest.bytes", LARGEST_MANIFEST) },
    connection: textOf(root["connection"], "connection", 200),
    ...optional("instructions", optionalText(root["instructions"], "instructions")),
    examples: listOf(root["examples"], "examples").map((each, index) => exampleOf(each, `examples[${index}]`, remarks)),
    values: oneOf(root["values"], "values", ["none", "declared", "text"], "declared"),
    show: { sql: flagOf(show["sql"], "show.sql"), lineage: flagOf(show["lineage"], "show.lineage") },
    limits: {
      ...optional("rows", optionalCount(limits["rows"], "limits.rows")),
      ...optional("bytes", optionalCount(limits["bytes"], "limits.bytes")),
      ...optional("bytesBilled", optionalCount(limits["bytesBilled"], "limits.bytesBilled")),
    },
    access: oneOf(root["access"], "access", ["strict", "standard"], "strict"),
    ...optional("timeZone", optionalText(environment["timeZone"], "environment.timeZone")),
    callerProperties: listOf(root["callerProperties"], "callerProperties").map((each, index) =>
      textOf(each, `callerProperties[${index}]`, 200).toLowerCase(),
    ),
    questions: questionsIn(root["questions"], remarks),
  };
}

function exampleOf(json: unknown, path: string, remarks: string[]): Example {
  const example = recordOf(json, path, ["question", "sql", "verified"], remarks);
  return {
    question: textOf(example["question"], `${path}.question`, LONGEST_TEXT),
    sql: textOf(example["sql"], `${path}.sql`, LONGEST_SQL),
    ...optional("verified", optionalText(example["verified"], `${path}.verified`)),
  };
}

function questionsIn(json: unknown, remarks: string[]): ReadonlyMap<string, StoredQuestion> {
  if (json === undefined || json === null) return new Map();
  if (typeof json !== "object" || Array.isArray(json)) throw new Wrong("questions must be an object");
  const entries = Object.entries(json);
  if (entries.length > MOST_LISTED) throw new Wrong(`questions has more than ${MOST_LISTED} members`);
  return new Map(
    entries.map(([name, value]) => {
      const path = `questions.${name.slice(0, 100)}`;
      if (!QUESTION_NAME.test(name)) throw new Wrong(`${path}: a name is 1 to 63 of a-z, 0-9 and -`);
      const question = recordOf(value, path, ["title", "description", "sql", "parameters", "limit"], remarks);
      const read: StoredQuestion = {
        ...optional("title", optionalText(question["title"], `${path}.title`)),
        ...optional("description", optionalText(question["description"], `${path}.description`)),
        sql: textOf(question["sql"], `${path}.sql`, LONGEST_SQL),
        ...optional(
          "parameters",
          question["parameters"] === undefined ? undefined : listOf(question["parameters"], `${path}.parameters`),
        ),
        ...optional("limit", optionalCount(question["limit"], `${path}.limit`)),
      };
      return [name, read] as const;
    }),
  );
}

// ------------------------------------------------------------------------------------------------------------ values

function recordOf(
  json: unknown,
  path: string,
  known: readonly string[],
  remarks: string[],
): Readonly<Record<string, unknown>> {
  if (typeof json !== "object" || json === null || Array.isArray(json)) throw new Wrong(`${path} must be an object`);
  for (const name of Object.keys(json)) {
    if (known.includes(name)) continue;
    const shown = name.slice(0, 100);
    const near = nearestNames(shown, known);
    const meant = near.length === 0 ? "" : ` (did you mean ${near.join(" or ")}?)`;
    const sentence = `${path} has the unknown member "${shown}"${meant}`;
    if (known.some((each) => PROTECTED.includes(each) && isSlipOf(name, each))) throw new Wrong(sentence);
    remarks.push(sentence);
  }
  return json as Readonly<Record<string, unknown>>;
}

function textOf(value: unknown, path: string, longest: number): string {
  if (typeof value !== "string" || value === "") throw new Wrong(`${path} must be a text`);
  if (value.length > longest) throw new Wrong(`${path} is longer than ${longest} characters`);
  if (!value.isWellFormed() || value.includes("\0")) throw new Wrong(`${path} holds a character that no source takes`);
  return value;
}

const optionalText = (value: unknown, path: string): string | undefined =>
  value === undefined || value === null || value === "" ? undefined : textOf(value, path, LONGEST_TEXT);

function countOf(value: unknown, path: string, most = Number.MAX_SAFE_INTEGER): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1 && value <= most) return value;
  throw new Wrong(`${path} must be a whole number from 1${most < Number.MAX_SAFE_INTEGER ? ` to ${most}` : ""}`);
}

const optionalCount = (value: unknown, path: string): number | undefined =>
  value === undefined || value === null ? undefined : countOf(value, path);

function flagOf(value: unknown, path: string): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === "boolean") return value;
  throw new Wrong(`${path} must be true or false`);
}

function listOf(value: unknown, path: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new Wrong(`${path} must be a list`);
  if (value.length > MOST_LISTED) throw new Wrong(`${path} has more than ${MOST_LISTED} entries`);
  return value;
}

function oneOf<T extends string>(value: unknown, path: string, allowed: readonly T[], standard: T): T {
  if (value === undefined || value === null) return standard;
  const found = allowed.find((each) => each === value);
  if (found === undefined) throw new Wrong(`${path} must be one of ${allowed.join(", ")}`);
  return found;
}

function optional<K extends string, V>(name: K, value: V | undefined): { readonly [name in K]?: V } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [name in K]?: V };
}
