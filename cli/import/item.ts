/** A value of an imported file, with its position. */
import type { FilePosition } from "../exit.ts";
import type { Step, YamlText } from "../project/yaml.ts";
import type { ImportReport } from "./report.ts";

export class Item {
  readonly value: unknown;
  readonly #yaml: YamlText;
  readonly #path: readonly Step[];

  constructor(yaml: YamlText, value: unknown = yaml.value, path: readonly Step[] = []) {
    this.value = value;
    this.#yaml = yaml;
    this.#path = path;
  }

  /** Position of the value, or of one of its members. */
  at(...steps: readonly Step[]): FilePosition {
    return this.#yaml.at([...this.#path, ...steps]);
  }

  get(name: string): unknown {
    const { value } = this;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
  }

  /** A text; a number or a truth value as its text. */
  text(name: string): string | undefined {
    return textOf(this.get(name));
  }

  /** Own text of a value that is no object. */
  get own(): string | undefined {
    return textOf(this.value);
  }

  item(name: string): Item | undefined {
    const value = this.get(name);
    return typeof value === "object" && value !== null ? new Item(this.#yaml, value, [...this.#path, name]) : undefined;
  }

  /** Members of a list; none if there is no list. */
  items(name: string): readonly Item[] {
    return this.item(name)?.elements() ?? [];
  }

  elements(): readonly Item[] {
    const { value } = this;
    if (!Array.isArray(value)) return [];
    return value.map((each: unknown, index) => new Item(this.#yaml, each, [...this.#path, index]));
  }

  /** Texts of a list, or the only text. */
  texts(name: string): readonly string[] {
    const value = this.get(name);
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    return list.flatMap((each) => textOf(each) ?? []);
  }

  /** Names of members that hold something. */
  names(): readonly string[] {
    const { value } = this;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
    return Object.entries(value).flatMap(([name, each]: [string, unknown]) => (isEmpty(each) ? [] : [name]));
  }
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === "" ||
  value === false ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === "object" && Object.values(value).every(isEmpty));

export interface Members {
  /** Mapped by the importer. */
  readonly mapped: readonly string[];
  /** Without influence on any number: left out, with a remark. */
  readonly harmless?: readonly string[];
  /** Without influence on anything: left out without a remark. */
  readonly silent?: readonly string[];
  /** Members that cannot be mapped, with the reason. */
  readonly refused?: Readonly<Record<string, string>>;
}

/** Whether all members of an object are known. A member that is not known may be a filter, so the object is refused. */
export function hasKnownMembers(item: Item, object: string, members: Members, report: ImportReport): boolean {
  const { mapped, harmless = [], silent = [], refused = {} } = members;
  let isKnown = true;
  for (const name of item.names()) {
    if (mapped.includes(name) || silent.includes(name)) continue;
    if (harmless.includes(name)) {
      report.leaveOut(object, `${name} has no counterpart.`, item.at(name));
      continue;
    }
    const reason = Object.hasOwn(refused, name) ? refused[name] : undefined;
    report.refuse(
      object,
      reason === undefined ? `${name} is not a known member.` : `${name}: ${reason}`,
      item.at(name),
    );
    isKnown = false;
  }
  return isKnown;
}
