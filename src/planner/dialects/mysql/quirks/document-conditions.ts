/**
 * Conditions on the elements of a document of each row. Where MySQL joins the rows of JSON_TABLE instead of asking the subquery, it
 * finds other rows; within a function it asks. Seen on MySQL 9.7.4 over 300 rows, all of which it gives for `SELECT count(*) FROM t
 * WHERE NOT EXISTS (SELECT 1 FROM JSON_TABLE(t.j, '$[*]' COLUMNS (v LONGTEXT PATH '$')) e WHERE e.v = 'x')`. Not reported to MySQL; others
 * saw EXISTS find nothing on 8.0 and 8.4 (https://github.com/SPANDigital/cel2sql/pull/177). MariaDB asks anyway.
 */
import { call, typed } from "../../../syntax/build.ts";
import { transformQuery } from "../../../syntax/rewrite.ts";
import type { Expression, Query } from "../../../syntax/tree.ts";
import { type SyntaxNode, someNode } from "../../../syntax/walk.ts";
import { BOOLEAN } from "../../../types.ts";
import { ELEMENTS, NUMBERS, TEXTS } from "../json-rows.ts";

const ROWS: ReadonlySet<string> = new Set([ELEMENTS, NUMBERS, TEXTS]);

export const isRowsOfDocument = (node: SyntaxNode): boolean =>
  node.kind === "function" && ROWS.has(node.call.name[0]?.name ?? "");

export function withAskedDocuments(statement: Query): Query {
  return transformQuery(statement, { expression: (node) => (isOfDocument(node) ? asked(node) : node) });
}

function isOfDocument(node: Expression): boolean {
  const { query } = node.kind === "exists" || node.kind === "in-query" || node.kind === "quantified" ? node : {};
  return query !== undefined && someNode(query, isRowsOfDocument);
}

/** The same value: a function of it that MySQL does not see through. */
const asked = (node: Expression): Expression =>
  call("coalesce", [node, { kind: "null", span: node.span, type: BOOLEAN }], typed(BOOLEAN, node));
