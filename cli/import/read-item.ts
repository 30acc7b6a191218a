/** A file of another tool as data with positions. Anchors, keys that are written twice and secrets are refused. */
import { readFileSync } from "node:fs";
import { FaultsInFiles, UsageError } from "../exit.ts";
import { secretsIn } from "../project/secrets.ts";
import { readYaml } from "../project/yaml.ts";
import { Item } from "./item.ts";

/** JSON or YAML. Throws `FaultsInFiles` and `UsageError`. */
export function readItem(file: string, shown: string): Item {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`${shown} cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown"}).`);
  }
  return itemIn(text, shown);
}

/** Throws `FaultsInFiles`. */
function itemIn(text: string, shown: string): Item {
  const template = text.split("\n").findIndex((line) => line.includes("{%"));
  if (template >= 0) {
    const line = text.split("\n")[template] ?? "";
    const at = { file: shown, line: template + 1, column: line.indexOf("{%") + 1, text: line };
    throw new FaultsInFiles([{ message: "A template is not evaluated: render the file first.", at }]);
  }
  const yaml = readYaml(text, shown);
  const secrets = secretsIn(yaml);
  if (secrets.length > 0) throw new FaultsInFiles(secrets);
  if (typeof yaml.value !== "object" || yaml.value === null) {
    throw new FaultsInFiles([{ message: `${shown} holds no object.`, at: yaml.at([]) }]);
  }
  return new Item(yaml);
}
