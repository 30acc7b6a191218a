/** jsonb with members and elements added or taken away, in DuckDB's own words. Measured on DuckDB 1.4.5 against PostgreSQL 18. */

import { unsupported } from "../../diagnostics.ts";
import { pathSteps } from "../../lowering/json/json-paths.ts";
import { cast, inPlaceOf } from "../../syntax/build.ts";
import type { Binary, Expression } from "../../syntax/tree.ts";
import { TEXT } from "../../types.ts";
import { applied, marked, pairOfTexts, untagged } from "./json-texts.ts";

const joined = (list: string): string => `coalesce(array_to_string(${list}, ','), '')`;

/** The members of an object as texts, of names that fulfil a condition. */
const members = (json: string, condition: string): string =>
  `list_transform(json_keys(${json}), (lambda _jk, _ji: CASE WHEN ${condition} THEN to_json(_jk) || ':' || ` +
  `json_extract(${json}, '$.*')[_ji] END))`;

const elements = (json: string): string => `json_extract(${json}, '$[*]')::varchar[]`;

const isA = (json: string, kind: "OBJECT" | "ARRAY"): string => `json_type(${json}) = '${kind}'`;

const cannot = (what: string): string => `error('cannot delete from ${what}')`;

/** `j - 'name'`, `j - ARRAY['a', 'b']`, `j - 1`. */
export function withoutMembers(node: Binary): Expression {
  const { left, right } = node;
  if (right.type?.kind === "integer") {
    const kept = (json: string, index: string): string =>
      `list_transform(${elements(json)}, (lambda _je, _ji: CASE WHEN _ji <> CASE WHEN ${index} < 0 ` +
      `THEN json_array_length(${json}) + ${index} ELSE ${index} END + 1 THEN _je END))`;
    return edited(
      left,
      right,
      (json, index) =>
        `CASE WHEN ${index} IS NULL THEN NULL WHEN ${isA(json, "ARRAY")} THEN '[' || ${joined(kept(json, `${index}::bigint`))} || ']' ` +
        `WHEN ${json} IS NOT NULL THEN ${cannot("object or scalar by an index")} END`,
      node,
    );
  }
  const names = pathSteps(right.kind === "cast" ? right.operand : right);
  const isList = right.type?.kind === "array" && names !== undefined;
  if (!isList && right.type?.kind !== "text") {
    throw unsupported("json without what is computed", right.span, "Write j - 'name', or j - ARRAY['a', 'b'].");
  }
  const isKept = (name: string, gone: string): string =>
    isList
      ? `NOT list_contains([${names.map((each) => `'${each.replaceAll("'", "''")}'`).join(", ")}]::varchar[], ${name})`
      : `${name} <> ${gone}`;
  const text = "json_extract_string(_je, '$')";
  const body = (json: string, gone: string): string =>
    `CASE WHEN ${isA(json, "OBJECT")} THEN '{' || ${joined(members(json, isKept("_jk", gone)))} || '}' ` +
    `WHEN ${isA(json, "ARRAY")} THEN '[' || ${joined(
      `list_transform(${elements(json)}, (lambda _je: CASE WHEN json_type(_je) <> 'VARCHAR' OR starts_with(_je, '"\\u0001') ` +
        `OR ${isKept(text, gone)} THEN _je END))`,
    )} || ']' WHEN ${json} IS NOT NULL THEN ${cannot("scalar")} END`;
  return edited(
    left,
    isList ? left : right,
    (json, gone) => (isList ? body(json, gone) : `CASE WHEN ${gone} IS NOT NULL THEN ${body(json, gone)} END`),
    node,
  );
}

/** `a || b`: the members of both, those of `b` where names are the same; else arrays, in which anything else is an element. */
export function joinedJson(node: Binary): Expression {
  const list = (json: string): string => `CASE WHEN ${isA(json, "ARRAY")} THEN ${elements(json)} ELSE [${json}] END`;
  const isOther = (json: string): string => `json_type(${json}) NOT IN ('OBJECT', 'ARRAY')`;
  return edited(
    node.left,
    marked(node.right),
    (a, b) =>
      `CASE WHEN ${a} IS NULL OR ${b} IS NULL THEN NULL WHEN ${isA(a, "OBJECT")} AND ${isA(b, "OBJECT")} THEN '{' || ${joined(
        `${members(a, `NOT list_contains(json_keys(${b}), _jk)`)} || ${members(b, "true")}`,
      )} || '}' WHEN (${isA(a, "OBJECT")} AND ${isOther(b)}) OR (${isA(b, "OBJECT")} AND ${isOther(a)}) ` +
      `THEN error('invalid concatenation of jsonb objects') ELSE '[' || ${joined(`${list(a)} || ${list(b)}`)} || ']' END`,
    node,
  );
}

function edited(
  json: Expression,
  other: Expression,
  body: (json: string, other: string) => string,
  node: Expression,
): Expression {
  const text = cast(other, "text", { span: other.span, type: TEXT });
  return applied((x) => untagged(body(`${x}[1]`, `${x}[2]`)), pairOfTexts(marked(json), text), inPlaceOf(node));
}
