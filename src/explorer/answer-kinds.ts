/** The states of an answer, from the first row that arrives to its end. */
import type { Failure, Warning } from "./answers.ts";
import type { Question } from "./question.ts";
import type { Column } from "./row-stream.ts";

/** Rows that the page keeps; the rest of an answer is counted. */
export const KEPT_ROWS = 10_000;

export interface Rows {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly unknown[])[];
  /** Rows that arrived; more than `rows` has where the page did not keep all. */
  readonly count: number;
}

export type Answer =
  | { readonly kind: "none" }
  | ({ readonly kind: "running"; readonly since: number } & Rows)
  | ({
      readonly kind: "whole";
      /** The question that was answered; the page may show another one meanwhile. */
      readonly question: Question;
      readonly milliseconds: number;
      readonly notes: Notes;
      readonly isCut: boolean;
    } & Rows)
  | ({ readonly kind: "cancelled" } & Rows)
  | ({ readonly kind: "broken"; readonly failure: Failure } & Rows)
  | { readonly kind: "failed"; readonly failure: Failure };

/** Facts about an answer, from its headers. */
export interface Notes {
  readonly rowRules: string | undefined;
  readonly correlationId: string | undefined;
  /** Time when the cached answer was made; undefined if it comes from the source. */
  readonly cachedAt: number | undefined;
  readonly warnings: readonly Warning[];
}
