/** The model graph: models as buttons, lines with the numbers of rows at their ends, and the path of a computed column. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Model } from "../answers.ts";
import { explain } from "../api.ts";
import { quotedName } from "../quoted-name.ts";
import { announcement, failureOfError, project, token } from "../state.ts";
import { LONGEST_NAME, layoutOf } from "./layout.ts";
import { edgesBetween, edgesOf, type GraphEdge, sentenceOf } from "./model-graph.ts";

const MOST_MODELS = 150;
const MOST_COLUMNS = 200;

interface ColumnPath {
  readonly column: string;
  readonly models: ReadonlySet<string>;
  /** Columns that the value is computed from, as `model.column`; undefined if the project does not show them. */
  readonly reads: readonly string[] | undefined;
}

export function GraphPanel() {
  const models = project.value?.models ?? [];
  const [chosen, choose] = useState<string>();
  const [path, show] = useState<ColumnPath>();
  const edges = useMemo(() => edgesOf(models), [models]);
  const model = models.find(({ name }) => name === chosen);
  useEffect(() => show(undefined), [chosen]);
  if (models.length === 0) return <p class="note">The model is empty, or you may see nothing of it.</p>;
  const lit = edgesBetween(edges, path?.models ?? new Set());
  return (
    <div class="graph">
      {models.length <= MOST_MODELS ? (
        <Drawing models={models} edges={edges} chosen={chosen} choose={choose} path={path} lit={lit} />
      ) : (
        <p class="note">The drawing has room for {MOST_MODELS} models; the list has all.</p>
      )}
      <div class="side">
        {model === undefined ? (
          <>
            <h3>Relationships</h3>
            {edges.length === 0 && <p class="dim">No model leads to another.</p>}
            <ul>
              {edges.map((edge) => (
                <li key={sentenceOf(edge)}>{sentenceOf(edge)}</li>
              ))}
            </ul>
          </>
        ) : (
          <ModelSide model={model} edges={edges} path={path} show={show} close={() => choose(undefined)} />
        )}
      </div>
    </div>
  );
}

interface DrawingProps {
  readonly models: readonly Model[];
  readonly edges: readonly GraphEdge[];
  readonly chosen: string | undefined;
  readonly choose: (name: string | undefined) => void;
  readonly path: ColumnPath | undefined;
  readonly lit: ReadonlySet<GraphEdge>;
}

function Drawing({ models, edges, chosen, choose, path, lit }: DrawingProps) {
  const {
    width,
    height,
    nodes,
    edges: lines,
  } = useMemo(
    () =>
      layoutOf(
        models.map(({ name }) => name),
        edges,
      ),
    [models, edges],
  );
  const short = (name: string): string => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard, too.
    <section class="drawing" tabIndex={0} aria-label="Model graph">
      <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height}>
        <title>Models and the paths between them</title>
        {lines.map(({ edge, points }) => {
          const [start = [0, 0]] = points;
          const end = points.at(-1) ?? start;
          return (
            <g key={sentenceOf(edge)} class={lit.has(edge) ? "edge lit" : "edge"}>
              <title>{sentenceOf(edge)}</title>
              <path d={points.map(([x, y], place) => `${place === 0 ? "M" : "L"}${x} ${y}`).join("")} />
              <text x={start[0] + 8} y={start[1] - 5}>
                {edge.ends[0]}
              </text>
              <text x={end[0] - 8} y={end[1] - 5} text-anchor="end">
                {edge.ends[1]}
              </text>
            </g>
          );
        })}
        {nodes.map(({ name, x, y, width: wide, height: high }) => (
          // biome-ignore lint/a11y/useSemanticElements: SVG has no button of its own.
          <g
            key={name}
            class={path?.models.has(name) ? "node lit" : "node"}
            role="button"
            tabindex={0}
            aria-pressed={name === chosen}
            aria-label={name}
            onClick={() => choose(name === chosen ? undefined : name)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" && event.key !== " ") return;
              event.preventDefault();
              choose(name === chosen ? undefined : name);
            }}
          >
            <title>{name}</title>
            <rect x={x} y={y} width={wide} height={high} rx="7" />
            <text x={x + wide / 2} y={y + high / 2 + 5} text-anchor="middle">
              {short(name)}
            </text>
          </g>
        ))}
      </svg>
    </section>
  );
}

interface ModelSideProps {
  readonly model: Model;
  readonly edges: readonly GraphEdge[];
  readonly path: ColumnPath | undefined;
  readonly show: (path: ColumnPath | undefined) => void;
  readonly close: () => void;
}

function ModelSide({ model, edges, path, show, close }: ModelSideProps) {
  const columns = model.columns.slice(0, MOST_COLUMNS);
  return (
    <>
      <h3>
        {model.name}{" "}
        <button type="button" class="link" onClick={close}>
          All relationships
        </button>
      </h3>
      {model.description !== undefined && <p class="dim">{model.description}</p>}
      <ul>
        {edges
          .filter(({ from, to }) => from === model.name || to === model.name)
          .map((edge) => (
            <li key={sentenceOf(edge)}>{sentenceOf(edge)}</li>
          ))}
      </ul>
      <h3>Computed from</h3>
      <p class="dim">Choose a column to see where its values come from.</p>
      <div class="chips">
        {columns.map(({ name }) => (
          <button
            key={name}
            type="button"
            aria-pressed={path?.column === name}
            onClick={() => void pathOfColumn(model.name, name).then(show)}
          >
            <bdi>{name}</bdi>
          </button>
        ))}
      </div>
      {model.columns.length > columns.length && (
        <p class="dim">{model.columns.length - columns.length} more columns are in the model tree.</p>
      )}
      {path !== undefined && (
        <p>
          <b>{path.column}</b> is computed from{" "}
          {path.reads === undefined ? "columns that the project does not show" : path.reads.join(", ")}.
        </p>
      )}
    </>
  );
}

/** The plan of the column alone names the models and columns that it reads. */
async function pathOfColumn(model: string, column: string): Promise<ColumnPath | undefined> {
  const sql = `SELECT ${quotedName(column)} FROM ${quotedName(model)}`;
  try {
    const { reads } = await explain(project.value?.name ?? "", { sql }, token.value);
    const isItself = (from: string, name: string): boolean => from === model && name === column;
    const read = reads?.flatMap(({ model: from, columns }) =>
      columns.filter((name) => !isItself(from, name)).map((name) => `${from}.${name}`),
    );
    const names = read?.length === 0 ? ["a column of the source"] : read;
    announcement.value = `${column}: ${names?.join(", ") ?? "not shown"}`;
    return { column, models: new Set([model, ...(reads ?? []).map(({ model: from }) => from)]), reads: names };
  } catch (error) {
    announcement.value = failureOfError(error).message;
    return undefined;
  }
}
