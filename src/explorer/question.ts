/** A question of the page: a statement, or a structured query over a cube. Both have a route of the project, and an SQL text. */
import { type CubeQuery, missingIn } from "./cube/cube-query.ts";
import { cubeSql } from "./cube/cube-sql.ts";

export type Question =
  | { readonly kind: "sql"; readonly sql: string }
  | { readonly kind: "cube"; readonly cube: CubeQuery };

/** Route of the project, and the members of its body. */
export function requestOf(question: Question): {
  readonly operation: "query" | "cube";
  readonly body: Readonly<Record<string, unknown>>;
} {
  return question.kind === "sql"
    ? { operation: "query", body: { sql: question.sql } }
    : { operation: "cube", body: { cube: question.cube } };
}

/** The statement of the input language with the same answer. */
export const sqlOf = (question: Question): string => (question.kind === "sql" ? question.sql : cubeSql(question.cube));

/** It can be asked: a structured query that still needs a member is not sent. */
export const isComplete = (question: Question): boolean =>
  question.kind === "sql" ? question.sql.trim() !== "" : missingIn(question.cube) === undefined;
