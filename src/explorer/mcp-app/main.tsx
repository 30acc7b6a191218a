/** `ui://siskin/result.html`: the rows of a tool's result in an agent's host, as a table and a chart, with all that a reader must know. */
import "./mcp-app.css";
import { signal } from "@preact/signals";
import { render } from "preact";
import { connect, reportSize } from "./host.ts";
import { applyTheme } from "./theme.ts";
import { questionOf, type Shown, shownResult } from "./tool-result.ts";
import { ToolView } from "./tool-view.tsx";

const shown = signal<Shown>({ kind: "waiting" });
const question = signal<string | undefined>(undefined);

function View() {
  return <ToolView shown={shown.value} question={question.value} />;
}

const root = document.getElementById("app");
if (root !== null) {
  render(<View />, root);
  reportSize(root);
  connect({
    context: ({ theme }) => applyTheme(theme),
    input: (given) => {
      question.value = questionOf(given);
    },
    result: (result) => {
      shown.value = shownResult(result);
    },
    cancelled: (reason) => {
      shown.value = { kind: "cancelled", ...(typeof reason === "string" && { reason }) };
    },
  });
}
