/** Signs in at the issuer, or asks for a key or token. Either stays in the memory of the page and is gone when it is closed. */
import { useState } from "preact/hooks";
import type { Failure } from "../answers.ts";
import { start } from "../opening.ts";
import { pageSettings } from "../page-settings.ts";
import { failureOfError, token } from "../state.ts";
import { beginSignIn } from "./code-flow.ts";

export function SignIn({ failure }: { readonly failure: Failure }) {
  const { signIn } = pageSettings();
  const [problem, tell] = useState<string>();
  const hasToken = token.value !== undefined;
  return (
    <main class="message">
      <h1>{failure.status === 403 ? "You may not use this" : hasToken ? "Sign in again" : "Who are you?"}</h1>
      <p role="alert">{problem ?? failure.message}</p>
      {failure.hint !== undefined && <p>{failure.hint}</p>}
      {signIn === undefined ? (
        <KeyForm />
      ) : (
        <>
          <button
            type="button"
            class="go"
            onClick={() => beginSignIn(signIn).catch((error: unknown) => tell(failureOfError(error).message))}
          >
            Sign in at {new URL(signIn.issuer).host}
          </button>
          <details>
            <summary>Use a token that you have</summary>
            <KeyForm />
          </details>
        </>
      )}
      <p class="dim">It is kept in this page alone, and only until the page is closed.</p>
    </main>
  );
}

function KeyForm() {
  const [text, write] = useState("");
  const submit = (event: Event): void => {
    event.preventDefault();
    token.value = text.trim();
    void start();
  };
  return (
    <form onSubmit={submit}>
      <label>
        Key or token
        <input
          type="password"
          value={text}
          autocomplete="off"
          required
          onInput={(event) => write(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="go">
        Continue
      </button>
    </form>
  );
}
