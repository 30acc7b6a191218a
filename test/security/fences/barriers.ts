/** The barriers of `ROW_RULES=besteffort` (`src/planner/expand/fence.ts`) as the experiment's forms, for engines that run here. */
import type { Engine } from "./engines.ts";
import { body, type FenceForm, names, ofSource } from "./shapes.ts";

/** The rule and the columns inside, the caller's expressions outside. */
function barrier(number: string, limit = ""): FenceForm {
  return (rule, q) =>
    `(SELECT ${names(undefined)}${q === undefined ? "" : `, (${ofSource(q)}) AS q`} FROM (${body(rule, undefined, `, ${number} AS rn`)}${limit}) AS b WHERE b.rn > 0)`;
}

export const BARRIERS = {
  ranked: barrier("row_number() OVER (ORDER BY 1)"),
  "ranked and limited": barrier("row_number() OVER (ORDER BY (SELECT NULL))", " LIMIT 9223372036854775807"),
} satisfies Record<string, FenceForm>;

export type BarrierName = keyof typeof BARRIERS;

export async function withBarriers(open: Promise<Engine>): Promise<Engine> {
  const engine = await open;
  return { ...engine, shapes: { ...engine.shapes, fences: { ...engine.shapes.fences, ...BARRIERS } } };
}
