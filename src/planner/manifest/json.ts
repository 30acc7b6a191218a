/** Reads JSON values as expected types. */
import { PlannerError } from "../diagnostics.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { type Annotated, annotatedBy } from "./annotations.ts";
import type { Kind, MemberOf } from "./members.ts";

/** One JSON value and the path to it, which every complaint names. */
export class JsonReader {
  readonly #value: unknown;
  readonly #path: string;

  constructor(value: unknown, path: string) {
    this.#value = value;
    this.#path = path;
  }

  error(problem: string): PlannerError {
    return new PlannerError("MANIFEST_SCHEMA", `${this.#path} ${problem}`);
  }

  isAbsent(): boolean {
    return this.#value === undefined || this.#value === null || this.#value === "";
  }

  /** A member of an annotation, whose members are free; undefined if the annotation is no object. */
  annotation(name: string): unknown {
    const value = this.#value;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
  }

  isText(): boolean {
    return typeof this.#value === "string";
  }

  /** `description` and `properties` of the object; `undefined` if it has neither. */
  annotations(): Annotated | undefined {
    return annotatedBy(this.#members());
  }

  /** `kind` decides which members can be read; only the type checker uses it. */
  object<K extends Kind>(_kind: K): ObjectReader<K> {
    return new ObjectReader<K>(this.#members(), this.#path);
  }

  #members(): Readonly<Record<string, unknown>> {
    const value = this.#value;
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw this.error("must be an object");
    return value as Readonly<Record<string, unknown>>;
  }

  /** The members of an object by name, in their order. */
  entries(): readonly (readonly [string, JsonReader])[] {
    return Object.entries(this.#members()).map(
      ([name, value]) => [name, new JsonReader(value, `${this.#path}.${name}`)] as const,
    );
  }

  string(): string {
    if (this.#value === undefined || this.#value === null) throw this.error("is missing");
    if (typeof this.#value !== "string") throw this.error("must be a string");
    checkText(this.#value, this);
    return this.#value;
  }

  /** A string of a length that names have. */
  name(): string {
    const name = this.string();
    if (name.length > DEFAULT_LIMITS.identifierLength) {
      throw this.error(`is longer than ${DEFAULT_LIMITS.identifierLength} characters`);
    }
    return name;
  }

  optionalString(): string | undefined {
    return this.isAbsent() ? undefined : this.string();
  }

  /** One of `values`, which are in capitals; its case is ignored. */
  oneOf<T extends string>(values: readonly T[]): T {
    const text = this.string().toUpperCase();
    const found = values.find((value) => value === text);
    if (found === undefined) throw this.error(`must be ${values.length > 2 ? "one of " : ""}${listed(values)}`);
    return found;
  }

  flag(): boolean {
    switch (this.#value) {
      case undefined:
      case null:
      case "":
      case false:
      case 0:
        return false;
      case true:
      case 1:
        return true;
      default:
        throw this.error("must be true or false");
    }
  }

  optionalInteger(): number | undefined {
    if (this.isAbsent()) return undefined;
    if (!Number.isInteger(this.#value)) throw this.error("must be an integer");
    return this.#value as number;
  }

  list<T>(read: (item: JsonReader) => T): readonly T[] {
    return this.isAbsent() ? [] : this.requiredList(read);
  }

  requiredList<T>(read: (item: JsonReader) => T): readonly T[] {
    if (this.isAbsent()) throw this.error("is missing");
    if (!Array.isArray(this.#value)) throw this.error("must be an array");
    return this.#value.map((item, index) => read(new JsonReader(item, `${this.#path}[${index}]`)));
  }
}

/** An object whose members are those of its kind (`members.ts`). */
class ObjectReader<K extends Kind> {
  readonly #value: Readonly<Record<string, unknown>>;
  readonly #path: string;

  constructor(value: Readonly<Record<string, unknown>>, path: string) {
    this.#value = value;
    this.#path = path;
  }

  member(name: MemberOf<K>): JsonReader {
    return new JsonReader(Object.hasOwn(this.#value, name) ? this.#value[name] : undefined, `${this.#path}.${name}`);
  }
}

function listed(values: readonly string[]): string {
  return values.length > 2 ? values.join(", ") : values.join(" or ");
}

/** NUL ends strings in C libraries, lone surrogates have no UTF-8: neither may reach a source inside a name. */
function checkText(text: string, reader: JsonReader): void {
  if (text.includes("\u0000")) throw reader.error("holds a NUL character");
  if (!text.isWellFormed()) throw reader.error("holds half a surrogate pair");
}
