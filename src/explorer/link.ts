/** The question behind `#` in the address: a link shares a question, never data or a credential. */
import { cubeQueryIn } from "./cube/cube-query.ts";
import type { Question } from "./question.ts";

const LONGEST = 100_000;

export function hashOf(question: Question): string {
  const members = question.kind === "sql" ? { sql: question.sql } : { cube: JSON.stringify(question.cube) };
  return `#${new URLSearchParams(members).toString()}`;
}

export function questionIn(hash: string): Question | undefined {
  if (hash.length > LONGEST) return undefined;
  const members = new URLSearchParams(hash.replace(/^#/, ""));
  const cube = cubeQueryIn(members.get("cube") ?? "");
  if (cube !== undefined) return { kind: "cube", cube };
  const sql = members.get("sql") ?? "";
  return sql === "" ? undefined : { kind: "sql", sql };
}

/** The project of the address `/explore/{project}`. */
export function projectIn(pathname: string): string | undefined {
  const [, name] = /^\/explore\/([a-z0-9-]{1,63})$/.exec(pathname) ?? [];
  return name;
}
