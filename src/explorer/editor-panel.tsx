/** The question: a statement or the builder of a cube query. The editor is a plain text area at first, and CodeMirror as soon as the page is idle or somebody begins to write. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Failure } from "./answers.ts";
import { cancel, look, run } from "./asking.ts";
import type { CodeEditor } from "./code-editor.ts";
import { insertBy } from "./editor-text.ts";
import { lazy } from "./lazy.tsx";
import { show } from "./opening.ts";
import { isComplete } from "./question.ts";
import { explained, isRunning, LIMITS, limit, mode, project, question, refusal, sql } from "./state.ts";

const PAUSE_MS = 400;

export function EditorPanel() {
  useEffect(() => {
    const timer = setTimeout(() => void look(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [question.value]);
  const isBuilding = mode.value === "cube";
  // The editor has keys of its own.
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isBuilding && event.key === "Enter" && (event.ctrlKey || event.metaKey) && isComplete(question.value))
      void run();
  };
  return (
    <section class="editing" aria-label="Question" onKeyDown={onKeyDown}>
      {isBuilding ? <Building /> : <Editor />}
      {refusal.value !== undefined && <Refusal failure={refusal.value} isText={!isBuilding} />}
      <Bar />
    </section>
  );
}

async function build(): Promise<void> {
  const { openBuilder } = await import("./cube/builder.tsx");
  openBuilder();
}

/** The form is loaded when somebody opens it. */
const Building = lazy(async () => (await import("./cube/builder.tsx")).CubeBuilder);

function Editor() {
  const host = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<CodeEditor>();

  useEffect(() => {
    let isGone = false;
    const load = async (): Promise<void> => {
      const { openCodeEditor } = await import("./code-editor.ts");
      if (isGone || host.current === null) return;
      const opened = openCodeEditor(host.current, {
        text: sql.value,
        onChange: (text) => {
          sql.value = text;
        },
        onRun: () => void run(),
      });
      insertBy((text) => opened.insert(text));
      setEditor(opened);
    };
    // Safari has no idle callbacks.
    const idle = globalThis.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 50));
    idle(() => void load());
    return () => {
      isGone = true;
      insertBy(undefined);
    };
  }, []);

  useEffect(() => editor?.setText(sql.value), [editor, sql.value]);
  useEffect(() => editor?.setModel(project.value), [editor, project.value]);
  useEffect(
    () => editor?.setDiagnostics(refusal.value, explained.value?.warnings ?? []),
    [editor, refusal.value, explained.value],
  );

  return (
    <div class="editor" ref={host}>
      {editor === undefined && (
        <textarea
          aria-label="SQL"
          spellcheck={false}
          value={sql.value}
          onInput={(event) => {
            sql.value = event.currentTarget.value;
          }}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void run();
          }}
        />
      )}
    </div>
  );
}

function Bar() {
  const isBuilding = mode.value === "cube";
  const hasCubes = (project.value?.cubes ?? []).length > 0;
  return (
    <div class="bar">
      {isRunning.value ? (
        <button type="button" class="go" onClick={cancel}>
          Cancel
        </button>
      ) : (
        <button type="button" class="go" disabled={!isComplete(question.value)} onClick={() => void run()}>
          Run <kbd>Ctrl ↵</kbd>
        </button>
      )}
      <label>
        Limit{" "}
        <select
          value={limit.value ?? "all"}
          onChange={({ currentTarget: { value } }) => {
            limit.value = value === "all" ? undefined : Number(value);
          }}
        >
          {LIMITS.map((each) => (
            <option key={each ?? "all"} value={each ?? "all"}>
              {each?.toLocaleString("en") ?? "all"}
            </option>
          ))}
        </select>
      </label>
      {(hasCubes || isBuilding) && (
        <fieldset class="modes">
          <legend class="spoken">Write the question as</legend>
          <button type="button" aria-pressed={!isBuilding} onClick={() => show({ kind: "sql", sql: sql.value })}>
            SQL
          </button>
          <button type="button" aria-pressed={isBuilding} onClick={() => void build()}>
            Builder
          </button>
        </fieldset>
      )}
    </div>
  );
}

/** Positions are those of a statement: a query of the builder has none. */
function Refusal({ failure, isText }: { readonly failure: Failure; readonly isText: boolean }) {
  const { message, position, suggestions } = failure;
  return (
    <div class="refusal" role="alert">
      <p>{message}</p>
      {isText &&
        position !== undefined &&
        suggestions.slice(0, 3).map((name) => (
          <button key={name} type="button" onClick={() => replace(position.offset, position.length, name)}>
            Replace with {name}
          </button>
        ))}
    </div>
  );
}

function replace(offset: number, length: number, name: string): void {
  const text = sql.value;
  const start = offset - 1;
  const named = text.slice(start, start + length);
  // The place is that of `c.segmnt`, and the suggestion that of its last name.
  const qualifier = named.slice(0, named.lastIndexOf(".") + 1);
  sql.value = text.slice(0, start) + qualifier + name + text.slice(start + length);
}
