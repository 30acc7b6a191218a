/** Asks for a key or token. It stays in the memory of the page and is gone when the page is closed. */
import { useState } from "preact/hooks";
import type { Failure } from "./answers.ts";
import { start } from "./opening.ts";
import { token } from "./state.ts";

export function SignIn({ failure }: { readonly failure: Failure }) {
  const [text, write] = useState("");
  const submit = (event: Event): void => {
    event.preventDefault();
    token.value = text.trim();
    void start();
  };
  return (
    <main class="message">
      <h1>{failure.status === 401 ? "Who are you?" : "You may not use this"}</h1>
      <p role="alert">{failure.message}</p>
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
      <p class="dim">It is kept in this page alone, and only until the page is closed.</p>
    </main>
  );
}
