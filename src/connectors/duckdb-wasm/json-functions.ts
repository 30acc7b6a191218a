/**
 * The functions of DuckDB's extension "json" that plans use for one value at a path, computed as in native DuckDB 1.4
 * (`json-functions.test.ts`): the WASM has no such extension. Any input whose result could differ throws `Beyond`.
 */
import { Beyond } from "../files/beyond.ts";
import { type JsonValue, valueOf } from "../files/json/scanner.ts";
import type { ScalarFunction } from "./scalar-functions.ts";

/** Maximum length of a document: its parsed form takes many times its bytes. */
const LONGEST_DOCUMENT = 256 * 1024;
/** Maximum length of all cached documents: several functions read each document in sequence. */
const MOST_REMEMBERED = 1024 * 1024;
/** Maximum number of cached paths; paths are nearly always constants. */
const MOST_PATHS = 256;

/** The functions for one statement: their caches end with it. */
export function jsonFunctions(): ReadonlyMap<string, ScalarFunction> {
  const documents = new Map<string, JsonValue>();
  let remembered = 0;
  const read = (text: string): JsonValue => {
    const known = documents.get(text);
    if (known !== undefined) return known;
    const value = documentOf(text);
    if (remembered + text.length > MOST_REMEMBERED) {
      documents.clear();
      remembered = 0;
    }
    documents.set(text, value);
    remembered += text.length;
    return value;
  };
  const paths = new Map<string, readonly Step[]>();
  const stepsOf = (path: string): readonly Step[] => {
    const known = paths.get(path);
    if (known !== undefined) return known;
    if (paths.size === MOST_PATHS) paths.clear();
    const steps = readPath(path);
    paths.set(path, steps);
    return steps;
  };
  const at = (json: string, path: string | undefined): JsonValue | undefined =>
    path === undefined ? read(json) : stepsOf(path).reduce<JsonValue | undefined>(member, read(json));
  const of = (
    returns: ScalarFunction["returns"],
    compute: (value: JsonValue | undefined) => string | number | null,
  ): ScalarFunction => ({
    returns,
    call: ([json, path, ...others]) => {
      if (others.length > 0) throw new Beyond("so many arguments");
      return json === undefined || json === null || path === null ? null : compute(at(json, path));
    },
  });
  return new Map([
    ["json_type", of("utf8", (value) => (value === undefined ? null : typeName(value)))],
    ["json_extract", of("utf8", (value) => (value === undefined ? null : textOf(value)))],
    [
      "json_extract_string",
      of("utf8", (value) =>
        value === undefined || value === null ? null : typeof value === "string" ? value : textOf(value),
      ),
    ],
    [
      "json_array_length",
      of("uint64", (value) => (value === undefined ? null : Array.isArray(value) ? value.length : 0)),
    ],
    ["json_exists", of("bool", (value) => (value === undefined ? 0 : 1))],
  ]);
}

function documentOf(text: string): JsonValue {
  if (text.length > LONGEST_DOCUMENT) throw new Beyond("a document of such a length");
  // The scanner does not distinguish -0 from 0.
  if (/(?:^|[[,:\s])-0(?![.\d])/.test(text)) throw new Beyond("a zero below zero");
  return valueOf(text);
}

/** Paths to many values, which these functions do not support: their results are lists. */
export const namesManyValues = (sql: string): boolean => /'\$(?:\[\*\]|\.\.?\*)/.test(sql);

// --------------------------------------------------------------------------------------------------------------- paths

/** A member's name; an index from the start, or from the end if negative; or, in a JSON pointer, a name or an index. */
type Step = { readonly name: string } | { readonly index: number } | { readonly token: string };

const PATH = /^\$(?:\."[^"\\*]+"|\.[A-Za-z_]\w*|\[\d{1,9}\]|\[#-[1-9]\d{0,8}\])*$/;
const STEP = /\."([^"]+)"|\.(\w+)|\[(\d+)\]|\[#-(\d+)\]/g;
const POINTER = /^(?:\/(?:[^/~]|~[01])*)+$/;

function readPath(path: string): readonly Step[] {
  if (PATH.test(path)) {
    return [...path.matchAll(STEP)].map(([, quoted, plain, index, last]): Step => {
      const name = quoted ?? plain;
      return name !== undefined ? { name } : { index: index !== undefined ? Number(index) : -Number(last) };
    });
  }
  if (!POINTER.test(path)) throw new Beyond("the path into JSON");
  const tokens = path.slice(1).split("/");
  return tokens.map((token) => ({ token: token.replaceAll("~1", "/").replaceAll("~0", "~") }));
}

function member(value: JsonValue | undefined, step: Step): JsonValue | undefined {
  if (value instanceof Map)
    return "name" in step ? value.get(step.name) : "token" in step ? value.get(step.token) : undefined;
  if (!Array.isArray(value)) return undefined;
  if ("index" in step) return value.at(step.index);
  return "token" in step && /^(?:0|[1-9]\d{0,8})$/.test(step.token) ? value[Number(step.token)] : undefined;
}

// -------------------------------------------------------------------------------------------------------------- values

function typeName(value: JsonValue): string {
  switch (typeof value) {
    case "string":
      return "VARCHAR";
    case "boolean":
      return "BOOLEAN";
    case "bigint":
      return value < 0n ? "BIGINT" : "UBIGINT";
    case "number":
      return "DOUBLE";
    default:
      return value === null ? "NULL" : Array.isArray(value) ? "ARRAY" : "OBJECT";
  }
}

function textOf(value: JsonValue): string {
  switch (typeof value) {
    case "string":
      return quoted(value);
    case "number":
      return textOfDouble(value);
    case "boolean":
    case "bigint":
      return String(value);
    default: {
      if (value === null) return "null";
      if (Array.isArray(value)) return `[${value.map(textOf).join(",")}]`;
      return `{${[...value].map(([name, each]) => `${quoted(name)}:${textOf(each)}`).join(",")}}`;
    }
  }
}

/** Native DuckDB writes control characters without a short escape with upper-case digits. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(/\\\\|\\u00../g, (escape) =>
    escape === "\\\\" ? escape : `\\u${escape.slice(2).toUpperCase()}`,
  );
}

/** The shortest digits of the double; numbers whose text could have an exponent are not supported. */
function textOfDouble(value: number): string {
  const size = Math.abs(value);
  if (Object.is(value, -0) || size >= 1e15 || (size !== 0 && size < 1e-5)) throw new Beyond("a number of such a size");
  return Number.isInteger(value) ? `${value}.0` : String(value);
}
