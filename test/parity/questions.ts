/** The parity queries with their names. */
import { CONSTRUCTS } from "./constructs.ts";
import { FUNCTION_QUERIES } from "./functions.ts";
import { SUBJECTS } from "./originals/subjects.ts";
import { OVER_TABLES } from "./originals-over-tables.ts";
import { type Question, questionsOf } from "./queries.ts";

export const CONSTRUCT_QUESTIONS: readonly Question[] = Object.entries(CONSTRUCTS).flatMap(([name, queries]) =>
  questionsOf(name, queries),
);
export const FUNCTION_QUESTIONS: readonly Question[] = questionsOf("functions", FUNCTION_QUERIES);
export const ORIGINAL_QUESTIONS: readonly Question[] = SUBJECTS.flatMap(({ name, queries }) =>
  questionsOf(name, queries),
);
export const OVER_TABLES_QUESTIONS: readonly Question[] = OVER_TABLES.flatMap(({ name, queries }) =>
  questionsOf(name, queries),
);
