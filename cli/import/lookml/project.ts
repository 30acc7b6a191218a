/** The files of a LookML project: includes within the folder, constants, refinements and extensions. */
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { FaultsInFiles } from "../../exit.ts";
import { secretsIn } from "../../project/secrets.ts";
import type { Draft } from "../draft.ts";
import type { Item } from "../item.ts";
import { Unmapped } from "../sql-text.ts";
import { type BlockNode, type LookmlNode, parseLookml } from "./syntax.ts";
import { itemOf, merged, withTexts } from "./tree.ts";

export interface LookmlProject {
  /** Views and explores by name, with what they extend. */
  readonly views: ReadonlyMap<string, Item>;
  readonly explores: ReadonlyMap<string, Item>;
}

const SILENT: ReadonlySet<string> = new Set([
  ...["include", "view", "explore", "connection", "label", "access_grant", "constant", "project_name", "test"],
  ...["datagroup", "persist_with", "persist_for", "named_value_format", "case_sensitive", "map_layer", "application"],
  ...["new_lookml_runtime", "localization_settings", "visualization", "fiscal_month_offset", "remote_dependency"],
]);
const DEEPEST = 50;

/** Throws `FaultsInFiles` and `UsageError`. */
export function readLookml(path: string, shown: string, draft: Draft): LookmlProject {
  const isDirectory = statSync(path).isDirectory();
  const root = isDirectory ? path : dirname(path);
  const shownRoot = isDirectory ? shown : dirname(shown);
  const reading = new Reading(root, shownRoot === "." ? "" : shownRoot, draft);
  if (!isDirectory) reading.read(relative(root, path).split(sep).join("/"));
  else {
    const models = reading.files.filter((file) => file.endsWith(".model.lkml"));
    for (const file of models.length > 0 ? models : reading.files) reading.read(file);
  }
  return reading.project();
}

class Reading {
  readonly files: readonly string[];
  readonly #root: string;
  readonly #shown: string;
  readonly #draft: Draft;
  readonly #seen = new Set<string>();
  readonly #constants: ReadonlyMap<string, string>;
  readonly #objects = { view: new Map<string, BlockNode>(), explore: new Map<string, BlockNode>() };

