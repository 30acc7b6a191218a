/** Tables of refused texts: where the error points, what it says, and what it advises. */
import { expect, it } from "vitest";
import type { PlannerReason } from "../../../src/planner/diagnostics.ts";
import { errorOf, query } from "./parsing.ts";

/** `«…»` marks the place the error must point at. */
interface Refusal {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function marked(text: string): Refusal {
  const start = text.indexOf("«");
  const end = text.indexOf("»") - 1;
  return { text: text.replace("«", "").replace("»", ""), start, end };
}

export type Refused = readonly [marked: string, message: string, hint: string | undefined];

/** One test per row. */
export function refuses(reason: PlannerReason, rows: readonly Refused[]): void {
  it.each(rows)("%s", (row, message, hint) => {
    const { text, start, end } = marked(row);
    const error = errorOf(() => query(text));
    expect({ reason: error.reason, message: error.message, hint: error.hint, span: error.span }).toEqual({
      reason,
      message,
      hint,
      span: { start, end },
    });
  });
}
