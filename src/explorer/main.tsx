/** The page `/explore`: reads the project's model, asks questions and shows answers. It speaks to `/v3/projects` alone. */
import "./explorer.css";
import "./cube/builder.css";
import "./graph/graph.css";
import { render } from "preact";
import { App } from "./app.tsx";
import { openHistory } from "./history-store.ts";
import { enter, restore } from "./opening.ts";
import { watchService } from "./service-state.ts";

const root = document.getElementById("app");
if (root !== null) {
  render(<App />, root);
  openHistory();
  addEventListener("popstate", () => void restore());
  watchService();
  void enter();
}
