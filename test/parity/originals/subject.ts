/**
 * Queries whose answer is PostgreSQL's own to the text as it is written: nothing of ours stands between. What is planned
 * for an engine gives the same rows, or is listed as refused there (`../refused/matrix.ts`). Each subject says what was searched.
 */
import type { Queries } from "../queries.ts";

export interface Subject {
  readonly name: string;
  readonly queries: Queries;
}
