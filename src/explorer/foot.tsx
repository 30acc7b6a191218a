/** What held for the last answer: source, row rules, correlation. */
import { GUARANTEES } from "./guarantees.ts";
import { answer, project } from "./state.ts";

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
