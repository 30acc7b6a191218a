/** The rows of an answer with all that their reader must know: warnings, missing rows, failures. It reads no state of the page. */
import { type Answer, KEPT_ROWS } from "./answer-kinds.ts";
import type { Warning } from "./answers.ts";
import { ResultTable } from "./result-table.tsx";

export function Warnings({ warnings }: { readonly warnings: readonly Warning[] }) {
  return (
    <>
      {warnings.map(({ code, message, hint, position }) => (
        <p key={`${code} ${position?.offset ?? ""}`} class="warning">
          <span aria-hidden="true">▲</span> <b>{code}</b> {message}{" "}
          {hint !== undefined && !message.includes(hint) && hint}
        </p>
      ))}
    </>
  );
}

export function ResultView({ of }: { readonly of: Answer }) {
  switch (of.kind) {
    case "none":
      return <p class="note">Write a question and run it.</p>;
    case "failed":
      return (
        <div class="note bad" role="alert">
          <b>{titleOf(of.failure.status)}</b>
          <p>{of.failure.message}</p>
          {of.failure.retryAfter !== undefined && <p>Try again in {of.failure.retryAfter} s.</p>}
          {of.failure.correlationId !== undefined && <p class="dim">Correlation {of.failure.correlationId}</p>}
        </div>
      );
    case "running":
    case "whole":
    case "cancelled":
    case "broken":
      return (
        <>
          {of.kind === "broken" && (
            <div class="note bad" role="alert">
              <b>The answer is not whole.</b> {of.failure.message} {of.failure.hint}
            </div>
          )}
          {of.kind === "cancelled" && <p class="note">Cancelled: rows are missing.</p>}
          {of.kind === "whole" && of.isCut && (
            <p class="note">
              {of.count === 1 ? "The first row is" : `The first ${of.count.toLocaleString("en")} rows are`} shown, and
              there are more. Do not add them up.
            </p>
          )}
          {of.count > KEPT_ROWS && (
            <p class="note">
              The page keeps the first {KEPT_ROWS.toLocaleString("en")} of {of.count.toLocaleString("en")} rows. Save
              CSV or Arrow for all.
            </p>
          )}
          {of.kind === "whole" && of.count === 0 && <p class="note">No rows.</p>}
          {of.kind === "running" && of.columns.length === 0 ? (
            <p class="note" aria-busy="true">
              Running…
            </p>
          ) : (
            <ResultTable columns={of.columns} rows={of.rows} count={Math.min(of.count, of.rows.length)} />
          )}
        </>
      );
    default:
      return of satisfies never;
  }
}

function titleOf(status: number): string {
  if (status === 401) return "Your credentials are not accepted.";
  if (status === 403) return "You may not ask this.";
  if (status === 503 || status === 429) return "The service has no room now.";
  if (status === 0) return "The service does not answer.";
  return status >= 500 ? "The source failed." : "The question is refused.";
}
