import { PlannerError } from "../diagnostics.ts";

/** A SYNTAX error at `[start, end)`, for the parts that know offsets and no tokens yet. */
export function syntaxFault(message: string, start: number, end: number, hint?: string): PlannerError {
  return new PlannerError("SYNTAX", message, { span: { start, end }, ...(hint === undefined ? {} : { hint }) });
}
