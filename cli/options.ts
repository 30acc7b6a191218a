/** The arguments of a command, read by `node:util`. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { literalOf } from "../src/guard/property-literal.ts";
import { nearestNames } from "../src/planner/index.ts";
import type { DataSource } from "../src/planner/plan.ts";
import { DATA_SOURCES, isDataSource } from "../src/service/data-sources.ts";
import { UsageError } from "./exit.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** Throws `UsageError` for an unknown option, with the nearest known one. */
export function readArguments<O extends Options>(args: readonly string[], options: O) {
  for (const arg of args) {
    const [, name] = /^--(?:no-)?([^=]+)/.exec(arg) ?? [];
    if (arg === "--") break;
    if (name === undefined || Object.hasOwn(options, name)) continue;
    const [near] = nearestNames(name, Object.keys(options));
    throw new UsageError(`--${name} is not an option.${near === undefined ? "" : ` Did you mean --${near}?`}`);
  }
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

export const MODEL_OPTIONS = {
  project: { type: "string", short: "p" },
  manifest: { type: "string" },
} as const satisfies Options;

export const CONNECTION_OPTIONS = {
  connection: { type: "string", short: "c" },
} as const satisfies Options;

export const SESSION_OPTIONS = {
  as: { type: "string", multiple: true },
  property: { type: "string", multiple: true },
} as const satisfies Options;

export function sourceNamed(name: string): DataSource {
  if (isDataSource(name)) return name;
  const [near] = nearestNames(name, DATA_SOURCES);
  const hint = near === undefined ? `Data sources: ${DATA_SOURCES.join(", ")}.` : `Did you mean ${near}?`;
  throw new UsageError(`${name} is not a data source. ${hint}`);
}

/** A number, a truth value or a quoted text is a literal of SQL already; anything else is a text. */
const LITERAL = /^(?:-?\d+(?:\.\d+)?|true|false|null|'(?:[^']|'')*')$/i;

/** Session properties: `--as tenant=a` takes a text, `--property tenant='a'` the literal of SQL. */
export function sessionOf(values: {
  readonly as?: readonly string[] | undefined;
  readonly property?: readonly string[] | undefined;
}): ReadonlyMap<string, string> {
  const pairs = (texts: readonly string[] | undefined, option: string): readonly (readonly [string, string])[] =>
    (texts ?? []).map((text) => {
      const equals = text.indexOf("=");
      if (equals < 1) throw new UsageError(`${option} ${text} is not NAME=VALUE.`);
      return [text.slice(0, equals).toLowerCase(), text.slice(equals + 1)];
    });
  const given = pairs(values.as, "--as").map(([name, value]) => {
    const literal = LITERAL.test(value) ? value : literalOf(value);
    if (literal === undefined) throw new UsageError(`--as ${name}: SQL has no literal for the value.`);
    return [name, literal] as const;
  });
  return new Map([...given, ...pairs(values.property, "--property")]);
}
/** Session properties of a golden question, whose values have types. */
export function sessionFrom(values: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(values).map(([name, value]) => {
      const literal = value === null ? "NULL" : literalOf(value);
      if (literal === undefined) throw new UsageError(`as.${name} is neither a text, a number nor a truth value.`);
      return [name.toLowerCase(), literal];
    }),
  );
}
