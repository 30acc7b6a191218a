/** The statement: a plain text area at first, and CodeMirror as soon as the page is idle or somebody begins to write. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Failure } from "./answers.ts";
import { cancel, look, run } from "./asking.ts";
import type { CodeEditor } from "./code-editor.ts";
import { insertBy } from "./editor-text.ts";
import { explained, isRunning, LIMITS, limit, project, refusal, sql } from "./state.ts";

const PAUSE_MS = 400;

export function EditorPanel() {
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
  useEffect(() => {
    const timer = setTimeout(() => void look(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [sql.value]);

  return (
    <section class="editing" aria-label="Question">
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
      {refusal.value !== undefined && <Refusal failure={refusal.value} />}
      <div class="bar">
        {isRunning.value ? (
          <button type="button" class="go" onClick={cancel}>
            Cancel
          </button>
        ) : (
          <button type="button" class="go" disabled={sql.value.trim() === ""} onClick={() => void run()}>
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
      </div>
    </section>
  );
}

function Refusal({ failure }: { readonly failure: Failure }) {
  const { message, position, suggestions } = failure;
  return (
    <div class="refusal" role="alert">
      <p>{message}</p>
      {position !== undefined &&
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
