/** Values of columns that hold a word, through the project's list of values and the caller's rules. Asked on demand alone. */
import { useEffect, useState } from "preact/hooks";
import type { Project } from "./answers.ts";
import { ask, pathOf } from "./api.ts";
import { insert } from "./editor-text.ts";
import { type ListedColumn, listedColumns } from "./model-search.ts";
import { quotedName } from "./quoted-name.ts";
import { announcement, failureOfError, token } from "./state.ts";

/** Each column is a query of the source. */
const MOST_COLUMNS = 20;
const MOST_VALUES = 5;

interface FoundValue {
  readonly model: string;
  readonly column: string;
  readonly value: string;
}

export function ValueSearch({ found, term }: { readonly found: Project; readonly term: string }) {
  const [values, show] = useState<readonly FoundValue[] | string>();
  useEffect(() => show(undefined), [term, found]);
  const columns = listedColumns(found);
  if (term.trim() === "" || columns.length === 0) return null;
  return (
    <div class="values">
      <h2>Values</h2>
      {values === undefined && (
        <button type="button" class="link" onClick={() => void search(found, columns, term.trim()).then(show)}>
          Look for “<bdi>{term.trim()}</bdi>” in the values of columns
        </button>
      )}
      {typeof values === "string" && <p class="dim">{values}</p>}
      {typeof values === "object" &&
        values.map(({ model, column, value }) => (
          <button
            key={`${model}.${column} ${value}`}
            type="button"
            class="leaf"
            onClick={() => insert(`${quotedName(column)} = '${value.replaceAll("'", "''")}'`)}
          >
            <span class="icon" aria-hidden="true">
              =
            </span>
            <span class="name">{value}</span>
            <span class="type">{`${model}.${column}`}</span>
          </button>
        ))}
    </div>
  );
}

/** Values, or a sentence where none is found. */
async function search(
  { name }: Project,
  columns: readonly ListedColumn[],
  term: string,
): Promise<readonly FoundValue[] | string> {
  const asked = columns.slice(0, MOST_COLUMNS);
  const answers = await Promise.allSettled(
    asked.map(async ({ model, column }) => {
      const body = { column: `${model.name}.${column.name}`, term, limit: MOST_VALUES };
      const response = await ask({ path: pathOf(name, "values"), body, token: token.value });
      const { values } = (await response.json()) as { readonly values: readonly string[] };
      return values.map((value) => ({ model: model.name, column: column.name, value }));
    }),
  );
  const values = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  announcement.value = `${values.length} values`;
  if (values.length > 0) return values;
  const [refused] = answers.flatMap((answer) => (answer.status === "rejected" ? [failureOfError(answer.reason)] : []));
  if (refused !== undefined && answers.every(({ status }) => status === "rejected")) return refused.message;
  return `No value holds it in ${asked.length} columns.`;
}
