/** A file of another tool as data with positions. Anchors, keys that are written twice and secrets are refused. */
import { readFileSync } from "node:fs";
import { FaultsInFiles, UsageError } from "../exit.ts";
import { secretsIn } from "../project/secrets.ts";
import { readYaml } from "../project/yaml.ts";
import { Item } from "./item.ts";

interface Reading {
  /** Whether texts between double braces are for the importer to judge. */
  readonly templates: boolean;
  /** The YAML inside another text; lines keep their numbers. */
  readonly prepare?: (text: string) => string;
}

/** JSON or YAML. Throws `FaultsInFiles` and `UsageError`. */
export function readItem(
  file: string,
  shown: string,
  { templates, prepare = (text) => text }: Reading = { templates: true },
): Item {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`${shown} cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown"}).`);
  }
  return itemIn(prepare(text), shown, templates ? /\{%/ : /\{%|\{\{/);
}

/** Throws `FaultsInFiles`. */
function itemIn(text: string, shown: string, template: RegExp): Item {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => template.test(line));
  if (at >= 0) {
    const line = lines[at] ?? "";
    const position = { file: shown, line: at + 1, column: line.search(template) + 1, text: line };
    throw new FaultsInFiles([{ message: "A template is not evaluated: render the file first.", at: position }]);
  }
  const yaml = readYaml(text, shown);
  const secrets = secretsIn(yaml);
  if (secrets.length > 0) throw new FaultsInFiles(secrets);
  if (typeof yaml.value !== "object" || yaml.value === null) {
    throw new FaultsInFiles([{ message: `${shown} holds no object.`, at: yaml.at([]) }]);
  }
  return new Item(yaml);
}
