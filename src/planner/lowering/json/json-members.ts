/**
 * `->`, `->>`, `#>`, `#>>` and subscripts of JSON by literal names and positions, for targets that store documents with sorted
 * keys and normalised numbers: only the values of members are available.
 */
import { unsupported } from "../../diagnostics.ts";
import { typed, values, when } from "../../syntax/build.ts";
import type { Binary, Call, Expression, Subscript } from "../../syntax/tree.ts";
import { JSON_PART } from "../../types.ts";
import { countOf } from "../numbers/written-counts.ts";
import { pathSteps } from "./json-paths.ts";

/** A target's access to parts of a document. A JSON null stays a JSON null, and is not NULL. */
export interface Documents {
  readonly member: (document: Expression, name: string, at: Expression) => Expression;
  readonly element: (document: Expression, place: number, at: Expression) => Expression;
  readonly isObject: (document: Expression, at: Expression) => Expression;
  readonly isArray: (document: Expression, at: Expression) => Expression;
  /** Whether the target can access a member of this name. */
  readonly isSayable: (name: string) => boolean;
  /** The text of `->>`, or an error. */
  readonly text: (value: Expression, at: Expression) => Expression;
}

export interface JsonMembers {
  readonly member: (node: Binary) => Expression;
  readonly memberText: (node: Binary) => Expression;
  readonly subscript: (node: Subscript) => Expression;
  readonly path: (node: Binary) => Expression;
  readonly pathText: (node: Binary) => Expression;
  readonly extractedPath: (node: Call) => Expression;
  readonly extractedText: (node: Call) => Expression;
}

export function jsonMembers(documents: Documents): JsonMembers {
  const step = (document: Expression, key: Expression, at: Expression): Expression => {
    if (key.kind === "string") return named(document, key.value, at);
    const place = countOf(key);
    if (place === undefined || place < 0) {
      const hint = "Write the name or the position as a literal.";
      throw unsupported("a computed step into json, or one from the end", key.span, hint);
    }
    const { type } = document;
    if (place === 0 && type?.kind === "json" && type.binary === true) {
      // In PostgreSQL, a scalar is its own first element.
      throw unsupported("the first element of what may be a plain value", key.span, "Cast it to json: x::json -> 0.");
    }
    // Guarded by `isArray`, because an object may have a member of that name.
    const found = documents.element(document, place, at);
    return when(documents.isArray(document, at), found, undefined, typed(JSON_PART, at));
  };
  const named = (document: Expression, name: string, at: Expression): Expression => {
    if (!documents.isSayable(name)) {
      throw unsupported("the name of this member of json", at.span, "Use another name.");
    }
    const found = documents.member(document, name, at);
    // Guarded by `isObject`, because the name would be a position in an array.
    const isPlace = /^-?\d+$/.test(name);
    return isPlace ? when(documents.isObject(document, at), found, undefined, typed(JSON_PART, at)) : found;
  };
  /** A numeric step is a position in an array and a name in an object. */
  const along = (document: Expression, steps: readonly string[] | undefined, at: Expression): Expression => {
    if (steps === undefined || steps.some((each) => /^-?\d+$/.test(each))) {
      throw unsupported("a path into json of computed steps, or of positions", at.span, "Use -> step by step.");
    }
    return steps.reduce((found, each) => named(found, each, at), document);
  };
  const path = (node: Binary): Expression => along(node.left, pathSteps(node.right), node);
  const extractedPath = (node: Call): Expression => {
    const [document, ...steps] = values(node);
    if (document === undefined) return node;
    const names = steps.map((each) => (each.kind === "string" ? each.value : undefined));
    return along(document, names.every((each) => each !== undefined) ? names : undefined, node);
  };
  return {
    member: (node) => step(node.left, node.right, node),
    memberText: (node) => documents.text(step(node.left, node.right, node), node),
    subscript: (node) => step(node.operand, node.index, node),
    path,
    pathText: (node) => documents.text(path(node), node),
    extractedPath,
    extractedText: (node) => documents.text(extractedPath(node), node),
  };
}

/**
 * A literal for which another order of keys, and another form of numbers, makes no difference. `keepsLast`: of members with one name the
 * target keeps the last, as jsonb does.
 */
export function literalJson(written: Expression, at: Expression, keepsLast = true): Expression {
  if (written.kind !== "string") throw unsupported("json that is computed", written.span, "Use a column of type json.");
  try {
    JSON.parse(written.value);
  } catch {
    throw unsupported("a text that is no json", at.span);
  }
  const numbers = written.value.replace(TEXTS, "").match(/[-+.\deE]+/g) ?? [];
  const strange = numbers.find(
    (each) =>
      /\d/.test(each) && !/^-?(?!0+$)\d{1,18}$|^0$/.test(each) && !/^-?(?=[\d.]{3,16}$)\d{1,7}\.\d*[1-9]$/.test(each),
  );
  if (strange !== undefined) throw unsupported(`the number ${strange.slice(0, 40)} in json`, at.span);
  const isBinary = at.type?.kind === "json" && at.type.binary === true;
  if (!(isBinary && keepsLast) && repeatsNames(written.value)) {
    throw unsupported("a name that comes twice in an object of json", at.span, "Write it once.");
  }
  return written;
}

/** The texts of a document, names among them. */
const TEXTS = /"(?:[^"\\]|\\[\s\S]?)*"?/g;

/** Whether objects of the document have fewer members than names are written. */
function repeatsNames(json: string): boolean {
  const names = json.replace(TEXTS, "").split(":").length - 1;
  return names > countMembers(JSON.parse(json));
}

/** Documents may be nested more deeply than calls. */
function countMembers(document: unknown): number {
  const left = [document];
  let count = 0;
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (typeof value !== "object" || value === null) continue;
    const inner = Object.values(value);
    if (!Array.isArray(value)) count += inner.length;
    for (const each of inner) left.push(each);
  }
  return count;
}

/** Parts of a document that may be shown as JSON: texts, keywords, and numbers whose text is the same in every representation. */
export const PLAIN_JSON = '(["tfn].*|-?[0-9]+|-?[0-9]{1,7}[.][0-9]{0,8}[1-9])';
