/** One operation: its form, the same request for a shell, and the answer to it. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { AnswerView, type Asked } from "./answer-view.tsx";
import type { Operation, Reference } from "./document.ts";
import { bodyFields, exampleTexts, keyOf, parameterFields, type Texts } from "./fields.ts";
import { Form } from "./form.tsx";
import { curlOf, type FormState, isSendable, requestOf } from "./request.ts";
import { send } from "./sending.ts";
import { token } from "./state.ts";

const NO_PROBLEMS: Readonly<Record<string, string>> = {};

export function OperationView({
  operation,
  reference,
}: {
  readonly operation: Operation;
  readonly reference: Reference;
}) {
  const [texts, write] = useState<Texts>(() => exampleTexts(operation));
  const [forms, chooseForm] = useState<FormState["chosen"]>({});
  const types = acceptable(operation);
  const [accept, chooseType] = useState(types[0] ?? "application/json");
  const [problems, report] = useState(NO_PROBLEMS);
  const [asked, answer] = useState<Asked>({ kind: "none" });
  const stop = useRef<AbortController>(undefined);
  const source = texts[keyOf("path", "data_source")] ?? "";
  const parameters = useMemo(() => parameterFields(operation), [operation]);
  const members = useMemo(() => bodyFields(operation, reference, source), [operation, reference, source]);
  const form: FormState = { fields: [...parameters, ...members], texts, chosen: forms, accept };
  const made = requestOf(operation, form);
  // After the fields that were folded are open.
  useEffect(() => document.getElementById(Object.keys(problems)[0] ?? "")?.focus(), [problems]);
  const run = async (): Promise<void> => {
    if ("problems" in made) {
      report(made.problems);
      return;
    }
    report(NO_PROBLEMS);
    stop.current?.abort();
    const own = new AbortController();
    stop.current = own;
    answer({ kind: "asking" });
    try {
      const answered = await send(made.request, { token: token.value, signal: own.signal });
      const sql = made.request.body?.["sql"];
      if (!own.signal.aborted) answer({ kind: "answered", answered, ...(typeof sql === "string" && { sql }) });
    } catch {
      answer(own.signal.aborted ? { kind: "cancelled" } : { kind: "unreachable" });
    }
  };
  return (
    <article>
      <h1>{operation.summary}</h1>
      <p class="target">
        <span class={`method ${operation.method.toLowerCase()}`}>{operation.method}</span> <code>{operation.path}</code>
        {operation.isDeprecated && <span class="chip old">deprecated: use /v3</span>}
      </p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          void run();
        }}
      >
        <Form
          parameters={parameters}
          members={members}
          form={form}
          problems={problems}
          write={(key, text) => write((before) => ({ ...before, [key]: text }))}
          chooseForm={(name, index) => chooseForm((before) => ({ ...before, [name]: index }))}
        />
        <div class="actions">
          {types.length > 1 && (
            <label>
              Format{" "}
              <select value={accept} onChange={(event) => chooseType(event.currentTarget.value)}>
                {types.map((type) => (
                  <option key={type}>{type}</option>
                ))}
              </select>
            </label>
          )}
          {isSendable(operation) ? (
            <button type="submit" class="go">
              Send
            </button>
          ) : (
            <p class="note">Browsers send no body with GET: use the command, or the same path with POST.</p>
          )}
          {asked.kind === "asking" && (
            <button type="button" onClick={() => stop.current?.abort()}>
              Cancel
            </button>
          )}
          <button type="button" class="link" onClick={() => write(exampleTexts(operation))}>
            Example
          </button>
          <button
            type="button"
            class="link"
            onClick={() => {
              write({});
              report(NO_PROBLEMS);
            }}
          >
            Clear
          </button>
        </div>
      </form>
      <AnswerView asked={asked} />
      <Command text={"request" in made ? curlOf(made.request, shellOf()) : undefined} />
      <Answers operation={operation} />
    </article>
  );
}

const shellOf = () => ({ origin: location.origin, hasToken: token.value !== undefined });

function Command({ text }: { readonly text: string | undefined }) {
  const [isCopied, mark] = useState(false);
  return (
    <section aria-label="Command">
      <h2>
        curl{" "}
        {text !== undefined && (
          <button
            type="button"
            class="link"
            onClick={() => {
              void navigator.clipboard.writeText(text).then(() => mark(true));
            }}
          >
            Copy
          </button>
        )}{" "}
        <span role="status" class="dim">
          {isCopied ? "Copied" : ""}
        </span>
      </h2>
      {text === undefined ? (
        <p class="note">The command is shown once the form has no problem.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard, too.
        <pre tabIndex={0}>{text}</pre>
      )}
    </section>
  );
}

/** Content types of a successful answer, JSON first. */
const acceptable = ({ answers }: Operation): readonly string[] =>
  answers.filter(({ status }) => status.startsWith("2")).flatMap(({ types }) => types);

function Answers({ operation: { answers } }: { readonly operation: Operation }) {
  const example = answers.find((answer) => answer.example !== undefined)?.example;
  return (
    <section aria-label="Answers">
      <h2>Answers</h2>
      <div class="scroller">
        <table>
          <tbody>
            {answers.map(({ status, description }) => (
              <tr key={status}>
                <th scope="row">{status}</th>
                <td>{description}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {example !== undefined && (
        <details>
          <summary>Example of an answer</summary>
          <pre>{JSON.stringify(example, null, 2)}</pre>
        </details>
      )}
    </section>
  );
}
