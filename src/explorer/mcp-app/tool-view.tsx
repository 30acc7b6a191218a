/** A tool's result in all its states. */
import { useState } from "preact/hooks";
import { ChartView } from "../chart.tsx";
import { type ChartKind, chartOf } from "../chart-data.ts";
import { GUARANTEES } from "../guarantees.ts";
import { ResultView, Warnings } from "../result-view.tsx";
import type { Shown } from "./tool-result.ts";

export function ToolView({ shown, question }: { readonly shown: Shown; readonly question: string | undefined }) {
  return (
    <main aria-label="Result">
      <Body shown={shown} />
      {question !== undefined && (
        <details>
          <summary>Question</summary>
          <pre>{question}</pre>
        </details>
      )}
    </main>
  );
}

function Body({ shown }: { readonly shown: Shown }) {
  switch (shown.kind) {
    case "waiting":
      return (
        <p class="note" role="status">
          Waiting for the answer…
        </p>
      );
    case "cancelled":
      return (
        <p class="note" role="status">
          Cancelled. {shown.reason}
        </p>
      );
    case "failed":
      return (
        <div class="note bad" role="alert">
          <b>{shown.failure.code === "" ? "The tool failed." : shown.failure.code}</b>
          <pre>{shown.failure.message}</pre>
        </div>
      );
    case "text":
      return <pre>{shown.text}</pre>;
    case "answer":
      return <Answered answer={shown.answer} />;
    default:
      return shown satisfies never;
  }
}

function Answered({ answer }: Pick<Extract<Shown, { readonly kind: "answer" }>, "answer">) {
  const [isChart, showChart] = useState(false);
  const [wanted, choose] = useState<ChartKind>();
  const { columns, rows, count, isCut, notes } = answer;
  const { warnings, rowRules, correlationId } = notes;
  const choice = chartOf(columns, rows, wanted);
  const canChart = "chart" in choice && !isCut;
  return (
    <>
      <div class="head">
        <span role="status">
          {count.toLocaleString("en")} {count === 1 ? "row" : "rows"}
          {isCut && ", and there are more"}
        </span>
        {canChart && (
          <fieldset class="modes" aria-label="View">
            <button type="button" aria-pressed={!isChart} onClick={() => showChart(false)}>
              Table
            </button>
            <button type="button" aria-pressed={isChart} onClick={() => showChart(true)}>
              Chart
            </button>
          </fieldset>
        )}
      </div>
      <Warnings warnings={warnings} />
      {canChart && isChart ? <ChartView chart={choice.chart} choose={choose} /> : <ResultView of={answer} />}
      <footer>
        {rowRules !== undefined && (
          <span>
            Row rules <b>{GUARANTEES[rowRules] ?? rowRules}</b>
          </span>
        )}
        {correlationId !== undefined && correlationId !== "" && (
          <span>
            Query <code>{correlationId}</code>
          </span>
        )}
      </footer>
    </>
  );
}
