/** Finds an object of a manifest by its name in messages: `column "total" of model "orders"`. */
import type { Step } from "./yaml.ts";

const LISTS: Readonly<Record<string, string>> = {
  model: "models",
  view: "views",
  cube: "cubes",
  relationship: "relationships",
  metric: "metrics",
  "cumulative metric": "cumulativeMetrics",
  enum: "enumDefinitions",
  macro: "macros",
};

/** The path to an object by its name in messages; undefined if it names none. */
export function stepsOf(object: string, json: Readonly<Record<string, unknown>>): readonly Step[] | undefined {
  const found = /(model|view|cube|relationship|cumulative metric|metric|enum|macro) "(.*?)"$/.exec(object);
  const list = LISTS[found?.[1] ?? ""];
  if (found === null || list === undefined) return undefined;
  const owners = json[list];
  const at = Array.isArray(owners) ? owners.findIndex((each) => nameOf(each) === found[2]) : -1;
  if (at < 0 || !Array.isArray(owners)) return undefined;
  const [, inner] = /^[a-z ]+ "(.*?)" of /.exec(object) ?? [];
  if (inner === undefined) return [list, at, "name"];
  for (const [member, parts] of Object.entries((owners[at] ?? {}) as Record<string, unknown>)) {
    const part = Array.isArray(parts) ? parts.findIndex((each) => nameOf(each) === inner) : -1;
    if (part >= 0) return [list, at, member, part, "name"];
  }
  return [list, at, "name"];
}

function nameOf(value: unknown): unknown {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)["name"] : undefined;
}
