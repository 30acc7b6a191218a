/** Looks up a question and a source in `matrix.ts` and `reasons.ts`. */
import type { PlannedSource } from "../../../src/planner/dialects/targets.ts";
import { REFUSED } from "./matrix.ts";
import { NOT_SUPPORTED, NOT_SUPPORTED_ON } from "./reasons.ts";

type Source = PlannedSource | "mariadb";
export type ReasonedSource = keyof typeof NOT_SUPPORTED_ON;

const wordsOf = (source: Source): readonly string[] => {
  if (source === "mariadb") return ["mysql"];
  return source === "mysql" ? ["mysql", "mysql-alone"] : [source];
};

/** `name`: of a question. */
export function isRefusedOn(source: Source, name: string): boolean {
  const sources = REFUSED[name]?.split(" ") ?? [];
  return wordsOf(source).some((word) => sources.includes(word));
}

/** Undefined where the question is planned. */
export function whatIsRefusedOn(source: ReasonedSource, name: string): string | undefined {
  return isRefusedOn(source, name) ? (NOT_SUPPORTED_ON[source][name] ?? NOT_SUPPORTED[name]) : undefined;
}
