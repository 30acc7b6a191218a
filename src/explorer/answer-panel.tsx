/** The answer: table, chart, plan, lineage, and the request as a program makes it, in tabs; above them what the reader must know. */
import { useEffect, useState } from "preact/hooks";
import type { Warning } from "./answers.ts";
import { ask, pathOf } from "./api.ts";
import type { ChartView } from "./chart.tsx";
import { type ChartKind, chartOf } from "./chart-data.ts";
import { saveBlob } from "./download.ts";
import { snippets } from "./request-code.ts";
import { ResultTable } from "./result-table.tsx";
import {
  type Answer,
  announcement,
  answer,
  explained,
  failureOfError,
  KEPT_ROWS,
  limit,
  notice,
  project,
  refusal,
  sql,
  token,
  viewAs,
  viewedAnswer,
} from "./state.ts";
import { wholeArrow, wholeCsv } from "./whole-file.ts";

const TABS = ["Result", "Chart", "Plan", "Lineage", "Request"] as const;
type Tab = (typeof TABS)[number];

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
      return <Plan />;
    case "Lineage":
      return <LineagePanel />;
    case "Request":
      return <RequestPanel />;
    default:
      return tab satisfies never;
  }
}

/** Those of the answer, or of the statement that is being written. */
const warningsOf = (of: Answer): readonly Warning[] =>
  of.kind === "whole" ? of.notes.warnings : (explained.value?.warnings ?? []);

function Warnings({ warnings }: { readonly warnings: readonly Warning[] }) {
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

function Summary({ of }: { readonly of: Answer }) {
  if (of.kind === "running") return <span class="summary">{of.count.toLocaleString("en")} rows so far…</span>;
  if (of.kind !== "whole") return null;
  const { count, milliseconds, notes, isCut } = of;
  const age = notes.cachedAt === undefined ? undefined : Math.max(0, Math.round((Date.now() - notes.cachedAt) / 1000));
  return (
    <span class="summary">
      {count.toLocaleString("en")} rows{isCut && " and more"} · {Math.round(milliseconds).toLocaleString("en")} ms
      {age !== undefined && ` · from the cache, ${age} s old`} ·{" "}
      <button type="button" class="link" onClick={() => void download(of.sql, "csv")}>
        CSV
      </button>{" "}
      <button type="button" class="link" onClick={() => void download(of.sql, "arrow")}>
        Arrow
      </button>{" "}
      <button type="button" class="link" onClick={() => void copy(location.href, "Link copied")}>
        Copy link
      </button>
    </span>
  );
}

const FORMATS = {
  csv: { accept: "text/csv", whole: wholeCsv },
  arrow: { accept: "application/vnd.apache.arrow.stream", whole: wholeArrow },
} as const;

/** Saves all rows of the statement that was answered, whatever the page shows of them, or says why not. */
async function download(statement: string, format: keyof typeof FORMATS): Promise<void> {
  const name = project.value?.name ?? "";
  const { accept, whole } = FORMATS[format];
  try {
    const body = { sql: statement };
    const response = await ask({ path: pathOf(name, "query"), body, accept, endLine: true, token: token.value });
    const file = await whole(await response.blob());
    if (file === undefined) throw new Error("The answer broke off: nothing was saved.");
    saveBlob(`${name}.${format}`, file);
  } catch (error) {
    notice.value = failureOfError(error).message;
  }
}

async function copy(text: string, done: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  announcement.value = done;
}

function Results() {
  const viewed = viewedAnswer.value;
  if (viewed.kind === "none") return <Result of={answer.value} />;
  return (
    <div class="compared">
      <div>
        <h3>Myself</h3>
        <Result of={answer.value} />
      </div>
      <div>
        <h3>
          {Object.entries(viewAs.value ?? {})
            .map(([name, value]) => `${name} = ${value}`)
            .join(", ")}
        </h3>
        <Result of={viewed} />
      </div>
    </div>
  );
}

function Result({ of }: { readonly of: Answer }) {
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
              The first {of.count.toLocaleString("en")} rows are shown, and there are more. Do not add them up.
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

function ChartPanel() {
  const [wanted, choose] = useState<ChartKind>();
  const [View, setView] = useState<typeof ChartView>();
  useEffect(() => {
    // Only here: scales are a fourth of the page's code.
    void import("./chart.tsx").then(({ ChartView: loaded }) => setView(() => loaded));
  }, []);
  const of = answer.value;
  if (!("rows" in of) || of.kind === "running") return <p class="note">Run a question first.</p>;
  if (of.kind !== "whole") return <p class="note">The answer is not whole, and a chart of it would mislead.</p>;
  const choice = chartOf(of.columns, of.rows, wanted);
  if ("why" in choice) return <p class="note">No chart suits this answer. {choice.why}</p>;
  return View === undefined ? <p class="note">Drawing…</p> : <View chart={choice.chart} choose={choose} />;
}

function Plan() {
  const { dialectSql } = explained.value ?? {};
  if (refusal.value !== undefined) return <p class="note">{refusal.value.message}</p>;
  if (dialectSql === undefined) return <p class="note">The project does not show the SQL for its source.</p>;
  return (
    <div class="compared">
      <div>
        <h3>Question</h3>
        <pre>{sql.value}</pre>
      </div>
      <div>
        <h3>SQL for {project.value?.dataSource}</h3>
        <pre>{dialectSql}</pre>
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

function RequestPanel() {
  const request = {
    origin: location.origin,
    project: project.value?.name ?? "",
    sql: sql.value,
    limit: limit.value,
    hasToken: token.value !== undefined,
  };
  return (
    <div class="requests">
      {snippets(request).map(({ title, code }) => (
        <section key={title}>
          <h3>
            {title}{" "}
            <button type="button" class="link" onClick={() => void copy(code, `${title} copied`)}>
              Copy
            </button>
          </h3>
          <pre>{code}</pre>
        </section>
      ))}
    </div>
  );
}
