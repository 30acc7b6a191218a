/** One object in a list of the manifest. */
import { PlannerError } from "../diagnostics.ts";
import type { JsonReader } from "./json.ts";

/**
 * An object that is decoded when a query first needs it. Errors in it affect no other query, and cost grows with the
 * used part of the manifest.
 */
export class Entry<T> {
  readonly name: string;
  #read: (() => T) | undefined;
  #data: T | undefined;
  #problem: PlannerError | undefined;

  private constructor(name: string, read: () => T) {
    this.name = name;
    this.#read = read;
  }

  /** Only the name is read now, which every kind has. Throws MANIFEST_SCHEMA for an object without one. */
  static of<T>(reader: JsonReader, read: (reader: JsonReader) => T): Entry<T> {
    return new Entry(reader.object("model").member("name").name(), () => read(reader));
  }

  /** The decoded object. Throws MANIFEST_SCHEMA if it is invalid. */
  get data(): T {
    const { problem } = this;
    if (problem !== undefined) throw problem;
    return this.#data as T;
  }

  /** The error in the object itself, if any. */
  get problem(): PlannerError | undefined {
    const read = this.#read;
    if (read !== undefined) {
      try {
        this.#data = read();
      } catch (error) {
        if (!(error instanceof PlannerError)) throw error;
        this.#problem = error;
      }
      // Only now: what failed in another way is tried again.
      this.#read = undefined;
    }
    return this.#problem;
  }

  /** The decoded object; `undefined` if it is invalid. */
  get dataIfValid(): T | undefined {
    return this.problem === undefined ? this.#data : undefined;
  }

  /** The same object, saying what `change` makes of it. */
  map(change: (data: T) => T): Entry<T> {
    return new Entry(this.name, () => change(this.data));
  }
}
