/** Limit on the size of one response: `SELECT *, *, …` over a wide model grows far beyond its text. */
import { PlannerError } from "../diagnostics.ts";

/** In characters of JSON, roughly. */
const MOST = 8 * 1024 * 1024;

export class AnalysisBudget {
  #left: number;

  constructor(most = MOST) {
    this.#left = most;
  }

  /** @throws PlannerError LIMIT_SIZE */
  spend(characters: number): void {
    this.#left -= characters;
    if (this.#left < 0) throw new PlannerError("LIMIT_SIZE", "the analysis would be too large", { hint: HINT });
  }
}

const HINT = "Analyse fewer statements at once, or name the columns that are wanted.";
