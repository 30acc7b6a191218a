/**
 * The typed function catalogue: the functions that the planner knows by name. Other names may pass
 * (docs/decisions/0019-functions.md).
 */
import { AGGREGATES, WINDOW_FUNCTIONS } from "./aggregates.ts";
import { POSTGRES_FORMS } from "./postgres-forms.ts";
import { SCALARS } from "./scalars.ts";
import {
  countProblem,
  type Defined,
  type Entry,
  type FunctionSpecification,
  type Meaning,
  specificationOf,
} from "./specification.ts";
import { TABLE_FUNCTIONS } from "./table-functions.ts";

const ENTRIES = [...SCALARS, ...TABLE_FUNCTIONS, ...AGGREGATES, ...WINDOW_FUNCTIONS];

/** The canonical name of every function of the catalogue: what each target has to say something about. */
export type FunctionName = (typeof ENTRIES)[number]["name"];

/** The functions with a definition in the input language: a target needs no rule for them. */
export type DefinedName = Extract<(typeof ENTRIES)[number], Defined>["name"];

const CATALOGUE: ReadonlyMap<string, Entry & Partial<Defined>> = new Map(ENTRIES.map((entry) => [entry.name, entry]));

/** Built lazily per name: building all entries takes a tenth of a new isolate's module start-up. */
const read = new Map<string, FunctionSpecification>();

/** The function of this lower-case name under its canonical name; synonyms are resolved before (`synonyms.ts`). */
export function findFunction(name: string): FunctionSpecification | undefined {
  const known = read.get(name);
  if (known !== undefined) return known;
  const entry = CATALOGUE.get(name);
  if (entry === undefined) return undefined;
  const specification = specificationOf(entry);
  read.set(name, specification);
  return specification;
}

/** The definitions of the function with this canonical name. */
export function meaningsOf(name: string): readonly Meaning[] {
  return CATALOGUE.get(name)?.means ?? [];
}

/** The function of this name, and the forms that only PostgreSQL offers (`postgres-forms.ts`) where the catalogue has no such call. */
export function findForm(name: string, argumentCount: number): FunctionSpecification | undefined {
  const specification = findFunction(name);
  const isCatalogued = specification !== undefined && countProblem(specification, argumentCount) === undefined;
  const form = isCatalogued ? undefined : POSTGRES_FORMS.get(name);
  return form === undefined ? specification : specificationOf(form);
}

/** A function of a source's own. */
export interface ListedFunction {
  /** In the source's spelling: some sources compare the case of names. */
  readonly name: string;
  readonly type: ListedType;
}

export type ListedType = "text" | "bigint" | "double" | "date" | "timestamp" | "uuid" | "other";

/** Names in lower case → functions. Made when a statement first needs it. */
export type FunctionList = () => ReadonlyMap<string, ListedFunction>;

/** Type of the result → texts of names, separated by blanks. */
export function functionList(byType: Readonly<Partial<Record<ListedType, readonly string[]>>>): FunctionList {
  let listed: ReadonlyMap<string, ListedFunction> | undefined;
  return () => {
    listed ??= new Map(
      (Object.entries(byType) as [ListedType, readonly string[]][]).flatMap(([type, texts]) =>
        texts.flatMap((text) => text.split(" ").map((name) => [name.toLowerCase(), { name, type }] as const)),
      ),
    );
    return listed;
  };
}

/** Policy for functions outside the catalogue: PostgreSQL's own, and unknown names. */
export interface UnlistedFunctions {
  readonly postgres: "pass" | "refuse";
  readonly unknown: "pass" | "refuse";
  /** The source's own functions that read nothing but their arguments and change nothing: a caller may call them. */
  readonly pure?: FunctionList;
  /** Policy for functions of a schema that the manifest or the operator names; defaults to `unknown`. */
  readonly ofNamedSchemas?: "pass";
  /** Lower-case names that callers may never call on this source, in addition to those of `safety.ts`. */
  readonly forbidden: ReadonlySet<string>;
}

export function functionNames(): readonly FunctionName[] {
  return ENTRIES.map(({ name }) => name);
}
