/** The typed function catalogue: what the planner knows by name. Names it does not know may pass (decisions P9). */
import { AGGREGATES, WINDOW_FUNCTIONS } from "./aggregates.ts";
import { SCALARS } from "./scalars.ts";
import type { FunctionSpecification } from "./specification.ts";
import { TABLE_FUNCTIONS } from "./table-functions.ts";

const ENTRIES = [...SCALARS, ...TABLE_FUNCTIONS, ...AGGREGATES, ...WINDOW_FUNCTIONS];

/** The canonical name of every function of the catalogue: what each target has to say something about. */
export type FunctionName = (typeof ENTRIES)[number]["name"];

const CATALOGUE: ReadonlyMap<string, FunctionSpecification> = new Map(ENTRIES.map((entry) => [entry.name, entry]));

/** The function of this lower-case name under its canonical name; synonyms are resolved before (`synonyms.ts`). */
export function findFunction(name: string): FunctionSpecification | undefined {
  return CATALOGUE.get(name);
}

/** What becomes of functions that the catalogue does not have: PostgreSQL's own, and names that nobody knows. */
export interface UnlistedFunctions {
  readonly postgres: "pass" | "refuse";
  readonly unknown: "pass" | "refuse";
}

export function functionNames(): readonly FunctionName[] {
  return ENTRIES.map(({ name }) => name);
}
