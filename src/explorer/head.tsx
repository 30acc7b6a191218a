/** Who asks which project: the chooser of projects, and whose eyes the answers are seen with. */
import { useState } from "preact/hooks";
import { run } from "./asking.ts";
import { choose } from "./opening.ts";
import { type ServiceStatus, serviceState } from "./service-state.ts";
import { project, projects, token, viewAs } from "./state.ts";
import { valuesIn } from "./view-as.ts";

export function Head() {
  const current = project.value;
  return (
    <header>
      <span class="logo">
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path
            class="bird"
            d="M3 13c4 1 6-1 8-4 1.6-2.4 3.5-3 6-2.5-1 .4-1.600 1-1.900 2C14 13 10.500 16.500 5 16.500L3 13Z"
          />
        </svg>
        Siskin
      </span>
      {projects.value.length > 0 && (
        <select aria-label="Project" value={current?.name} onChange={(event) => void choose(event.currentTarget.value)}>
          {projects.value.map(({ name, title, status }) => (
            <option key={name} value={name} disabled={status !== "ready"}>
              {title ?? name}
              {status === "ready" ? "" : " (unavailable)"}
            </option>
          ))}
        </select>
      )}
      <span class="about">{current?.description ?? ""}</span>
      {current !== undefined && <Rules names={current.rowRuleProperties ?? []} />}
      <ServiceState />
      {current !== undefined && <ViewAs />}
      {token.value !== undefined && (
        <button type="button" class="link" onClick={() => location.assign("/explore")}>
          Sign out
        </button>
      )}
    </header>
  );
}

/** Names alone: the values are those of the person's credentials. */
function Rules({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  const text = names.slice(0, MOST_NAMED).join(", ") + (names.length > MOST_NAMED ? " …" : "");
  return (
    <span class="chip" title={`Your credentials, or View as, set: ${names.join(", ")}`}>
      Project rules apply · {text}
    </span>
  );
}

const MOST_NAMED = 5;

function ServiceState() {
  const { status, parts } = serviceState.value;
  const named = Object.entries(parts).flatMap(([name, state]) => (state === "ok" ? [] : [`${name}: ${state}`]));
  return (
    <span class={`state ${status}`} title={named.join(", ")}>
      <span aria-hidden="true">●</span> {WORDS[status]}
    </span>
  );
}

const WORDS: Readonly<Record<ServiceStatus, string>> = {
  unknown: "Service …",
  ready: "Service ready",
  degraded: "Service degraded",
  unavailable: "Service unavailable",
};

function ViewAs() {
  const [text, write] = useState("");
  const submit = (event: Event): void => {
    event.preventDefault();
    viewAs.value = valuesIn(text);
    void run();
  };
  return (
    <form class="view-as" onSubmit={submit}>
      <label>
        View as{" "}
        <input
          value={text}
          placeholder="tenant=acme"
          spellcheck={false}
          autocomplete="off"
          onInput={(event) => write(event.currentTarget.value)}
        />
      </label>
      <button type="submit">{text.trim() === "" ? "Myself" : "Compare"}</button>
    </form>
  );
}
