/**
 * `json_to_recordset(j) AS t(a int, b text)` and similar: the only functions whose columns the query declares. The
 * parser reads them as the equivalent derived table, `(SELECT CAST(_e ->> 'a' AS int) AS a, … FROM
 * json_array_elements(j) AS _e)`, so that names and types are handled as for any other table.
 */
import {
  binary,
  call,
  exactName,
  isNull,
  queryOf,
  selectItem,
  selectOf,
  text,
  unbound,
  values,
  when,
} from "./build.ts";
import type { Cursor } from "./cursor.ts";
import type { Call, Expression, Identifier, Span, TableExpression, TypeName } from "./tree.ts";

interface StatedColumn {
  readonly name: Identifier;
  readonly typeName: TypeName;
}

/** The functions → the function that returns their rows; a record is one row. */
const ELEMENTS: Readonly<Record<string, string | undefined>> = {
  json_to_record: undefined,
  jsonb_to_record: undefined,
  json_to_recordset: "json_array_elements",
  jsonb_to_recordset: "jsonb_array_elements",
};

/**
 * The table for a call with declared columns after it, `AS t(a int)` or `AS (a int)`; `undefined` for all other
 * functions.
 */
export function parseRecords(cursor: Cursor, start: number, node: Call): TableExpression | undefined {
  const name = node.name.length === 1 ? (node.name[0]?.name.toLowerCase() ?? "") : "";
  const [document] = values(node);
  if (!Object.hasOwn(ELEMENTS, name) || document === undefined || node.arguments.length > 1) return undefined;
  const isNamed = cursor.accept("as") ? cursor.kind !== "(" : cursor.isName();
  const alias = isNamed ? cursor.name("a table alias") : exactName(name, node.span);
  const columns: StatedColumn[] = [];
  cursor.expect("(", `the columns of ${name} and their types: AS t(a integer, b text)`);
  do {
    const column = cursor.name("a column name");
    const typeName = cursor.grammar.parseTypeName(cursor);
    if (typeName.dimensions > 1 || typeName.members.length > 0) {
      const what = typeName.dimensions > 1 ? "an array of arrays" : "a structure";
      cursor.fail(`${name} with a column that is ${what}`, "Make it json, and take its elements where they are used.");
    }
    columns.push({ name: column, typeName });
  } while (cursor.accept(","));
  cursor.expect(")", "',' or ')' after the column's type");
  const elements = ELEMENTS[name];
  const row: Expression =
    elements === undefined ? document : { kind: "column", parts: [exactName("_v", node.span)], span: node.span };
  const items = columns.map((column) => selectItem(valueOf(row, column), column.name, node));
  const from: TableExpression[] =
    elements === undefined
      ? []
      : [
          {
            kind: "function",
            call: call(elements, [document], unbound(node)),
            lateral: false,
            ordinality: false,
            alias: { name: exactName("_e", node.span), columns: [exactName("_v", node.span)] },
            span: node.span,
          },
        ];
  return {
    kind: "derived",
    query: queryOf(selectOf({ items, from }, node)),
    lateral: true,
    alias: { name: alias, columns: [] },
    span: cursor.spanFrom(start),
  };
}

function valueOf(row: Expression, { name, typeName }: StatedColumn): Expression {
  const at = { span: name.span };
  const member = (operator: "->" | "->>"): Expression => binary(row, operator, text(name.name, at), unbound(at));
  if (typeName.dimensions > 0) return arrayOf(member("->"), member("->>"), typeName, at);
  const value = member(/^jsonb?$/.test(typeName.name) ? "->" : "->>");
  return { kind: "cast", operand: value, typeName, safe: false, span: name.span };
}

/** The elements of a member, `NULL` for a member that is missing or null; a member that is not an array raises an error. */
function arrayOf(member: Expression, asText: Expression, typeName: TypeName, at: { readonly span: Span }): Expression {
  const [table, column] = [exactName("_a", at.span), exactName("_x", at.span)];
  const isJson = /^jsonb?$/.test(typeName.name);
  // DuckDB computes the elements of every row before the condition around them: without an array there are none.
  const array = when(isNull(asText, true), member, text("[]", at), unbound(at));
  const elements = call(isJson ? "json_array_elements" : "json_array_elements_text", [array], unbound(at));
  const element: Expression = { kind: "column", parts: [column], span: at.span };
  const value: Expression = {
    kind: "cast",
    operand: element,
    typeName: { ...typeName, dimensions: 0 },
    safe: false,
    span: at.span,
  };
  const from: TableExpression = {
    kind: "function",
    call: elements,
    lateral: false,
    ordinality: false,
    alias: { name: table, columns: [column] },
    span: at.span,
  };
  const query = queryOf(selectOf({ items: [selectItem(value, undefined, at)], from: [from] }, at));
  return when(isNull(asText, true), { kind: "array-query", query, span: at.span }, undefined, unbound(at));
}
