/**
 * JSON that is made of values, as a text of it: the functions of most engines write numbers with other digits, or leave NULLs out. The
 * text is made of parts in the input language, so that every target spells them by its own rules. A string may have other escapes than
 * PostgreSQL's: only its value is planned, as an item of a SELECT and within other JSON.
 */
import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { functionName } from "../../functions/calls.ts";
import { call, concatenation, renamed, text, typed, values, withArguments } from "../../syntax/build.ts";
import type { Call, Expression, Spelled, Template } from "../../syntax/tree.ts";
import { children } from "../../syntax/walk.ts";
import { isMadeJson, type SqlType, TEXT, typeOrUnknown } from "../../types.ts";
import { PART } from "../meanings.ts";
import { isSpelled, spelled, words } from "../templates/template.ts";
import type { JsonTexts } from "./json-writing.ts";
import { byLength } from "./jsonb-order.ts";

/** Means to lower the parts. */
export interface JsonMeans {
  readonly texts: JsonTexts;
  /** SQL over `PART`, in the place of a lowered value. */
  readonly defined: (sql: string, part: Expression) => Expression;
  /** A node whose children are lowered, by the target's rule. */
  readonly lowered: (node: Expression) => Expression;
}

const MADE = words("$1");
/** A document of values, which is never NULL. */
const BUILT = words("$1", { nulls: "never" });

const isMade = (node: Expression): node is Spelled => isSpelled(node, MADE) || isSpelled(node, BUILT);

const MAKERS: ReadonlySet<string> = new Set([
  ..."json_build_object jsonb_build_object json_build_array jsonb_build_array".split(" "),
  ..."to_json to_jsonb json_agg jsonb_agg json_object_agg jsonb_object_agg".split(" "),
]);

/** Texts and lowered texts, of which neighbouring constants are one. */
type Parts = readonly (string | Expression)[];

const ISO_TEXT = `'"' || CAST(${PART} AS text) || '"'`;

/** The text of a value that is not NULL by its type; texts and json are the target's. */
const BY_TYPE: Partial<Record<SqlType["kind"], string>> = {
  integer: `CAST(${PART} AS text)`,
  decimal: `CAST(${PART} AS text)`,
  boolean: `CASE WHEN ${PART} THEN 'true' WHEN NOT ${PART} THEN 'false' END`,
  date: ISO_TEXT,
  time: ISO_TEXT,
  uuid: ISO_TEXT,
  timestamp: `'"' || replace(CAST(${PART} AS text), ' ', 'T') || '"'`,
};

/** The document of a call whose arguments are lowered. */
export function madeJson(node: Call, means: JsonMeans): Expression {
  return new MadeJson(node, means).document();
}

class MadeJson {
  readonly #node: Call;
  readonly #means: JsonMeans;

  constructor(node: Call, means: JsonMeans) {
    this.#node = node;
    this.#means = means;
  }

  document(): Expression {
    const node = this.#node;
    const list = values(node);
    const [first, second] = list;
    switch (functionName(node)) {
      case "json_build_array":
      case "jsonb_build_array":
        return this.#made(BUILT, [
          "[",
          ...list.flatMap((value, index) => [index === 0 ? "" : ", ", this.#member(value)]),
          "]",
        ]);
      case "json_build_object":
      case "jsonb_build_object":
        return this.#made(BUILT, ["{", ...this.#members(list), "}"]);
      case "json_agg":
      case "jsonb_agg":
        return this.#made(MADE, ["[", this.#rows(first === undefined ? [] : [this.#member(first)]), "]"]);
      case "json_object_agg":
      case "jsonb_object_agg":
        return this.#rowsAsObject(first, second ?? node);
      default:
        if (first === undefined) return node;
        return first.kind === "null" ? first : this.#made(MADE, [this.#text(first)]);
    }
  }

