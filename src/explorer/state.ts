/** All that the page knows, as signals. `opening.ts` and `asking.ts` change them, and the parts of the page read them. */
import { computed, signal } from "@preact/signals";
import type { Answer } from "./answer-kinds.ts";
import { ApiFailure, type Explanation, type Failure, type ListedProject, type Project } from "./answers.ts";
import type { CubeQuery } from "./cube/cube-query.ts";
import type { Question } from "./question.ts";

export const LIMITS = [100, 1000, 10_000, undefined] as const;

export type Opening =
  | { readonly kind: "loading" }
  | { readonly kind: "open" }
  | { readonly kind: "failed"; readonly failure: Failure };

export const token = signal<string | undefined>(undefined);
export const opening = signal<Opening>({ kind: "loading" });
export const projects = signal<readonly ListedProject[]>([]);
export const project = signal<Project | undefined>(undefined);
/** The way that the question is written. */
export const mode = signal<Question["kind"]>("sql");
export const sql = signal("");
/** The query of the builder; undefined until somebody opens it. */
export const cubeQuery = signal<CubeQuery | undefined>(undefined);
/** The question as it stands in the editor or the builder. */
export const question = computed<Question>(() =>
  mode.value === "cube" && cubeQuery.value !== undefined
    ? { kind: "cube", cube: cubeQuery.value }
    : { kind: "sql", sql: sql.value },
);
export const limit = signal<number | undefined>(1000);
/** Session values of somebody else, by name. */
export const viewAs = signal<Readonly<Record<string, string>> | undefined>(undefined);
export const answer = signal<Answer>({ kind: "none" });
/** The answer that somebody else would get, beside one's own. */
export const viewedAnswer = signal<Answer>({ kind: "none" });
/** The plan of the question, or why it has none. */
export const explained = signal<(Explanation & { readonly sql: string }) | undefined>(undefined);
export const refusal = signal<Failure | undefined>(undefined);
export const isRunning = computed(() => answer.value.kind === "running" || viewedAnswer.value.kind === "running");
/** Said to screen readers. */
export const announcement = signal("");
/** A failure beside the answer, such as that of a file that was to be saved. */
export const notice = signal<string | undefined>(undefined);

export function failureOfError(error: unknown): Failure {
  if (error instanceof ApiFailure) return error.failure;
  return { status: 0, code: "PAGE", message: error instanceof Error ? error.message : String(error), suggestions: [] };
}
