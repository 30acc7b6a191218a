/** The filters of the builder's query. Values of a dimension are offered on demand, through the cube and the caller's rules. */
import { useState } from "preact/hooks";
import type { Cube } from "../answers.ts";
import { ask, pathOf } from "../api.ts";
import { membersOf } from "../model-search.ts";
import { announcement, failureOfError, notice, project, token } from "../state.ts";
import { type CubeQuery, type Filter, OPERATORS, type Operator, takesList, takesNothing } from "./cube-query.ts";

const WORDS: Readonly<Record<Operator, string>> = {
  eq: "=",
  neq: "≠",
  gt: ">",
  gte: "≥",
  lt: "<",
  lte: "≤",
  in: "is one of",
  not_in: "is none of",
  contains: "contains",
  starts_with: "starts with",
  is_null: "is NULL",
  is_not_null: "is not NULL",
};

export interface FilterRowsProps {
  readonly cube: Cube;
  readonly query: CubeQuery;
  readonly write: (query: CubeQuery) => void;
}

export function FilterRows({ cube, query, write }: FilterRowsProps) {
  const { filters } = query;
  const names = membersOf(cube).map(({ member }) => member.name);
  const put = (changed: readonly Filter[]): void => write({ ...query, filters: changed });
  const [first = ""] = [...cube.dimensions, ...cube.timeDimensions, ...cube.measures].map(({ name }) => name);
  return (
    <fieldset>
      <legend>Filters</legend>
      <div class="rows">
        {filters.map((filter, place) => (
          <FilterRow
            key={place}
            place={place}
            cube={cube}
            names={names}
            filter={filter}
            write={(changed) => put(filters.with(place, changed))}
            remove={() => put(filters.toSpliced(place, 1))}
          />
        ))}
        {first !== "" && (
          <button
            type="button"
            class="add"
            onClick={() => put([...filters, { dimension: first, operator: "eq", value: "" }])}
          >
            Add a filter
          </button>
        )}
      </div>
    </fieldset>
  );
}

interface FilterRowProps {
  readonly place: number;
  readonly cube: Cube;
  readonly names: readonly string[];
  readonly filter: Filter;
  readonly write: (filter: Filter) => void;
  readonly remove: () => void;
}

function FilterRow({ place, cube, names, filter, write, remove }: FilterRowProps) {
  const { dimension, operator, value } = filter;
  const [offered, offer] = useState<readonly string[]>([]);
  const list = `values-${place}`;
  const isMeasure = cube.measures.some(({ name }) => name === dimension);
  const lines = typeof value === "string" ? value : (value ?? []).join("\n");
  return (
    <div class="row">
      <select
        aria-label={`Member of filter ${place + 1}`}
        value={dimension}
        onChange={({ currentTarget }) => {
          offer([]);
          write({ ...filter, dimension: currentTarget.value });
        }}
      >
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <select
        aria-label={`Operator of filter ${place + 1}`}
        value={operator}
        onChange={({ currentTarget }) => {
          const next = OPERATORS.find((each) => each === currentTarget.value) ?? "eq";
          write(withOperator(filter, next));
        }}
      >
        {OPERATORS.map((each) => (
          <option key={each} value={each}>
            {WORDS[each]}
          </option>
        ))}
      </select>
      {takesList(operator) && (
        <textarea
          aria-label={`Values of filter ${place + 1}, one a line`}
          placeholder="one value a line"
          rows={2}
          value={lines}
          onInput={({ currentTarget }) => write({ ...filter, value: linesOf(currentTarget.value) })}
        />
      )}
      {!takesList(operator) && !takesNothing(operator) && (
        <input
          aria-label={`Value of filter ${place + 1}`}
          value={lines}
          list={list}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => write({ ...filter, value: currentTarget.value })}
        />
      )}
      {!isMeasure && !takesNothing(operator) && (
        <button
          type="button"
          class="link"
          aria-label={`List values of ${dimension} for filter ${place + 1}`}
          onClick={() => void valuesOf(cube.name, dimension).then(offer)}
        >
          Values
        </button>
      )}
      <button type="button" class="link" aria-label={`Remove filter ${place + 1}`} onClick={remove}>
        Remove
      </button>
      <datalist id={list}>
        {offered.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      {offered.length > 0 && (
        <div class="chips offered">
          {offered.slice(0, MOST_OFFERED).map((each) => (
            <button
              key={each}
              type="button"
              aria-label={`${each} in filter ${place + 1}`}
              onClick={() => write(withValue(filter, each))}
            >
              <bdi>{each}</bdi>
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

const MOST_OFFERED = 12;

const linesOf = (text: string): readonly string[] => (text === "" ? [] : text.split("\n"));

function withOperator({ dimension, value = "" }: Filter, operator: Operator): Filter {
  if (takesNothing(operator)) return { dimension, operator };
  if (takesList(operator)) return { dimension, operator, value: typeof value === "string" ? linesOf(value) : value };
  return { dimension, operator, value: typeof value === "string" ? value : (value[0] ?? "") };
}

function withValue(filter: Filter, chosen: string): Filter {
  if (!takesList(filter.operator)) return { ...filter, value: chosen };
  const values = typeof filter.value === "string" ? [] : (filter.value ?? []);
  return { ...filter, value: [...values.filter((each) => each !== chosen && each !== ""), chosen] };
}

/** The first values of a dimension, as texts. */
async function valuesOf(cube: string, dimension: string): Promise<readonly string[]> {
  const body = {
    cube: { cube, dimensions: [dimension], orderBy: [{ member: dimension }], limit: 100 },
  };
  try {
    const path = pathOf(project.value?.name ?? "", "cube");
    const response = await ask({ path, body, token: token.value });
    const { data } = (await response.json()) as { readonly data: readonly (readonly unknown[])[] };
    const values = data.flatMap(([value]) => (value === null || value === undefined ? [] : [String(value)]));
    announcement.value = `${values.length} values of ${dimension}`;
    return values;
  } catch (error) {
    notice.value = failureOfError(error).message;
    return [];
  }
}