  get #isBinary(): boolean {
    const { type } = this.#node;
    return type?.kind === "json" && type.binary === true;
  }

  get #colon(): string {
    return this.#isBinary ? ": " : " : ";
  }

  #rowsAsObject(name: Expression | undefined, value: Expression): Expression {
    const members = this.#rows([this.#nameOfRow(name), this.#colon, this.#member(value)]);
    return this.#made(MADE, this.#isBinary ? ["{", members, "}"] : ["{ ", members, " }"]);
  }

  #made(template: Template, parts: Parts): Expression {
    return spelled(template, [this.#joined(parts)], this.#node);
  }

  #joined(parts: Parts): Expression {
    const merged: (string | Expression)[] = [];
    for (const part of parts) {
      const last = merged.at(-1);
      if (typeof part === "string" && typeof last === "string") merged[merged.length - 1] = last + part;
      else merged.push(part);
    }
    return merged
      .filter((part) => part !== "")
      .map((part) => (typeof part === "string" ? text(part, this.#node) : part))
      .reduce((left, right) => this.#means.lowered(concatenation(left, right, this.#node)));
  }

  /** Names and values in turns. */
  #members(list: readonly Expression[]): Parts {
    const members: (readonly [name: string, value: Expression])[] = [];
    for (let index = 0; index < list.length; index += 2) {
      const [name, value] = list.slice(index, index + 2);
      if (name?.kind !== "string" || value === undefined) {
        throw unsupported("json with a computed name", this.#node.span, "Write names as literals.");
      }
      members.push([name.value, value]);
    }
    // jsonb keeps the last of equal names.
    const kept = this.#isBinary ? [...new Map(members)].sort(([a], [b]) => byLength(a, b)) : members;
    return kept.flatMap(([name, value], index) => [
      `${index === 0 ? "" : ", "}${JSON.stringify(name)}${this.#colon}`,
      this.#member(value),
    ]);
  }

  #rows(parts: Parts): Expression {
    const { distinct, over, span } = this.#node;
    if (distinct || over !== undefined) {
      throw unsupported(
        "json of rows with DISTINCT or over a window",
        span,
        "Collect the rows of groups, without DISTINCT.",
      );
    }
    const element = this.#joined(parts);
    const joined = withArguments(renamed(this.#node, "string_agg"), [element, text(", ", this.#node)]);
    return this.#means.lowered({ ...joined, type: TEXT });
  }

  /** PostgreSQL raises for a name that is NULL. */
  #nameOfRow(name: Expression | undefined): Expression {
    if (name === undefined || typeOrUnknown(name).kind !== "text") {
      throw unsupported("json of rows whose names are no texts", this.#node.span, "Cast the names to text.");
    }
    if (isNullable(name)) {
      throw unsupported("json of rows whose name may be NULL", name.span, "Fill in the missing names in a subquery.");
    }
    return this.#means.texts.quoted(name, name);
  }

  /** With `null` for NULL. */
  #member(value: Expression): string | Expression {
    if (value.kind === "null") return "null";
    if (value.kind === "string") return JSON.stringify(value.value);
    const shown = this.#text(value);
    return isNullable(value) ? this.#means.defined(`coalesce(${PART}, 'null')`, shown) : shown;
  }

  #text(value: Expression): Expression {
    const { texts, defined } = this.#means;
    if (isMade(value)) return value.parts[0] ?? value;
    const type = typeOrUnknown(value);
    if (type.kind === "text") return texts.quoted(value, value);
    if (isMadeJson(type)) return { ...value, type: TEXT };
    if (type.kind === "json" && texts.shown !== undefined) return texts.shown(value, value);
    const sql = BY_TYPE[type.kind];
    const isZoned = (type.kind === "timestamp" || type.kind === "time") && type.zoned;
    if (sql !== undefined && !isZoned) return defined(sql, value);
    throw unsupported(
      isZoned ? "json of an instant" : type.kind === "json" ? "json in json" : `json of type ${type.kind}`,
      value.span,
      "Write its text: CAST(… AS text), or to_char(…).",
    );
  }
}

const EMPTY: ReadonlyMap<string, string> = new Map([
  ["[]", "json_build_array"],
  ["{}", "json_build_object"],
]);

/** `coalesce(json_agg(x), '[]'::json)`: the literal is made, too. */
export function withEmptyJson(node: Call): Call {
  if (functionName(node) !== "coalesce") return node;
  const list = values(node);
  const type = list.map(typeOrUnknown).find(isMadeJson);
  if (type === undefined) return node;
  const made = (value: Expression): Expression => {
    const literal = value.kind === "cast" && value.operand.kind === "string" ? value.operand.value.trim() : "";
    const maker = EMPTY.get(literal);
    return maker === undefined ? value : call(maker, [], typed(type, value));
  };
  return withArguments(node, list.map(made));
}

/** JSON that is made here is a text, where the target may have a type for json: nothing but an answer or other JSON may have it. */
export function refuseReadJson(node: Expression): void {
  if (node.kind === "is" || node.kind === "bound" || node.kind === "spelled") return;
  const name = node.kind === "call" ? functionName(node) : "";
  if (node.kind === "call" && (MAKERS.has(name) || (name === "count" && !node.distinct))) return;
  const made = children(node).find((child) => isMadeJson(typeOrUnknown(child)));
  if (made === undefined) return;
  const results = node.kind === "case" ? [...node.branches.map(({ then }) => then), node.otherwise] : [];
  const alternatives = name === "coalesce" && node.kind === "call" ? values(node) : results;
  const areMade = alternatives.every(
    (each) => each === undefined || each.kind === "null" || isMadeJson(typeOrUnknown(each)),
  );
  if (alternatives.length > 0 && areMade) return;
  throw unsupported(
    "json that is made of values, within an expression",
    made.span,
    "Select it as it is, and compute with the values.",
  );
}
