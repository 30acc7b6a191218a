/** Limits of a server that a right statement meets: its own errors, which nothing here can mend and no answer is wrong by. */
import type { DataSource } from "../../src/planner/plan.ts";

interface Limit {
  readonly error: RegExp;
  readonly why: string;
}

const RECURSION: Limit = {
  error: /Recursion depth limit exceeded/,
  why: "a recursion of more steps than the server allows (`max_recursion_depth`, 10 by itself)",
};

const LIMITS: Partial<Record<DataSource, readonly Limit[]>> = {
  trino: [RECURSION],
  athena: [RECURSION],
  canner: [RECURSION],
  mysql: [{ error: /^Incorrect DATE value: '\d{5,}-/, why: "a year beyond 9999, which MySQL has not" }],
};

/** Why an engine's error is a limit of the server's, where it is one. */
export const limitOf = (source: DataSource, detail: string): string | undefined =>
  LIMITS[source]?.find(({ error }) => error.test(detail))?.why;
