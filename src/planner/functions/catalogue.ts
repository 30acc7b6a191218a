/** The typed function catalogue: what the planner knows by name. Names it does not know may pass (decisions P9). */
import { AGGREGATES, WINDOW_FUNCTIONS } from "./aggregates.ts";
import { SCALARS } from "./scalars.ts";
import type { FunctionSpecification } from "./specification.ts";

const CATALOGUE: ReadonlyMap<string, FunctionSpecification> = new Map(
  [...SCALARS, ...AGGREGATES, ...WINDOW_FUNCTIONS].map((entry) => [entry.name, entry]),
);

/** The function of this lower-case name under its canonical name; synonyms are resolved before (`synonyms.ts`). */
export function findFunction(name: string): FunctionSpecification | undefined {
  return CATALOGUE.get(name);
}

export function functionNames(): Iterable<string> {
  return CATALOGUE.keys();
}
