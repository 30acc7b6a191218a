/** What held for the last answer: source, row rules, correlation. */
import { answer, project } from "./state.ts";

const GUARANTEES: Readonly<Record<string, string>> = {
  none: "no row rule applies",
  plain: "kept: nothing in the statement can raise",
  fenced: "kept by a fence that attacks have tried",
  besteffort: "kept as well as the source can",
};

export function Foot() {
  const of = answer.value;
  const notes = of.kind === "whole" ? of.notes : undefined;
  const { rowRules, correlationId } = notes ?? {};
  return (
    <footer>
      {project.value !== undefined && (
        <span>
          Source <b>{project.value.dataSource}</b>
        </span>
      )}
      {rowRules !== undefined && (
        <span>
          Row rules <b>{GUARANTEES[rowRules] ?? rowRules}</b>
        </span>
      )}
      {correlationId !== undefined && (
        <span>
          Correlation <code>{correlationId}</code>
        </span>
      )}
      <span class="links">
        <a href="/docs">API</a>
      </span>
    </footer>
  );
}
