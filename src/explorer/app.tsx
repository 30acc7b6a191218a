/** The layout of the page: head, model, editor, answer, foot. */
import { AnswerPanel } from "./answer-panel.tsx";
import { EditorPanel } from "./editor-panel.tsx";
import { Foot } from "./foot.tsx";
import { Head } from "./head.tsx";
import { ModelTree } from "./model-tree.tsx";
import { start } from "./opening.ts";
import { SignIn } from "./sign-in/sign-in.tsx";
import { announcement, opening, project, projects } from "./state.ts";

export function App() {
  return (
    <>
      <Head />
      <Body />
      <Foot />
      <p class="spoken" role="status">
        {announcement.value}
      </p>
    </>
  );
}

function Body() {
  const state = opening.value;
  if (state.kind === "failed" && (state.failure.status === 401 || state.failure.status === 403)) {
    return <SignIn failure={state.failure} />;
  }
  if (state.kind === "failed") {
    const { message, hint } = state.failure;
    return (
      <main class="message">
        <h1>The project cannot be opened</h1>
        <p>{message}</p>
        {hint !== undefined && <p>{hint}</p>}
        <button type="button" onClick={() => void start()}>
          Try again
        </button>
      </main>
    );
  }
  if (project.value === undefined) {
    if (state.kind === "loading") {
      return (
        <main class="message" aria-busy="true">
          <p role="status">Reading the projects…</p>
          <div class="skeleton" aria-hidden="true">
            <span />
            <span />
            <span />
          </div>
        </main>
      );
    }
    return (
      <main class="message">
        <h1>{projects.value.length === 0 ? "No project" : "No project is ready"}</h1>
        <p>
          {projects.value.length === 0
            ? "Your credentials lead to no project. The operator publishes one, and names it in your key or token."
            : "The operator has to repair the projects, or their store does not answer."}
        </p>
      </main>
    );
  }
  return (
    <>
      <ModelTree />
      <main>
        <EditorPanel />
        <AnswerPanel />
      </main>
    </>
  );
}
