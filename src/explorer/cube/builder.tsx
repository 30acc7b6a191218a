/** Builds a structured query over a cube by choosing: measures, dimensions, times, filters, order and a limit. */
import type { Cube } from "../answers.ts";
import { show } from "../opening.ts";
import { cubeQuery, project } from "../state.ts";
import { type CubeQuery, columnsOf, emptyCubeQuery, missingIn, withoutLostOrders } from "./cube-query.ts";
import { cubeSql } from "./cube-sql.ts";
import { FilterRows } from "./filter-rows.tsx";
import { OrderRows } from "./order-rows.tsx";
import { TimeRow } from "./time-row.tsx";

export function CubeBuilder() {
  const cubes = project.value?.cubes ?? [];
  const query = cubeQuery.value;
  const cube = cubes.find(({ name }) => name === query?.cube);
  if (query === undefined) return null;
  return (
    <div class="builder">
      <div class="choices">
        {/* The description stands outside the label: text of a label is part of the control's name. */}
        <div class="field">
          <label class="name" for="cube">
            Cube
          </label>
          <select
            id="cube"
            aria-describedby={cube?.description === undefined ? undefined : "about-cube"}
            value={query.cube}
            onChange={({ currentTarget }) => write(emptyCubeQuery(currentTarget.value))}
          >
            {cube === undefined && <option value={query.cube}>{query.cube} (not in the project)</option>}
            {cubes.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
          {cube?.description !== undefined && (
            <span class="dim" id="about-cube">
              {cube.description}
            </span>
          )}
        </div>
        {cube !== undefined && <Members cube={cube} query={query} />}
      </div>
      <Statement query={query} />
    </div>
  );
}

/** The builder of the first cube with its first measure, where nobody has built anything yet. */
export function openBuilder(): void {
  const [cube] = project.value?.cubes ?? [];
  if (cube === undefined) return;
  const [measure] = cube.measures;
  const fresh = { ...emptyCubeQuery(cube.name), measures: measure === undefined ? [] : [measure.name] };
  show({ kind: "cube", cube: cubeQuery.value ?? fresh });
}

function write(query: CubeQuery): void {
  cubeQuery.value = withoutLostOrders(query);
}

function Members({ cube, query }: { readonly cube: Cube; readonly query: CubeQuery }) {
  return (
    <>
      <Choices
        title="Measures"
        of={cube.measures}
        chosen={query.measures}
        choose={(measures) => write({ ...query, measures })}
      />
      <Choices
        title="Dimensions"
        of={cube.dimensions}
        chosen={query.dimensions}
        choose={(dimensions) => write({ ...query, dimensions })}
      />
      {cube.timeDimensions.length > 0 && (
        <fieldset>
          <legend>Time</legend>
          <div class="rows">
            {cube.timeDimensions.map(({ name }) => (
              <TimeRow
                key={name}
                name={name}
                of={query.timeDimensions.find(({ dimension }) => dimension === name)}
                write={(time) =>
                  write({
                    ...query,
                    timeDimensions: cube.timeDimensions.flatMap((each) =>
                      each.name === name
                        ? (time ?? [])
                        : query.timeDimensions.filter(({ dimension }) => dimension === each.name),
                    ),
                  })
                }
              />
            ))}
          </div>
        </fieldset>
      )}
      <FilterRows cube={cube} query={query} write={write} />
      <OrderRows columns={columnsOf(query)} orders={query.orderBy} write={(orderBy) => write({ ...query, orderBy })} />
      <label class="field">
        <span class="name">Limit</span>
        <input
          aria-label="Limit of the query"
          type="number"
          min="0"
          max="1000000"
          step="1"
          placeholder="none"
          value={query.limit ?? ""}
          onInput={({ currentTarget: { value, valueAsNumber } }) => {
            const { limit: _, ...others } = query;
            const isLimit = value !== "" && Number.isSafeInteger(valueAsNumber) && valueAsNumber >= 0;
            write(isLimit ? { ...others, limit: valueAsNumber } : others);
          }}
        />
      </label>
    </>
  );
}

interface ChoicesProps {
  readonly title: string;
  readonly of: readonly { readonly name: string; readonly type: string; readonly description?: string }[];
  readonly chosen: readonly string[];
  readonly choose: (names: readonly string[]) => void;
}

function Choices({ title, of, chosen, choose }: ChoicesProps) {
  if (of.length === 0) return null;
  const toggle = (name: string): void =>
    choose(chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name]);
  return (
    <fieldset>
      <legend>{title}</legend>
      <div class="chips">
        {of.map(({ name, type, description }) => (
          <label key={name} class="choice" title={description ?? type}>
            <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} />
            <bdi>{name}</bdi>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The statement with the same answer, to learn from and to go on with. */
function Statement({ query }: { readonly query: CubeQuery }) {
  const missing = missingIn(query);
  return (
    <section class="statement" aria-label="SQL of the query">
      {missing === undefined ? (
        <>
          <pre>{cubeSql(query)}</pre>
          <button type="button" onClick={() => show({ kind: "sql", sql: cubeSql(query) })}>
            Continue in SQL
          </button>
        </>
      ) : (
        <p class="dim">{missing}</p>
      )}
    </section>
  );
}
