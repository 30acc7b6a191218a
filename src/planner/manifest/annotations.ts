/** `description` and `properties` of an object of the manifest. No plan depends on them: they are read when a caller asks for them. */

import type { Annotations } from "../plan.ts";

/** Largest number of properties that are read from one object. */
const MOST_PROPERTIES = 64;
/** Longest description, and longest property as JSON text, in UTF-16 units. */
const LONGEST = 4096;

/** The two members as JSON. The reader makes one only for objects that have either. */
export class Annotated {
  readonly #description: unknown;
  readonly #properties: unknown;
  #read: Annotations | undefined;

  constructor(description: unknown, properties: unknown) {
    this.#description = description;
    this.#properties = properties;
  }

  /** The same object for every caller. A member of a wrong type counts as absent. */
  get annotations(): Annotations {
    this.#read ??= { ...described(this.#description), ...annotated(this.#properties) };
    return this.#read;
  }
}

/** The annotations of a JSON object; `undefined` if it has none. */
export function annotatedBy(members: Readonly<Record<string, unknown>>): Annotated | undefined {
  const { description, properties } = members;
  const isDescribed = typeof description === "string" && description !== "";
  const isAnnotated = typeof properties === "object" && properties !== null;
  return isDescribed || isAnnotated ? new Annotated(description, properties) : undefined;
}

function described(description: unknown): Pick<Annotations, "description"> {
  if (typeof description !== "string" || description === "") return {};
  return { description: cut(description) };
}

function annotated(properties: unknown): Pick<Annotations, "properties" | "propertiesOmitted"> {
  if (typeof properties !== "object" || properties === null || Array.isArray(properties)) return {};
  const kept: [string, unknown][] = [];
  let omitted = 0;
  for (const [name, value] of Object.entries(properties)) {
    if (kept.length < MOST_PROPERTIES && name.length <= LONGEST && isShort(value)) kept.push([name, value]);
    else omitted++;
  }
  return {
    ...(kept.length > 0 && { properties: Object.fromEntries(kept) }),
    ...(omitted > 0 && { propertiesOmitted: omitted }),
  };
}

/** A text is measured before it is copied into JSON. */
function isShort(value: unknown): boolean {
  if (typeof value === "string" && value.length > LONGEST) return false;
  return (JSON.stringify(value)?.length ?? 0) <= LONGEST;
}

function cut(text: string): string {
  return (text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`).toWellFormed();
}
