/** Queries that an engine is known to reject: one list for each engine, in this folder; the parity questions: `matrix.ts`. */
import type { PlannerReason } from "../../../src/planner/diagnostics.ts";

export interface Refusal {
  readonly reason: PlannerReason;
  /** Why no exact plan exists, in a line. */
  readonly why: string;
}

export type Refusals = Readonly<Record<string, Refusal>>;

/** Types by the value of `casts.ts` that is cast to them, separated by blanks. */
type CastList = Readonly<Record<string, string>>;

export interface EngineRefusals {
  /** For the corpus: query (`schema/topic/slug`) → the reason and its justification. */
  readonly corpus: Refusals;
  /** Cases of `test/acceptance` by their ids. */
  readonly acceptance: readonly string[];
  /** Analyst queries by their ids. */
  readonly analyst: readonly string[];
  readonly casts: CastList;
  /** Values that PostgreSQL casts, and the engine ends the statement over. */
  readonly raisingCasts: CastList;
}

/** Where the suite also holds what a refusal says (`reasons.ts`). */
export interface ReasonedRefusals extends Pick<EngineRefusals, "corpus" | "acceptance" | "casts" | "raisingCasts"> {
  /** Corpus queries that only the engine itself can reject: query → the beginning of its error. */
  readonly beyond?: Readonly<Record<string, string>>;
}

export const NO_REFUSALS: EngineRefusals = {
  corpus: {},
  acceptance: [],
  analyst: [],
  casts: {},
  raisingCasts: {},
};

export function isListedCast(list: CastList, cast: string): boolean {
  const [value = "", type = ""] = cast.split(" → ");
  return list[value]?.split(" ").includes(type) ?? false;
}

/** Queries that are refused for one reason: a line each, so that one that is answered leaves by itself. */
export interface RefusedQueries extends Refusal {
  readonly queries: readonly string[];
}

export function refusedFor(groups: readonly RefusedQueries[]): Refusals {
  const entries = groups.flatMap(({ queries, ...refusal }) => queries.map((query) => [query, refusal] as const));
  if (new Set(entries.map(([query]) => query)).size < entries.length) throw new Error("a query is listed twice");
  return Object.fromEntries(entries);
}
