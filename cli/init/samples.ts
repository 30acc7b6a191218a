/** Values of columns of texts with few distinct ones, for people and agents that write questions. They enter the repository. */
import { inQuotes } from "../../src/planner/syntax/quoting.ts";
import type { ManifestJson, ModelJson } from "./manifest-json.ts";
import { type AskedSource, firstRows } from "./rows.ts";

const MOST_VALUES = 50;
const LONGEST_VALUE = 200;
const TEXTS = /^(?:TEXT|STRING|VARCHAR|CHAR|ENUM)\b/i;
/** Columns whose names say that their values are of persons or are secrets. */
const PRIVATE = /(?:mail|phone|name|address|password|passwd|secret|token|hash|iban|ssn|birth)/i;

export async function withSamples(
  asked: Omit<AskedSource, "manifestStr">,
  manifest: ManifestJson,
  step: (what: string) => void,
): Promise<ManifestJson> {
  const manifestStr = JSON.stringify(manifest);
  const models: ModelJson[] = [];
  for (const model of manifest.models) {
    const columns: ModelJson["columns"][number][] = [];
    for (const column of model.columns) {
      step(`${model.name}.${column.name}`);
      if (!TEXTS.test(column.type) || PRIVATE.test(column.name)) {
        columns.push(column);
        continue;
      }
      const name = inQuotes(column.name);
      const sql = `SELECT DISTINCT ${name} AS v FROM ${inQuotes(model.name)} WHERE ${name} IS NOT NULL LIMIT ${MOST_VALUES + 1}`;
      const values = (await firstRows({ ...asked, manifestStr }, sql)).map(([value]) => String(value)).sort();
      const isShort =
        values.length > 0 && values.length <= MOST_VALUES && values.every((value) => value.length <= LONGEST_VALUE);
      columns.push(isShort ? { ...column, properties: { values } } : column);
    }
    models.push({ ...model, columns });
  }
  return { ...manifest, models };
}
