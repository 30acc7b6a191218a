/** Databricks: metric views, as YAML or inside `CREATE VIEW … WITH METRICS`, a file or a directory of files. */
import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { FaultsInFiles } from "../../exit.ts";
import type { Draft } from "../draft.ts";
import { hasKnownMembers } from "../item.ts";
import { readItem } from "../read-item.ts";
import { addFields } from "./fields.ts";
import { addMeasures } from "./measures.ts";
import { readView } from "./view.ts";

const VIEW = {
  mapped: ["version", "source", "filter", "joins", "dimensions", "fields", "measures", "comment"],
  harmless: ["materialization"],
  refused: { parameters: "a parameter of a metric view has no counterpart." },
};
const VERSIONS: ReadonlySet<string> = new Set(["0.1", "1", "1.0", "1.1"]);

/** Throws `FaultsInFiles` and `UsageError`. */
export function importDatabricks(path: string, shown: string, draft: Draft): void {
  const isDirectory = statSync(path).isDirectory();
  for (const [file, name] of isDirectory ? filesBelow(path, shown) : [[path, shown] as const]) {
    try {
      readFile(file, name, draft);
    } catch (error) {
      // One file of many that cannot be read refuses its view alone.
      if (!isDirectory || !(error instanceof FaultsInFiles)) throw error;
      for (const { message, at } of error.faults) draft.report.refuse(`file ${name}`, message, at);
    }
  }
}

function readFile(file: string, shown: string, draft: Draft): void {
  let name = basename(file).replace(/\.(?:ya?ml|sql)$/, "");
  const ofStatement = (text: string): string => {
    const [, before = "", body = ""] = /^([\s\S]*?)\$\$([\s\S]*?)\$\$/.exec(text) ?? [];
    name =
      /\bCREATE\s+(?:OR\s+REPLACE\s+)?VIEW\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:[\w`]+\.)*`?(\w+)`?/i.exec(before)?.[1] ??
      name;
    return `${before.replaceAll(/[^\n]/g, "")}${body}`;
  };
  const isStatement = file.endsWith(".sql");
  const item = readItem(file, shown, { templates: false, ...(isStatement && { prepare: ofStatement }) });
  const object = `metric view "${name}"`;
  if (!hasKnownMembers(item, object, VIEW, draft.report)) return;
  const version = item.text("version") ?? "0.1";
  if (!VERSIONS.has(version)) {
    draft.report.refuse(object, `The version ${version} of the specification is not known.`, item.at("version"));
    return;
  }
  const view = readView(name, item, draft);
  if (view === undefined) return;
  addFields(view, draft);
  addMeasures(view, draft);
}

function filesBelow(path: string, shown: string): readonly (readonly [file: string, name: string])[] {
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:ya?ml|sql)$/.test(name) && !name.split(/[/\\]/).includes("node_modules"))
    .sort()
    .map((name) => [join(path, name), join(shown, name)] as const);
}
