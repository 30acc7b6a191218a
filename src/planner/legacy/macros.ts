/**
 * Macros of old manifests (planner.md §2.15): `{{ addOne('c_custkey') }}` in an expression stands for the macro's body with
 * its parameters filled in, as text, before the expression is parsed. Parameters are SQL fragments or other macros.
 */
import { PlannerError } from "../diagnostics.ts";

export interface MacroData {
  readonly name: string;
  /** `(a: Expression, f: Macro) => body`, with `{{ a }}` and `{{ f(a) }}` in the body. */
  readonly definition: string;
}

interface Macro {
  readonly name: string;
  readonly parameters: readonly { readonly name: string; readonly kind: "Expression" | "Macro" }[];
  readonly body: string;
}

/** What a parameter stands for: text, or a macro. */
type Argument = string | Macro;

/** Macros may call macros, and each other without end. */
const MAX_DEPTH = 20;
/** Two calls in each body double the text at every step. */
const MAX_LENGTH = 100_000;

const TEMPLATE = /\{\{(.*?)\}\}/gs;

export function hasMacros(text: string): boolean {
  return text.includes("{{");
}

/** `text` with its macros expanded. Throws MANIFEST_EXPRESSION for wrong definitions and calls, LIMIT_SIZE, LIMIT_DEPTH. */
export function expandMacros(text: string, macros: ReadonlyMap<string, MacroData>): string {
  const find = (name: string): Macro | undefined => {
    const data = macros.get(name);
    return data === undefined ? undefined : parseDefinition(data);
  };
  return fill(text, find, 0);
}

function fill(text: string, find: (name: string) => Argument | undefined, depth: number): string {
  if (depth > MAX_DEPTH) throw new PlannerError("LIMIT_DEPTH", `macros call each other over ${MAX_DEPTH} steps`);
  const filled = text.replaceAll(TEMPLATE, (_, call: string) => {
    const scanner = new CallScanner(call);
    const value = evaluate(scanner, find, depth);
    scanner.end();
    if (typeof value !== "string") throw invalid(`macro "${value.name}" is named without its arguments: {{${call}}}`);
    return value;
  });
  if (filled.length > MAX_LENGTH) {
    throw new PlannerError("LIMIT_SIZE", `macros expand to more than ${MAX_LENGTH} characters`);
  }
  return filled;
}

/** A quoted fragment, a number, a parameter, a macro, or a call of one. */
function evaluate(scanner: CallScanner, find: (name: string) => Argument | undefined, depth: number): Argument {
  const literal = scanner.literal();
  if (literal !== undefined) return literal;
  const name = scanner.name();
  const named = find(name);
  if (named === undefined) throw invalid(`there is no macro or parameter "${name}"`);
  if (typeof named === "string" || !scanner.accept("(")) return named;
  const values: Argument[] = [];
  while (!scanner.accept(")")) {
    if (values.length > 0) scanner.expect(",");
    values.push(evaluate(scanner, find, depth + 1));
  }
  return call(named, values, find, depth);
}

function call(
  macro: Macro,
  values: readonly Argument[],
  find: (name: string) => Argument | undefined,
  depth: number,
): string {
  if (values.length !== macro.parameters.length) {
    throw invalid(`macro "${macro.name}" takes ${macro.parameters.length} arguments, not ${values.length}`);
  }
  const bound = new Map(
    macro.parameters.map(({ name, kind }, index) => {
      const value = values[index] ?? "";
      if ((kind === "Macro") === (typeof value === "string")) {
        throw invalid(
          `parameter "${name}" of macro "${macro.name}" is ${kind === "Macro" ? "a macro" : "an expression"}`,
        );
      }
      return [name, value] as const;
    }),
  );
  return fill(macro.body, (name) => bound.get(name) ?? find(name), depth + 1);
}

/** Throws MANIFEST_EXPRESSION when the definition cannot be read. */
export function checkMacro(data: MacroData): void {
  parseDefinition(data);
}

function parseDefinition({ name, definition }: MacroData): Macro {
  const match = /^\s*\(([^()]*)\)\s*=>\s*(.*?)\s*$/s.exec(definition);
  const [, list = "", body] = match ?? [];
  if (body === undefined)
    throw invalid(`definition of macro "${name}" is invalid: it has the form (a: Expression) => body`);
  const parameters = list.split(",").flatMap((part) => {
    if (part.trim() === "" && !list.includes(",")) return [];
    const [, parameter, kind] = /^\s*(\w+)\s*(?::\s*(\w+)\s*)?$/.exec(part) ?? [];
    if (parameter === undefined) throw invalid(`definition of macro "${name}" is invalid: parameter "${part.trim()}"`);
    if (kind === undefined) throw invalid(`macro "${name}": typeName is null: ${parameter}`);
    if (kind !== "Expression" && kind !== "Macro") {
      throw invalid(`macro "${name}": typeName is invalid: ${parameter}:${kind}`);
    }
    return [{ name: parameter, kind } as const];
  });
  return { name, parameters, body };
}

function invalid(problem: string): PlannerError {
  return new PlannerError("MANIFEST_EXPRESSION", problem);
}

/** The text between `{{` and `}}`. */
class CallScanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    this.#at = pattern.lastIndex;
    return match;
  }

  /** The text inside quotes, or the digits of a number. */
  literal(): string | undefined {
    const quoted = this.#match(/\s*(?:'((?:[^']|'')*)'|"((?:[^"]|"")*)")/y);
    if (quoted !== undefined) return quoted[1]?.replaceAll("''", "'") ?? quoted[2]?.replaceAll('""', '"') ?? "";
    return this.#match(/\s*(-?\d+(?:\.\d+)?)/y)?.[1];
  }

  name(): string {
    const name = this.#match(/\s*([A-Za-z_]\w*)/y)?.[1];
    if (name === undefined) throw invalid(`a macro call cannot be read: {{${this.#text}}}`);
    return name;
  }

  accept(sign: "(" | ")" | ","): boolean {
    return this.#match({ "(": /\s*\(/y, ")": /\s*\)/y, ",": /\s*,/y }[sign]) !== undefined;
  }

  expect(sign: ","): void {
    if (!this.accept(sign)) throw invalid(`a macro call cannot be read: {{${this.#text}}}`);
  }

  end(): void {
    if (this.#match(/\s*$/y) === undefined) throw invalid(`a macro call cannot be read: {{${this.#text}}}`);
  }
}
