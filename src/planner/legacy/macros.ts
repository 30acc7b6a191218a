/**
 * Macros of old manifests (docs/spec/planner.md#enums-and-macros): `{{ addOne('c_custkey') }}` in an expression is replaced by the
 * macro's body with its parameters filled in, as text, before parsing. Parameters are SQL fragments or other macros.
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

/** The value of a parameter: text, or a macro. */
type Argument = string | Macro;

/** Macros may call macros, and each other without end. */
const MAX_DEPTH = 20;
/** Two calls in each body double the text at every step. */
const MAX_LENGTH = 100_000;
/**
 * Limits calls in one text, for calls whose text vanishes again: eight in each body make 1,000 million in ten steps.
 */
const MAX_CALLS = 1000;
/** Characters that one text and all bodies for it may come to, read and written, for bodies that are long themselves. */
const MAX_WORK = 2_000_000;

export function hasMacros(text: string): boolean {
  return text.includes("{{");
}

/** `text` with its macros expanded. Throws MANIFEST_EXPRESSION for wrong definitions and calls, LIMIT_SIZE, LIMIT_DEPTH. */
export function expandMacros(text: string, macros: ReadonlyMap<string, MacroData>): string {
  const find = (name: string): Macro | undefined => {
    const data = macros.get(name);
    return data === undefined ? undefined : definitionOf(data);
  };
  return new Expansion().fill(text, find, 0);
}

/** Looks up a name while a text is filled in. */
type Find = (name: string) => Argument | undefined;

/** One text with all that it calls, which share its limits. */
class Expansion {
  #calls = 0;
  #work = 0;

  /** From `{{` to the next `}}`; without a closing `}}` it is plain text. */
  fill(text: string, find: Find, depth: number): string {
    this.#deepen(depth);
    this.#spend(text);
    let filled = "";
    let at = 0;
    for (;;) {
      const open = text.indexOf("{{", at);
      const close = open < 0 ? -1 : text.indexOf("}}", open + 2);
      if (close < 0) break;
      filled += text.slice(at, open) + this.#value(text.slice(open + 2, close), find, depth);
      checkLength(filled);
      at = close + 2;
    }
    filled += text.slice(at);
    checkLength(filled);
    this.#spend(filled);
    return filled;
  }

  /** The text that replaces a call between `{{` and `}}`. */
  #value(call: string, find: Find, depth: number): string {
    const scanner = new CallScanner(call);
    const value = this.#evaluate(scanner, find, depth);
    scanner.end();
    if (typeof value === "string") return value;
    throw invalid(`macro "${value.name}" is named without its arguments: {{${shown(call)}}}`);
  }

  /** A quoted fragment, a number, a parameter, a macro, or a call of one. */
  #evaluate(scanner: CallScanner, find: Find, depth: number): Argument {
    this.#deepen(depth);
    const literal = scanner.literal();
    if (literal !== undefined) return literal;
    const name = scanner.name();
    const named = find(name);
    if (named === undefined) throw invalid(`there is no macro or parameter "${shown(name)}"`);
    if (typeof named === "string" || !scanner.accept("(")) return named;
    const values: Argument[] = [];
    while (!scanner.accept(")")) {
      if (values.length > 0) scanner.expect(",");
      values.push(this.#evaluate(scanner, find, depth + 1));
    }
    this.#calls++;
    if (this.#calls > MAX_CALLS) throw new PlannerError("LIMIT_SIZE", `more than ${MAX_CALLS} macros are called`);
    const bound = bind(named, values);
    return this.fill(named.body, (each) => bound.get(each) ?? find(each), depth + 1);
  }

  #deepen(depth: number): void {
    if (depth > MAX_DEPTH) throw new PlannerError("LIMIT_DEPTH", `macros call each other over ${MAX_DEPTH} steps`);
  }

  #spend(text: string): void {
    this.#work += text.length;
    if (this.#work > MAX_WORK) {
      throw new PlannerError("LIMIT_SIZE", `macros go through more than ${MAX_WORK} characters`);
    }
  }
}

function checkLength({ length }: string): void {
  if (length > MAX_LENGTH) {
    throw new PlannerError("LIMIT_SIZE", `macros expand to more than ${MAX_LENGTH} characters`);
  }
}

/** The macro's parameters by name. */
function bind(macro: Macro, values: readonly Argument[]): ReadonlyMap<string, Argument> {
  if (values.length !== macro.parameters.length) {
    throw invalid(`macro "${macro.name}" takes ${macro.parameters.length} arguments, not ${values.length}`);
  }
  return new Map(
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
}

/** Throws MANIFEST_EXPRESSION when the definition cannot be read. */
export function checkMacro(data: MacroData): void {
  definitionOf(data);
}

const DEFINITIONS = new WeakMap<MacroData, Macro>();

function definitionOf(data: MacroData): Macro {
  let macro = DEFINITIONS.get(data);
  if (macro === undefined) {
    macro = parseDefinition(data);
    DEFINITIONS.set(data, macro);
  }
  return macro;
}

function parseDefinition({ name, definition }: MacroData): Macro {
  const [head, list = ""] = /^\s*\(([^()]*)\)\s*=>/.exec(definition) ?? [];
  if (head === undefined)
    throw invalid(`definition of macro "${name}" is invalid: it has the form (a: Expression) => body`);
  const parameters = list.split(",").flatMap((part) => {
    if (part.trim() === "" && !list.includes(",")) return [];
    const [, parameter, kind] = /^\s*(\w+)\s*(?::\s*(\w+)\s*)?$/.exec(part) ?? [];
    if (parameter === undefined)
      throw invalid(`definition of macro "${name}" is invalid: parameter "${shown(part.trim())}"`);
    if (kind === undefined) throw invalid(`macro "${name}": typeName is null: ${shown(parameter)}`);
    if (kind !== "Expression" && kind !== "Macro") {
      throw invalid(`macro "${name}": typeName is invalid: ${shown(parameter)}:${shown(kind)}`);
    }
    return [{ name: parameter, kind } as const];
  });
  return { name, parameters, body: definition.slice(head.length).trim() };
}

function invalid(problem: string): PlannerError {
  return new PlannerError("MANIFEST_EXPRESSION", problem);
}

/** The excerpt of the text that a message quotes. */
function shown(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 99)}…`.toWellFormed();
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
    if (name === undefined) throw invalid(`a macro call cannot be read: {{${shown(this.#text)}}}`);
    return name;
  }

  accept(sign: "(" | ")" | ","): boolean {
    return this.#match({ "(": /\s*\(/y, ")": /\s*\)/y, ",": /\s*,/y }[sign]) !== undefined;
  }

  expect(sign: ","): void {
    if (!this.accept(sign)) throw invalid(`a macro call cannot be read: {{${shown(this.#text)}}}`);
  }

  end(): void {
    if (this.#match(/\s*$/y) === undefined) throw invalid(`a macro call cannot be read: {{${shown(this.#text)}}}`);
  }
}
