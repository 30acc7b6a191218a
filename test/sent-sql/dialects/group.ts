/** How the groups of statements over little tables are written. */
import type { Manifest } from "../../../src/planner/index.ts";
import type { StatementGroup } from "../../support/statements.ts";

/** Statements over the tables of one manifest, by what they show. */
export const over = (
  manifest: Manifest,
  groups: Readonly<Record<string, readonly string[]>>,
): readonly StatementGroup[] => Object.entries(groups).map(([name, statements]) => ({ name, manifest, statements }));

/** The parts as statements: each with the same text before it and after it. */
export const within = (before: string, after: string, parts: readonly string[]): readonly string[] =>
  parts.map((part) => before + part + after);

export const values = (expressions: readonly string[]): readonly string[] =>
  within("SELECT ", " AS x FROM t", expressions);

export const conditions = (expressions: readonly string[]): readonly string[] =>
  within("SELECT id FROM t WHERE ", "", expressions);
