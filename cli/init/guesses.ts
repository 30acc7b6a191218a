/** Relationships that names suggest and rows support: proposals with their evidence, written as comments. */
import { inQuotes } from "../../src/planner/syntax/quoting.ts";
import type { Services } from "../../src/service/services.ts";
import type { GivenConnection } from "../source/connection.ts";
import type { ManifestJson, ModelJson } from "./manifest-json.ts";
import { firstRows } from "./rows.ts";

interface Pair {
  readonly child: ModelJson;
  readonly column: string;
  readonly parent: ModelJson;
  readonly key: string;
}

/** Comments in YAML, below the relationships of constraints. Asks two statements for each proposal. */
export async function guessedRelationships(
  services: Services,
  connection: GivenConnection,
  manifest: ManifestJson,
  step: (what: string) => void,
): Promise<string> {
  const manifestStr = JSON.stringify(manifest);
  const blocks: string[] = [];
  for (const { child, column, parent, key } of pairsIn(manifest)) {
    step(`${child.name}.${column}`);
    const [c, p] = [`c.${inQuotes(column)}`, `p.${inQuotes(key)}`];
    const counts = `SELECT count(*) AS n, count(DISTINCT ${p}) AS keys FROM ${inQuotes(parent.name)} p`;
    const values = `SELECT count(*) AS n, count(CASE WHEN ${c} IN (SELECT ${p} FROM ${inQuotes(parent.name)} p) THEN 1 END) AS found, count(DISTINCT ${c}) AS d FROM ${inQuotes(child.name)} c WHERE ${c} IS NOT NULL`;
    const asked = { services, connection, manifestStr };
    const [[rows, keys] = []] = await firstRows(asked, counts);
    const [[n, found, distinct] = []] = await firstRows(asked, values);
    // A key that repeats, or a value without a partner, is evidence against.
    if (rows === undefined || Number(rows) !== Number(keys) || Number(n) === 0 || Number(n) !== Number(found)) continue;
    const joinType = Number(distinct) === Number(n) ? "ONE_TO_ONE or MANY_TO_ONE" : "MANY_TO_ONE";
    blocks.push(`# Not from a constraint: all ${Number(n)} values of ${child.name}.${column} are among the ${Number(rows)} unique values of ${parent.name}.${key}.
#  - name: ${child.name}_${parent.name}
#    models: [${child.name}, ${parent.name}]
#    join_type: ${joinType}
#    condition: ${child.name}.${column} = ${parent.name}.${key}
`);
  }
  return blocks.join("");
}

/** `customer_id` of orders and the key `id` or `customer_id` of customer or customers, of one type, without a constraint. */
function pairsIn({ models, relationships = [] }: ManifestJson): readonly Pair[] {
  const byName = new Map(models.map((model) => [model.name, model]));
  return models.flatMap((child) =>
    child.columns.flatMap((column): readonly Pair[] => {
      const [, stem] = /^(.+)_(?:id|key|no|code)$/.exec(column.name) ?? [];
      if (stem === undefined || column.relationship !== undefined) return [];
      const parent = [stem, `${stem}s`, `${stem}es`, stem.replace(/y$/, "ies")]
        .map((name) => byName.get(name))
        .find((each) => each !== undefined);
      if (parent === undefined || parent === child) return [];
      const isKnown = relationships.some(
        ({ models: [from], condition }) => from === child.name && condition.includes(`${child.name}.${column.name} =`),
      );
      const key = parent.columns.find(
        ({ name, type }) =>
          type === column.type && (name === column.name || name === "id" || name === parent.primaryKey),
      );
      return isKnown || key === undefined ? [] : [{ child, column: column.name, parent, key: key.name }];
    }),
  );
}
