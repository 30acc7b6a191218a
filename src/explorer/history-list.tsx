/** The questions that were asked of this project in this browser, and the switch that ends keeping them. */
import { run } from "./asking.ts";
import { asked, forget, isKept, keep } from "./history-store.ts";
import { hashOf } from "./link.ts";
import { show } from "./opening.ts";
import { sqlOf } from "./question.ts";

const MOST_SHOWN = 20;
const LONGEST = 120;

export function HistoryList({ project }: { readonly project: string }) {
  if (isKept.value === undefined) return null;
  const entries = asked.value.filter((entry) => entry.project === project).slice(0, MOST_SHOWN);
  return (
    <details class="history">
      <summary>Asked before</summary>
      {entries.map(({ question }) => {
        const text = sqlOf(question).replace(/\s+/g, " ");
        return (
          <button
            key={hashOf(question)}
            type="button"
            class="leaf"
            onClick={() => {
              show(question);
              void run();
            }}
          >
            <span class="icon" aria-hidden="true">
              {question.kind === "cube" ? "◇" : "↺"}
            </span>
            <code class="name">{text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}</code>
          </button>
        );
      })}
      {entries.length === 0 && <p class="dim">Nothing yet.</p>}
      <label class="keep">
        <input type="checkbox" checked={isKept.value} onChange={(event) => keep(event.currentTarget.checked)} /> Keep
        questions in this browser
      </label>
      {asked.value.length > 0 && (
        <button type="button" class="link" onClick={forget}>
          Forget all
        </button>
      )}
      <p class="dim">Only questions are kept: no rows and no credentials.</p>
    </details>
  );
}
