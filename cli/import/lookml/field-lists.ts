/** `fields` of explores and joins: names, sets, and names that are left out. */
import type { Item } from "../item.ts";
import { Unmapped } from "../sql-text.ts";

const DEEPEST = 20;

export class Listed {
  readonly #isOpen: boolean;
  readonly #in = new Set<string>();
  readonly #out = new Set<string>();
  readonly #views: ReadonlyMap<string, Item>;

  /** `alias`: the view of names without one. Throws `Unmapped`. */
  constructor(item: Item, alias: string, views: ReadonlyMap<string, Item>) {
    this.#views = views;
    const texts = item.texts("fields");
    const aliases = new Map<string, string>([[alias, item.text("from") ?? item.text("view_name") ?? alias]]);
    for (const join of item.items("join")) {
      const name = join.text("name") ?? "";
      aliases.set(name, join.text("from") ?? join.text("view_name") ?? name);
    }
    this.#isOpen = item.get("fields") === undefined || texts.includes("ALL_FIELDS*");
    for (const text of texts) {
      if (text === "ALL_FIELDS*") continue;
      const names = text.startsWith("-") ? this.#out : this.#in;
      this.#add(text.replace(/^-/, ""), names, alias, aliases, 0);
    }
  }

  #add(text: string, names: Set<string>, alias: string, aliases: ReadonlyMap<string, string>, depth: number): void {
    if (depth > DEEPEST) throw new Unmapped("Sets of fields name each other.");
    const [first = "", second] = text.split(".");
    const [owner, name] = second === undefined ? [alias, first] : [first, second];
    if (!name.endsWith("*")) {
      names.add(`${owner}.${name}`);
      return;
    }
    const set = name.slice(0, -1);
    const view = this.#views.get(aliases.get(owner) ?? owner);
    if (set === "ALL_FIELDS") {
      names.add(`${owner}.*`);
      return;
    }
    const found = view?.items("set").find((each) => each.text("name") === set);
    if (found === undefined) throw new Unmapped(`The set ${text} is not known.`);
    for (const each of found.texts("fields")) {
      if (each.startsWith("-")) throw new Unmapped(`The set ${text} leaves fields out, which is not read.`);
      this.#add(each, names, owner, aliases, depth + 1);
    }
  }

  has(view: Item, aliases: readonly string[], field: string): boolean {
    // A dimension group is listed by its timeframes.
    const isGroup = view.items("dimension_group").some((group) => group.text("name") === field);
    const isIn = (names: ReadonlySet<string>): boolean =>
      aliases.some(
        (alias) =>
          names.has(`${alias}.*`) ||
          names.has(`${alias}.${field}`) ||
          (isGroup && names !== this.#out && [...names].some((each) => each.startsWith(`${alias}.${field}_`))),
      );
    return (this.#isOpen || isIn(this.#in)) && !isIn(this.#out);
  }
}
