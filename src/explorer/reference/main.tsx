/** The page `/docs`: the operations of the API, each with a form that sends it, and the guides beside it. */
import "./reference.css";
import { render } from "preact";
import { App } from "./app.tsx";
import { choose, opening, start } from "./state.ts";

const root = document.getElementById("app");
if (root !== null) {
  render(<App />, root);
  addEventListener("hashchange", () => {
    const state = opening.value;
    if (state.kind === "open") choose(location.hash.slice(1), state.reference);
  });
  void start();
}
