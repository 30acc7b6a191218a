/** The answer to a request: status, headers, body; of an error, what helps to repair the request. */
import { useMemo } from "preact/hooks";
import { downloadText } from "../download.ts";
import { shownFailure } from "./failure.ts";
import { laidOut } from "./json-text.ts";
import { type Answered, KEPT_BYTES } from "./sending.ts";

export type Asked =
  | { readonly kind: "none" }
  | { readonly kind: "asking" }
  | { readonly kind: "cancelled" }
  | { readonly kind: "unreachable" }
  | { readonly kind: "answered"; readonly answered: Answered; readonly sql?: string };

export function AnswerView({ asked }: { readonly asked: Asked }) {
  switch (asked.kind) {
    case "none":
      return null;
    case "asking":
      return (
        <p class="note" role="status">
          Asking…
        </p>
      );
    case "cancelled":
      return (
        <p class="note" role="status">
          Cancelled.
        </p>
      );
    case "unreachable":
      return (
        <p class="note bad" role="alert">
          The service does not answer. Check the connection and try again.
        </p>
      );
    case "answered":
      return <Answer answered={asked.answered} sql={asked.sql} />;
    default:
      return asked satisfies never;
  }
}

function Answer({ answered, sql }: { readonly answered: Answered; readonly sql: string | undefined }) {
  const { status, statusText, headers, contentType, text, bytes, isCut, milliseconds } = answered;
  const isError = status >= 400;
  const shown = useMemo(
    () => (text !== undefined && !isCut && /\bjson$|\bjson;/.test(contentType) ? laidOut(text) : text),
    [answered],
  );
  return (
    <section aria-label="Answer" class="answered">
      <p class="spoken" role="status">
        The answer has status {status}.
      </p>
      <h2>
        <span class={isError ? "status bad" : "status"}>{status}</span> {statusText}{" "}
        <small>
          {Math.round(milliseconds).toLocaleString("en")} ms · {bytes.toLocaleString("en")} bytes{isCut && " and more"}
        </small>
      </h2>
      {isError && <Failed answered={answered} sql={sql} />}
      {isCut && (
        <p class="note bad" role="alert">
          The answer is longer than {(KEPT_BYTES / 1024).toLocaleString("en")} KiB: its beginning is shown, and the rest
          was not read.
        </p>
      )}
      <Body answered={answered} shown={shown} />
      <details>
        <summary>Headers ({headers.length})</summary>
        <div class="scroller">
          <table>
            <tbody>
              {headers.map(([name, value]) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td class="wrapped">{value}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  );
}

function Body({ answered, shown }: { readonly answered: Answered; readonly shown: string | undefined }) {
  const { bytes, contentType } = answered;
  if (bytes === 0) return <p class="note">The answer has no body.</p>;
  if (shown === undefined) return <p class="note">The body is binary ({contentType}): use the command to save it.</p>;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard, too. */}
      <pre class="body" tabIndex={0}>
        {shown}
      </pre>
      <button type="button" class="link" onClick={() => downloadText("answer.txt", contentType, shown)}>
        Save
      </button>
    </>
  );
}

function Failed({ answered, sql }: { readonly answered: Answered; readonly sql: string | undefined }) {
  const { status, text = "", headers } = answered;
  const retryAfter = headers.find(([name]) => name === "retry-after")?.[1];
  const failure = shownFailure(status, text, sql, retryAfter);
  return (
    <div class="note bad" role="alert">
      <p>
        <b>{failure.title}</b>
        {failure.reason !== undefined && <> · {failure.reason}</>}
      </p>
      {failure.problems.length === 0 ? (
        <p>{failure.message}</p>
      ) : (
        <ul>
          {failure.problems.map(({ at, message }) => (
            <li key={at}>
              <code>{at}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {failure.excerpt !== undefined && <pre>{failure.excerpt}</pre>}
      {failure.hint !== undefined && <p>Hint: {failure.hint}</p>}
      {failure.suggestions.length > 0 && <p>Similar names: {failure.suggestions.join(", ")}</p>}
      {failure.retryAfter !== undefined && <p>Try again in {failure.retryAfter} s.</p>}
    </div>
  );
}
