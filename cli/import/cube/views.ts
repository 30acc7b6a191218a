/** Views of Cube as cubes over the model of their root, with the members that they include. */
import { identifierIn, written } from "../../project/identifier.ts";
import type { CubeDraft, Draft } from "../draft.ts";
import { hasKnownMembers, type Item } from "../item.ts";
import { rejectValueWithoutRow } from "../joined-rows.ts";
import { Unmapped } from "../sql-text.ts";
import { type CubeModel, isPublic } from "./model.ts";

const VIEW = {
  mapped: ["name", "description", "title", "cubes", "public", "shown"],
  silent: ["meta"],
  harmless: ["folders"],
  refused: {
    access_policy: "an access policy of a view has no counterpart.",
    extends: "a view that extends another has no counterpart.",
  },
};
const INCLUDED = { mapped: ["join_path", "includes", "excludes", "prefix", "alias"] };
const MEMBER = { mapped: ["name", "alias"], silent: ["title", "description", "format", "meta"] };

export function addViews(items: readonly Item[], cubes: ReadonlyMap<string, CubeModel>, draft: Draft): void {
  for (const item of items) {
    const name = item.text("name") ?? "";
    const object = `view "${name}"`;
    if (!hasKnownMembers(item, object, VIEW, draft.report) || !isPublic(item)) continue;
    draft.attempt(object, item.at("name"), () => new View(item, name, cubes, draft).add());
  }
}

class View {
  readonly #item: Item;
  readonly #object: string;
  readonly #cubes: ReadonlyMap<string, CubeModel>;
  readonly #draft: Draft;
  readonly #cube: CubeDraft;
  readonly #root: CubeModel;

  /** Throws `Unmapped`. */
  constructor(item: Item, name: string, cubes: ReadonlyMap<string, CubeModel>, draft: Draft) {
    const roots = new Set(item.items("cubes").map((each) => each.text("join_path")?.split(".")[0] ?? ""));
    const [only = "", ...others] = roots;
    const root = cubes.get(only);
    if (others.length > 0) throw new Unmapped("Its paths begin at several cubes.");
    if (root === undefined) throw new Unmapped(`The cube "${only}" is not imported.`);
    const description = item.text("description") ?? item.text("title");
    const cube = draft.viewCube(name, root.model, item.at("name"), description);
    if (cube === undefined) throw new Unmapped("Two objects have the name.");
    this.#item = item;
    this.#object = `view "${name}"`;
    this.#cubes = cubes;
    this.#draft = draft;
    this.#cube = cube;
    this.#root = root;
  }

  add(): void {
    for (const included of this.#item.items("cubes")) {
      const path = included.text("join_path") ?? "";
      const object = `path "${path}" of ${this.#object}`;
      if (!hasKnownMembers(included, object, INCLUDED, this.#draft.report)) continue;
      this.#draft.attempt(object, included.at("join_path"), () => this.#path(included, path.split(".").slice(1)));
    }
  }

  #path(included: Item, steps: readonly string[]): void {
    const end = steps.at(-1) ?? this.#root.source.name;
    const cube = this.#cubes.get(end);
    if (cube === undefined) throw new Unmapped(`The cube "${end}" is not imported.`);
    let model = this.#root.model;
    for (const step of steps) {
      const column = model.column(step);
      const next = column?.relationship === undefined ? undefined : this.#draft.models.get(column.type.toLowerCase());
      if (next === undefined) throw new Unmapped(`No relationship to one row leads from ${model.name} to ${step}.`);
      model = next;
    }
    const prefix = included.get("prefix") === true ? `${included.text("alias") ?? end}_` : "";
    const excluded = new Set(included.texts("excludes"));
    const seen = new Set<string>();
    for (const { name, alias, item } of this.#members(included, cube)) {
      if (excluded.has(name) || seen.has(name)) continue;
      seen.add(name);
      const object = `member "${name}" of path "${included.text("join_path")}" of ${this.#object}`;
      this.#draft.attempt(object, item.at(), () => this.#member(name, `${prefix}${alias}`, steps, cube, item));
    }
  }

  #members(included: Item, cube: CubeModel): readonly { name: string; alias: string; item: Item }[] {
    if (included.get("includes") === "*") {
      return (["measures", "dimensions", "segments"] as const).flatMap((list) =>
        cube.source.members(list).flatMap((item) => {
          const name = item.text("name");
          return name === undefined || !isPublic(item) ? [] : [{ name, alias: name, item: included }];
        }),
      );
    }
    const object = `path "${included.text("join_path")}" of ${this.#object}`;
    return included.items("includes").flatMap((item) => {
      const name = item.own ?? item.text("name");
      if (name === undefined) return [];
      if (item.own === undefined && !hasKnownMembers(item, object, MEMBER, this.#draft.report)) return [];
      return [{ name, alias: item.text("alias") ?? name, item }];
    });
  }

  /** Throws `Unmapped`. */
  #member(name: string, shown: string, steps: readonly string[], cube: CubeModel, item: Item): void {
    const own = cube.cube;
    const measure = own.measures.find((each) => each.name === name);
    if (measure !== undefined) {
      if (steps.length > 0) throw new Unmapped("The join repeats rows of the cube: its measures are in its own cube.");
      this.#draft.member(this.#cube, "measure", { ...measure, name: shown }, item.at());
      return;
    }
    const isTime = own.timeDimensions.some((each) => each.name === name);
    const dimension = [...own.dimensions, ...own.timeDimensions].find((each) => each.name === name);
    if (dimension === undefined) throw new Unmapped("It is no public member of the cube that is imported.");
    const native = cube.dimensions.get(name)?.native ?? cube.model.column(name)?.expression;
    if (steps.length > 0 && native !== undefined && identifierIn(native) === undefined) {
      rejectValueWithoutRow(native, this.#draft.source);
    }
    const expression = [...steps.map(written), dimension.expression].join(".");
    const member = { ...dimension, name: shown, expression };
    this.#draft.member(this.#cube, isTime ? "time dimension" : "dimension", member, item.at());
  }
}
