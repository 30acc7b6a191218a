/** A file of another tool as data with positions. Anchors, keys that are written twice and secrets are refused. */
import { readFileSync } from "node:fs";
import { FaultsInFiles, type FilePosition, UsageError } from "../exit.ts";
import { secretsIn } from "../project/secrets.ts";
import { readYaml } from "../project/yaml.ts";
import { Item } from "./item.ts";

interface Reading {
  /** Whether texts between double braces are for the importer to judge. */
  readonly templates: boolean;
  /** Whether a file of comments alone is read as nothing: one of many in a directory. */
  readonly mayBeEmpty?: boolean;
  /** The YAML inside another text; lines keep their numbers. */
  readonly prepare?: (text: string) => string;
}

/** A file that another program renders before it is a model. */
export class TemplateFault extends FaultsInFiles {
  readonly at: FilePosition;

  constructor(at: FilePosition) {
    super([{ message: "A template is not evaluated: render the file first.", at }]);
    this.at = at;
  }
}

/** JSON or YAML. Throws `TemplateFault`, `FaultsInFiles` and `UsageError`. */
export function readItem(
  file: string,
  shown: string,
  { templates, mayBeEmpty = false, prepare = (text) => text }: Reading = { templates: true },
): Item {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`${shown} cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown"}).`);
  }
  return itemIn(prepare(text), shown, { template: templates ? /\{%/ : /\{%|\{\{/, mayBeEmpty });
}

/** Throws `TemplateFault` and `FaultsInFiles`. */
function itemIn(
  text: string,
  shown: string,
  { template, mayBeEmpty }: { readonly template: RegExp; readonly mayBeEmpty: boolean },
): Item {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => template.test(line));
  if (at >= 0) {
    const line = lines[at] ?? "";
    throw new TemplateFault({ file: shown, line: at + 1, column: line.search(template) + 1, text: line });
  }
  const yaml = readYaml(text, shown);
  const secrets = secretsIn(yaml);
  if (secrets.length > 0) throw new FaultsInFiles(secrets);
  const isEmpty = mayBeEmpty && (yaml.value === null || yaml.value === undefined);
  if (!isEmpty && (typeof yaml.value !== "object" || yaml.value === null)) {
    throw new FaultsInFiles([{ message: `${shown} holds no object.`, at: yaml.at([]) }]);
  }
  return new Item(yaml);
}
