/** Positions of objects in the imported files, by the names that the planner's messages give the objects. */
import type { FilePosition } from "../exit.ts";

export class Origins {
  readonly #positions = new Map<string, FilePosition | undefined>();

  set(object: string, at: FilePosition | undefined): void {
    if (!this.#positions.has(object)) this.#positions.set(object, at);
  }

  /** The position of the object, or of the object that it is a part of. */
  of(object: string): FilePosition | undefined {
    for (let name = object; ; ) {
      const found = this.#positions.get(name);
      if (found !== undefined) return found;
      const [, owner] = /^[a-z ]+ ".*?" of (.*)$/.exec(name) ?? [];
      if (owner === undefined) return undefined;
      name = owner;
    }
  }
}
