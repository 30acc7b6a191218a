/** The functions of a source, one entry per signature: computed from the catalogue and the source's dialect. */
import { targetOf } from "../dialects/targets.ts";
import { type FunctionName, findFunction, functionNames } from "../functions/catalogue.ts";
import type { Accepts, FunctionSpecification } from "../functions/specification.ts";
import { RENAMED } from "../functions/synonyms.ts";
import type { Rewrites } from "../lowering/target.ts";
import type { DataSource } from "../plan.ts";
import {
  BINARY,
  BOOLEAN,
  describeType,
  INTERVAL,
  isUnknown,
  jsonOf,
  NUMERIC,
  type SqlType,
  TEXT,
  TIMESTAMP,
  UNKNOWN,
} from "../types.ts";
import type { FunctionText } from "./function-texts.ts";
import type { ListedOtherwise } from "./listed-otherwise.ts";
import type { SynonymText } from "./synonym-texts.ts";

/**
 * The lazily loaded texts of all functions. They are an argument because a bundle wraps everything that a lazily loaded
 * module imports, and this module imports most of the planner.
 */
export interface Texts {
  readonly functions: Readonly<Record<FunctionName, FunctionText>>;
  readonly synonyms: Readonly<Record<string, SynonymText>>;
  readonly otherwise: Readonly<Partial<Record<DataSource, ListedOtherwise>>>;
}

/** docs/spec/contract.md#functions-and-knowledge */
export interface FunctionRecord {
  readonly function_type: "scalar" | "aggregate" | "window";
  readonly name: string;
  readonly return_type: string | null;
  readonly param_names: string | null;
  readonly param_types: string | null;
  readonly description: string;
}

/** A function and an example call; an example that begins with FROM is a FROM clause. */
export interface DescribedFunction {
  readonly name: string;
  readonly example: string;
  readonly records: readonly FunctionRecord[];
}

/**
 * The functions of a source by name: every one that the catalogue has and the source does not refuse, under each of its names,
 * where a call like its example is planned. Fails with `PlannerError` NOT_IMPLEMENTED for a source that nothing is planned for.
 */
export function describedFunctions(source: DataSource, texts: Texts): readonly DescribedFunction[] {
  const { rewrites } = targetOf(source);
  const { absent = [], counted = [] } = texts.otherwise[source] ?? {};
  const own = functionNames().filter((name) => isSaid(rewrites, name));
  const renamed = [...RENAMED].filter(
    ([synonym, canonical]) => findFunction(synonym) === undefined && isSaid(rewrites, canonical),
  );
  const exampleOf = (name: string, example: string): string =>
    counted.includes(name) ? `cardinality(${example})` : example;
  const described = [
    ...own.map((name) => ofCatalogue(name, texts, exampleOf)),
    ...renamed.map(([synonym, canonical]) => ofRenamed(synonym, canonical, texts, exampleOf)),
    ...Object.entries(texts.synonyms).map(([name, text]) => ofForm(name, text, exampleOf)),
  ];
  return described.filter(({ name }) => !absent.includes(name)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The example as the source plans it. */
type ExampleOf = (name: string, example: string) => string;

/** A function in FROM may be supported in another way than as a value. */
function isSaid({ functions, tableFunctions }: Rewrites, name: string): boolean {
  const rule = functions.get(name);
  if (tableFunctions.has(name)) return true;
  return rule !== undefined && (typeof rule !== "object" || !("refused" in rule));
}

function ofCatalogue(name: FunctionName, texts: Texts, exampleOf: ExampleOf): DescribedFunction {
  const [description, written] = texts.functions[name];
  const example = exampleOf(name, written);
  const specification = findFunction(name);
  const records = specification === undefined ? [] : signatures(name, specification, shown(description, example));
  return { name, example, records: LITERAL[name] ?? records };
}

/** Records that clients of the retired service compare as a whole (docs/spec/contract.md#functions-and-knowledge). */
const LITERAL: Readonly<Partial<Record<FunctionName, readonly FunctionRecord[]>>> = {
  div: [
    {
      function_type: "scalar",
      name: "div",
      return_type: "Decimal(38, 10)",
      param_names: null,
      param_types: "Decimal(38, 10),Decimal(38, 10)",
      description: "trunc(x/y)",
    },
  ],
};

function ofRenamed(name: string, canonical: FunctionName, texts: Texts, exampleOf: ExampleOf): DescribedFunction {
  const [description, example] = texts.functions[canonical];
  const own = exampleOf(name, example.replace(canonical, name));
  const words = `Another name of ${canonical}. ${description}`;
  const specification = findFunction(canonical);
  const records = specification === undefined ? [] : signatures(name, specification, shown(words, own));
  return { name, example: own, records };
}

function ofForm(name: string, text: SynonymText, exampleOf: ExampleOf): DescribedFunction {
  const { kind, takes, gives, description } = text;
  const example = exampleOf(name, text.example);
  const record: FunctionRecord = {
    function_type: kind ?? "scalar",
    name,
    return_type: gives,
    param_names: null,
    param_types: takes === "" ? null : takes,
    description: name === "extract" ? description : shown(description, example),
  };
  return { name, example, records: [record] };
}

const shown = (description: string, example: string): string => `${description} Example: ${example}`;

/** One for each number of arguments. */
function signatures(
  name: string,
  specification: FunctionSpecification,
  description: string,
): readonly FunctionRecord[] {
  const { parameters, required, variadic, kind } = specification;
  const counts = variadic
    ? [parameters.length]
    : Array.from({ length: parameters.length - required + 1 }, (_, more) => required + more);
  return counts.map((count): FunctionRecord => {
    const taken = parameters.slice(0, count);
    const types = taken.map((parameter, index) => {
      const repeats = variadic && index === count - 1;
      return `${WORDS[parameter]}${repeats ? "..." : ""}`;
    });
    return {
      function_type: kind === "table" ? "scalar" : kind,
      name,
      return_type: typeWord(specification.result(taken.map((parameter) => TYPICAL[parameter]))),
      param_names: null,
      param_types: types.length === 0 ? null : types.join(","),
      description,
    };
  });
}

/** `numeric` is any kind of number, `timestamp` includes dates. */
const WORDS: Readonly<Record<Accepts, string>> = {
  any: "any",
  number: "numeric",
  numbers: "numeric",
  text: "text",
  boolean: "boolean",
  datetime: "timestamp",
  temporal: "timestamp",
  interval: "interval",
  json: "json",
  array: "array",
  binary: "bytea",
  bytes: "text",
};

const TYPICAL: Readonly<Record<Accepts, SqlType>> = {
  any: UNKNOWN,
  number: NUMERIC,
  numbers: NUMERIC,
  text: TEXT,
  boolean: BOOLEAN,
  datetime: TIMESTAMP,
  temporal: TIMESTAMP,
  interval: INTERVAL,
  json: jsonOf([]),
  array: { kind: "array", element: UNKNOWN },
  binary: BINARY,
  bytes: TEXT,
};

function typeWord(type: SqlType): string {
  if (type.kind === "array" && isUnknown(type.element)) return "array";
  if (isUnknown(type)) return "any";
  return type.kind === "binary" ? "bytea" : describeType(type);
}
