/** Saved queries of dbt as golden questions over the cube that has all of their metrics. */
import type { CubeDraft, Draft } from "../draft.ts";
import { hasKnownMembers, type Item } from "../item.ts";
import { Unmapped } from "../sql-text.ts";
import type { SemanticModel } from "./semantic-model.ts";

const QUERY = {
  mapped: ["name", "description", "query_params"],
  silent: ["label", "metadata", "tags", "config", "exports"],
};
const PARAMETERS = {
  mapped: ["metrics", "group_by", "limit"],
  refused: { where: "a filter of a question has no counterpart.", order_by: "an order of rows has no counterpart." },
};
const NAMED =
  /^(?:(Dimension|TimeDimension|Entity)\(\s*['"](\w+)['"]\s*(?:,\s*(?:\w+\s*=\s*)?['"](\w+)['"]\s*)?\)(?:\.grain\(\s*['"](\w+)['"]\s*\))?|(\w+))$/;
const UNITS: ReadonlySet<string> = new Set(["second", "minute", "hour", "day", "week", "month", "quarter", "year"]);

export function addSavedQueries(items: readonly Item[], models: readonly SemanticModel[], draft: Draft): void {
  for (const item of items) {
    const name = item.text("name") ?? "";
    const object = `saved query "${name}"`;
    const parameters = item.item("query_params");
    if (parameters === undefined || !hasKnownMembers(item, object, QUERY, draft.report)) continue;
    if (!hasKnownMembers(parameters, object, PARAMETERS, draft.report)) continue;
    draft.attempt(object, item.at("name"), () => {
      const cube = cubeQuery(parameters, models, draft);
      draft.questions.push({ object, name, title: item.text("description"), asked: { cube }, at: item.at("name") });
    });
  }
}

function cubeQuery(parameters: Item, models: readonly SemanticModel[], draft: Draft): object {
  const metrics = parameters.texts("metrics");
  const cube = [...draft.cubes.values()].find(({ measures }) =>
    metrics.every((metric) => measures.some(({ name }) => name === metric)),
  );
  const model = models.find((each) => each.cube === cube);
  if (cube === undefined || model === undefined || metrics.length === 0) {
    throw new Unmapped("Its metrics are not measures of one cube.");
  }
  const dimensions: string[] = [];
  const timeDimensions: object[] = [];
  for (const text of parameters.texts("group_by")) {
    const { name, granularity } = memberOf(text, model, cube);
    if (granularity === undefined) dimensions.push(name);
    else timeDimensions.push({ dimension: name, granularity });
  }
  const limit = parameters.text("limit");
  return {
    cube: cube.name,
    measures: metrics,
    ...(dimensions.length > 0 && { dimensions }),
    ...(timeDimensions.length > 0 && { timeDimensions }),
    ...(limit !== undefined && { limit: Number(limit) }),
  };
}

function memberOf(
  text: string,
  model: SemanticModel,
  cube: CubeDraft,
): { readonly name: string; readonly granularity: string | undefined } {
  const [, , called, unit, grain, bare] = NAMED.exec(text.trim()) ?? [];
  const parts = (called ?? bare ?? "").split("__");
  const last = parts.at(-1) ?? "";
  const isUnit = bare !== undefined && parts.length > 1 && UNITS.has(last);
  if (isUnit) parts.pop();
  const granularity = (unit ?? grain ?? (isUnit ? last : undefined))?.toLowerCase();
  const [entity = "", member] = parts;
  const times = new Set([...cube.timeDimensions].map(({ name }) => name));
  const isOwn =
    entity === model.primaryEntity || model.entities.some(({ name, type }) => name === entity && type !== "foreign");
  const name = entity === "metric_time" ? timeOf(model) : isOwn && member !== undefined ? member : parts.join("__");
  if (![...cube.dimensions, ...cube.timeDimensions].some((each) => each.name === name)) {
    throw new Unmapped(`It groups by ${text}, which is no dimension of the cube.`);
  }
  if (granularity !== undefined && !UNITS.has(granularity))
    throw new Unmapped(`The granularity ${granularity} has no counterpart.`);
  // MetricFlow groups a time by its own granularity where the query names none.
  return { name, granularity: times.has(name) ? (granularity ?? "day") : granularity };
}

/** The time dimension that all measures of the model are over. Throws `Unmapped`. */
function timeOf({ item, measures }: SemanticModel): string {
  const name = item.item("defaults")?.text("agg_time_dimension");
  const others = [...measures.values()].flatMap((each) => each.text("agg_time_dimension") ?? []);
  const all = new Set([...(name === undefined ? [] : [name]), ...others]);
  const [only] = all;
  if (only === undefined || all.size > 1) throw new Unmapped("Its measures are not over one time dimension.");
  return only;
}
