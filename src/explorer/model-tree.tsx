/** The model: what can be asked about, with descriptions. A click puts the name into the editor. */
import { useState } from "preact/hooks";
import type { Cube, Described, Model, Project } from "./answers.ts";
import { ask, pathOf } from "./api.ts";
import { run } from "./asking.ts";
import { saveBlob } from "./download.ts";
import { insert } from "./editor-text.ts";
import { HistoryList } from "./history-list.tsx";
import { matching, membersOf } from "./model-search.ts";
import { show } from "./opening.ts";
import { quotedName } from "./quoted-name.ts";
import { failureOfError, notice, project, token } from "./state.ts";
import { kindOfModelType } from "./type-icons.ts";
import { ValueSearch } from "./value-search.tsx";
import { wholeCsv } from "./whole-file.ts";

export function ModelTree() {
  const [term, search] = useState("");
  const found = project.value;
  if (found === undefined) return null;
  const words = term.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = matching(found, words);
  return (
    <aside aria-label="Model">
      <input
        class="search"
        type="search"
        placeholder="Search model and values"
        aria-label="Search models, columns and values"
        value={term}
        onInput={(event) => search(event.currentTarget.value)}
      />
      {found.instructions !== undefined && <p class="description">{found.instructions}</p>}
      {shown.models.length + shown.views.length + shown.cubes.length === 0 && (
        <p class="dim">
          {words.length === 0 ? "The model is empty, or you may see nothing of it." : "Nothing is named so."}
        </p>
      )}
      <ValueSearch found={found} term={term} />
      {shown.models.length > 0 && <h2>Models</h2>}
      {shown.models.map((model) => (
        <ModelNode key={model.name} model={model} isOpen={words.length > 0 || found.models.length <= 3} />
      ))}
      {shown.views.length > 0 && <h2>Views</h2>}
      {shown.views.map((view) => (
        <Leaf key={view.name} of={view} icon="▤" type="" text={quotedName(view.name)} />
      ))}
      {shown.cubes.length > 0 && <h2>Cubes</h2>}
      {shown.cubes.map((cube) => (
        <CubeNode key={cube.name} cube={cube} isOpen={words.length > 0} />
      ))}
      <Questions found={found} />
      <HistoryList project={found.name} />
    </aside>
  );
}

const MOST_SHOWN = 500;

function ModelNode({ model, isOpen }: { readonly model: Model; readonly isOpen: boolean }) {
  const keys = new Set(model.primaryKey);
  const columns = model.columns.slice(0, MOST_SHOWN);
  return (
    <details open={isOpen}>
      <summary>
        <b>{model.name}</b>
      </summary>
      {model.description !== undefined && <p class="description">{model.description}</p>}
      <Leaf of={{ name: model.name }} icon="▦" type="model" text={quotedName(model.name)} />
      {columns.map((column) => (
        <Leaf
          key={column.name}
          of={column}
          icon={kindOfModelType(column.type)}
          type={keys.has(column.name) ? `${column.type} · key` : column.type}
          text={quotedName(column.name)}
        />
      ))}
      {model.columns.length > columns.length && (
        <p class="dim">{model.columns.length - columns.length} more columns: search for them.</p>
      )}
      {model.paths.map((path) => (
        <Leaf key={path.name} of={path} icon="→" type={path.model} text={`${quotedName(path.name)}.`} />
      ))}
    </details>
  );
}

function CubeNode({ cube, isOpen }: { readonly cube: Cube; readonly isOpen: boolean }) {
  return (
    <details open={isOpen}>
      <summary>
        <b>{cube.name}</b>
      </summary>
      {cube.description !== undefined && <p class="description">{cube.description}</p>}
      {membersOf(cube).map(({ member, icon }) => (
        <Leaf key={`${icon}${member.name}`} of={member} icon={icon} type={member.type} text={quotedName(member.name)} />
      ))}
    </details>
  );
}

interface LeafProps {
  readonly of: Described;
  readonly icon: string;
  readonly type: string;
  /** What a click puts into the editor. */
  readonly text: string;
}

function Leaf({ of, icon, type, text }: LeafProps) {
  return (
    <button type="button" class="leaf" title={of.description} onClick={() => insert(text)}>
      <span class="icon" aria-hidden="true">
        {icon}
      </span>
      <span class="name">{of.name}</span>
      <span class="type">{type}</span>
    </button>
  );
}

function Questions({ found }: { readonly found: Project }) {
  if (found.examples.length + found.questions.length === 0) return null;
  return (
    <>
      <h2>Questions</h2>
      {found.examples.map(({ question, sql: text }) => (
        <button
          key={question}
          type="button"
          class="leaf"
          onClick={() => {
            show({ kind: "sql", sql: text });
            void run();
          }}
        >
          <span class="icon" aria-hidden="true">
            ?
          </span>
          <span class="name">{question}</span>
        </button>
      ))}
      {found.questions.map(({ name, title }) => (
        <button key={name} type="button" class="leaf" onClick={() => void save(found.name, name)}>
          <span class="icon" aria-hidden="true">
            ↓
          </span>
          <span class="name">{title ?? name}</span>
          <span class="type">CSV</span>
        </button>
      ))}
    </>
  );
}

async function save(from: string, question: string): Promise<void> {
  try {
    const path = pathOf(from, `questions/${encodeURIComponent(question)}.csv`);
    const response = await ask({ path, accept: "text/csv", endLine: true, token: token.value });
    const whole = await wholeCsv(await response.blob());
    if (whole === undefined) throw new Error("The answer broke off: nothing was saved.");
    saveBlob(`${question}.csv`, whole);
  } catch (error) {
    notice.value = failureOfError(error).message;
  }
}