  constructor(root: string, shown: string, draft: Draft) {
    this.#root = root;
    this.#shown = shown;
    this.#draft = draft;
    const real = realpathSync(root);
    const all = readdirSync(root, { recursive: true, encoding: "utf8" })
      .map((name) => name.split(sep).join("/"))
      .filter((name) => /\.(?:lkml|lookml)$/.test(name))
      // A link may lead out of the folder.
      .filter((name) => realpathSync(join(root, name)).startsWith(`${real}${sep}`))
      .sort();
    this.files = all.filter((name) => name.endsWith(".lkml") && posix.basename(name) !== "manifest.lkml");
    for (const name of all.filter((each) => each.endsWith(".lookml"))) {
      if (/\.dashboard\.lookml$/.test(name)) {
        draft.report.leaveOut(`file ${name}`, "A dashboard has no counterpart.", this.#start(name));
      } else
        draft.report.refuse(`file ${name}`, "The older form of LookML, which is YAML, is not read.", this.#start(name));
    }
    this.#constants = new Map(
      all.includes("manifest.lkml")
        ? itemOf(this.#parse("manifest.lkml"))
            .items("constant")
            .map((each) => [each.text("name") ?? "", each.text("value") ?? ""])
        : [],
    );
  }

  #start(file: string) {
    return { file: this.#name(file), line: 1, column: 1, text: "" };
  }

  #name(file: string): string {
    return this.#shown === "" ? file : `${this.#shown}/${file}`;
  }

  #parse(file: string): BlockNode {
    const node = parseLookml(readFileSync(join(this.#root, file), "utf8"), this.#name(file));
    const item = itemOf(node);
    const secrets = secretsIn({ value: item.value, at: (path) => item.at(...path) });
    if (secrets.length > 0) throw new FaultsInFiles(secrets);
    return node;
  }

  read(file: string): void {
    if (this.#seen.has(file)) return;
    this.#seen.add(file);
    const node = withTexts(this.#parse(file), (text) =>
      text.replaceAll(/@\{(\w+)\}/g, (whole, name: string) => this.#constants.get(name) ?? whole),
    );
    const item = itemOf(node);
    for (const name of item.names()) this.#topLevel(name, item, file);
    for (const pattern of item.texts("include")) this.#include(pattern, file, item);
    for (const kind of ["view", "explore"] as const) {
      const list = node.members.get(kind);
      for (const each of list?.kind === "list" ? list.elements : []) this.#object(kind, each);
    }
  }

  #topLevel(name: string, item: Item, file: string): void {
    if (SILENT.has(name)) return;
    if (name === "week_start_day") {
      if (item.text(name)?.toLowerCase() === "monday") return;
      this.#draft.report.refuse(`file ${file}`, "week_start_day: weeks of a cube begin on Monday.", item.at(name));
      return;
    }
    this.#draft.report.refuse(`file ${file}`, `${name} is not a known member.`, item.at(name));
  }

  #include(pattern: string, file: string, item: Item): void {
    const object = `include "${pattern}"`;
    const refuse = (reason: string): void => this.#draft.report.refuse(object, reason, item.at("include"));
    if (pattern.startsWith("//")) {
      refuse("Another project is not read.");
      return;
    }
    const place = pattern.startsWith("/") ? pattern.slice(1) : posix.join(posix.dirname(file), pattern);
    if (posix.normalize(place).startsWith("..")) {
      refuse("It is outside of the folder.");
      return;
    }
    const wanted = [posix.normalize(place), posix.normalize(pattern.replace(/^\//, ""))].map(globOf);
    const found = this.files.filter((name) => wanted.some((each) => each.test(name)));
    if (found.length === 0 && !/\.lookml$|dashboard|manifest/.test(pattern))
      refuse("No file of the folder has the name.");
    for (const each of found) this.read(each);
  }

  #object(kind: "view" | "explore", node: LookmlNode): void {
    if (node.kind !== "block" || node.name === undefined) return;
    const objects = this.#objects[kind];
    const isRefinement = node.name.startsWith("+");
    const name = node.name.replace(/^\+/, "");
    const found = objects.get(name);
    if (isRefinement) {
      if (found === undefined)
        this.#draft.report.refuse(`${kind} "+${name}"`, `There is no ${kind} ${name} before it.`, node.at);
      else objects.set(name, merged(found, node));
    } else if (found === undefined) objects.set(name, node);
    else this.#draft.report.refuse(`${kind} "${name}"`, "Two objects have the name.", node.at);
  }

  project(): LookmlProject {
    for (const file of this.files) {
      if (!this.#seen.has(file)) {
        this.#draft.report.leaveOut(`file ${file}`, "No model includes it.", this.#start(file));
      }
    }
    const resolved = (kind: "view" | "explore"): ReadonlyMap<string, Item> =>
      new Map(
        [...this.#objects[kind]].flatMap(([name, node]) => {
          const whole = this.#draft.attempt(`${kind} "${name}"`, node.at, () => this.#extended(kind, node, []));
          return whole === undefined || isTemplate(node) ? [] : [[name, itemOf({ ...whole, name })] as const];
        }),
      );
    return { views: resolved("view"), explores: resolved("explore") };
  }

  #extended(kind: "view" | "explore", node: BlockNode, active: readonly string[]): BlockNode {
    const name = node.name ?? "";
    if (active.includes(name)) throw new Unmapped("It extends itself.");
    if (active.length > DEEPEST) throw new Unmapped(`It extends deeper than ${DEEPEST} levels.`);
    const item = itemOf(node);
    const bases = [...item.texts("extends"), ...item.texts("extends__all")].map((base) => {
      const found = this.#objects[kind].get(base);
      if (found === undefined) throw new Unmapped(`It extends ${base}, which is absent.`);
      return this.#extended(kind, found, [...active, name]);
    });
    const [first, ...others] = bases.map((base) => ({ ...base, members: withoutExtension(base) }));
    if (first === undefined) return node;
    return merged(others.reduce(merged, first), node);
  }
}

const isTemplate = (node: BlockNode): boolean => {
  const extension = node.members.get("extension");
  return extension?.kind === "text" && extension.text === "required";
};

const withoutExtension = ({ members }: BlockNode): BlockNode["members"] =>
  new Map([...members].filter(([key]) => key !== "extension" && key !== "extends"));

/** `*` in one folder, `**` in all below. The ending may be left out. */
function globOf(pattern: string): RegExp {
  const text = pattern
    .replace(/\.lkml$/, "")
    .replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll("**/", "\0")
    .replaceAll("**", "\x01")
    .replaceAll("*", "[^/]*")
    .replaceAll("\0", "(?:.*/)?")
    .replaceAll("\x01", ".*");
  return new RegExp(`^${text}\\.lkml$`);
}
