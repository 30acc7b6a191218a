/** The layout of the reference: head, list of operations, the chosen operation. */
import { useEffect, useState } from "preact/hooks";
import { found, type Group, type Reference } from "./document.ts";
import { OperationView } from "./operation-view.tsx";
import { chosen, opening, search, start, token } from "./state.ts";

export function App() {
  const state = opening.value;
  return (
    <>
      <Head />
      {state.kind === "open" ? (
        <Opened reference={state.reference} />
      ) : (
        <main class="message" aria-busy={state.kind === "loading"}>
          {state.kind === "loading" ? (
            <p>Reading the description of the API…</p>
          ) : (
            <>
              <h1>The reference cannot be opened</h1>
              <p role="alert">{state.message}</p>
              <button type="button" onClick={() => void start()}>
                Try again
              </button>
            </>
          )}
        </main>
      )}
    </>
  );
}

function Head() {
  return (
    <header>
      <a class="logo" href="/docs">
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path
            class="bird"
            d="M3 13c4 1 6-1 8-4 1.6-2.4 3.5-3 6-2.5-1 .4-1.600 1-1.900 2C14 13 10.500 16.500 5 16.500L3 13Z"
          />
        </svg>
        Siskin
      </a>
      <nav class="links" aria-label="Pages">
        <a href="/explore">Explore</a>
        <a href="/docs" aria-current="page">
          API
        </a>
        <a href="/docs/guide/first-model">Guides</a>
        <a href="/openapi.json">OpenAPI</a>
      </nav>
      <Credential />
    </header>
  );
}

function Credential() {
  const state = opening.value;
  const [text, write] = useState("");
  if (state.kind !== "open" || !state.reference.needsCredential) return null;
  return (
    <form
      class="credential"
      onSubmit={(event) => {
        event.preventDefault();
        token.value = text.trim() === "" ? undefined : text.trim();
      }}
    >
      <label>
        Key or token{" "}
        <input
          type="password"
          autocomplete="off"
          value={text}
          onInput={(event) => write(event.currentTarget.value)}
          title="It is kept in this page alone, and only until the page is closed."
        />
      </label>
      <button type="submit">Use</button>
      <span class="chip" role="status">
        {token.value === undefined ? "Not signed in" : "In use"}
      </span>
    </form>
  );
}

function Opened({ reference }: { readonly reference: Reference }) {
  const operation = reference.groups.flatMap((group) => group.operations).find(({ id }) => id === chosen.value);
  useEffect(() => {
    document.title = operation === undefined ? "Siskin API" : `${operation.summary} · Siskin API`;
  }, [operation]);
  return (
    <>
      <Operations groups={found(reference.groups, search.value)} />
      <main>
        {operation === undefined ? (
          <p class="note">The description of the API has no operation.</p>
        ) : (
          <OperationView key={operation.id} operation={operation} reference={reference} />
        )}
      </main>
    </>
  );
}

function Operations({ groups }: { readonly groups: readonly Group[] }) {
  const count = groups.reduce((sum, { operations }) => sum + operations.length, 0);
  return (
    <aside>
      <nav aria-label="Operations">
        <input
          class="search"
          type="search"
          placeholder="Search operations"
          aria-label="Search operations"
          value={search.value}
          onInput={(event) => {
            search.value = event.currentTarget.value;
          }}
        />
        <p class="spoken" role="status">
          {search.value === "" ? "" : `${count} operations`}
        </p>
        {groups.length === 0 && <p class="note">No operation has these words.</p>}
        {groups.map((group) => (
          <GroupList key={group.title} group={group} />
        ))}
      </nav>
    </aside>
  );
}

function GroupList({ group: { title, operations } }: { readonly group: Group }) {
  const isOpen =
    search.value !== "" ||
    !operations.every(({ isDeprecated }) => isDeprecated) ||
    operations.some(({ id }) => id === chosen.value);
  return (
    <details open={isOpen}>
      <summary>{title}</summary>
      <ul>
        {operations.map(({ id, method, path, summary }) => (
          <li key={id}>
            <a href={`#${id}`} aria-current={id === chosen.value ? "page" : undefined}>
              <span class={`method ${method.toLowerCase()}`}>{method}</span>
              <span class="what">
                {summary}
                <code>{path}</code>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
