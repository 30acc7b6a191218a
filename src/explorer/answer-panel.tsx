/** The answer: table, chart, plan, lineage, and the request as a program makes it, in tabs; above them what the reader must know. */
import { useState } from "preact/hooks";
import type { Answer } from "./answer-kinds.ts";
import { Summary } from "./answer-summary.tsx";
import type { Warning } from "./answers.ts";
import { lazy } from "./lazy.tsx";
import { ResultView, Warnings } from "./result-view.tsx";
import { answer, explained, notice, viewAs, viewedAnswer } from "./state.ts";

const TABS = ["Result", "Chart", "Plan", "Lineage", "Graph", "Request"] as const;
type Tab = (typeof TABS)[number];

// What is behind the other tabs is half of the page's code.
const ChartPanel = lazy(async () => (await import("./chart-panel.tsx")).ChartPanel);
const PlanPanel = lazy(async () => (await import("./plan-panel.tsx")).PlanPanel);
const GraphPanel = lazy(async () => (await import("./graph/graph-panel.tsx")).GraphPanel);
const RequestPanel = lazy(async () => (await import("./request-panel.tsx")).RequestPanel);

export function AnswerPanel() {
  const [tab, open] = useState<Tab>("Result");
  const move = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const next = TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length] ?? "Result";
    open(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <section class="answer" aria-label="Answer">
      <div class="bar">
        <div role="tablist" aria-label="Views of the answer" onKeyDown={move}>
          {TABS.map((each) => (
            <button
              key={each}
              id={`tab-${each}`}
              type="button"
              role="tab"
              aria-selected={each === tab}
              aria-controls="panel"
              tabIndex={each === tab ? 0 : -1}
              onClick={() => open(each)}
            >
              {each}
            </button>
          ))}
        </div>
        <Summary of={answer.value} />
      </div>
      {notice.value !== undefined && (
        <p class="note bad" role="alert">
          {notice.value}
        </p>
      )}
      <Warnings warnings={warningsOf(answer.value)} />
      <div id="panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        <Panel tab={tab} />
      </div>
    </section>
  );
}

function Panel({ tab }: { readonly tab: Tab }) {
  switch (tab) {
    case "Result":
      return <Results />;
    case "Chart":
      return <ChartPanel />;
    case "Plan":
      return <PlanPanel />;
    case "Lineage":
      return <LineagePanel />;
    case "Graph":
      return <GraphPanel />;
    case "Request":
      return <RequestPanel />;
    default:
      return tab satisfies never;
  }
}

/** Those of the answer, or of the statement that is being written. */
const warningsOf = (of: Answer): readonly Warning[] =>
  of.kind === "whole" ? of.notes.warnings : (explained.value?.warnings ?? []);

function Results() {
  const viewed = viewedAnswer.value;
  if (viewed.kind === "none") return <ResultView of={answer.value} />;
  return (
    <div class="compared">
      <div>
        <h3>Myself</h3>
        <ResultView of={answer.value} />
      </div>
      <div>
        <h3>
          {Object.entries(viewAs.value ?? {})
            .map(([name, value]) => `${name} = ${value}`)
            .join(", ")}
        </h3>
        <ResultView of={viewed} />
      </div>
    </div>
  );
}

function LineagePanel() {
  const { lineage, columns = [] } = explained.value ?? {};
  if (lineage === undefined) return <p class="note">The project does not show the lineage of columns.</p>;
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  return (
    <table class="lineage">
      <thead>
        <tr>
          <th scope="col">Column</th>
          <th scope="col">Type</th>
          <th scope="col">Computed from</th>
        </tr>
      </thead>
      <tbody>
        {lineage.map(({ column, sources }) => (
          <tr key={column}>
            <th scope="row">{column}</th>
            <td>{types.get(column) ?? ""}</td>
            <td>{sources.length === 0 ? "no column" : sources.join(", ")}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
