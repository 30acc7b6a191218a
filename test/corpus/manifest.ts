/** The manifest that a modeller would start with: one model per table, its keys, a relationship per foreign key. */
import type { Manifest } from "../../src/planner/index.ts";
import { manifestOf } from "../support/plan.ts";
import { type CorpusSchema, type CorpusTable, columnType } from "./tables.ts";

export interface Naming {
  /** The reference of a table in the corpus's `schema`. */
  readonly tableReference: (table: string, schema: string) => object;
  /** The source's own name of PostgreSQL's type. */
  readonly typeName: (type: string, notNull: boolean) => string;
}

/** The condition of a row rule for a table; `undefined`: it has none. */
export type RuleOf = (table: CorpusTable) => string | undefined;

export function corpusManifest(
  { name: schema, tables }: CorpusSchema,
  { tableReference, typeName }: Naming,
  ruleOf: RuleOf = () => undefined,
): Manifest {
  return manifestOf({
    catalog: "corpus",
    schema: "public",
    models: tables.map((table) => ({
      name: table.name,
      tableReference: tableReference(table.name, schema),
      columns: Object.entries(table.columns).map(([column, declared]) => {
        const { type, notNull } = columnType(declared);
        return { name: column, type: typeName(type, notNull), notNull };
      }),
      primaryKey: table.primaryKey,
      ...rulesOf(ruleOf(table)),
    })),
    relationships: tables.flatMap((table) =>
      table.foreignKeys.map((key) => ({
        name: `${table.name}_${key.columns.join("_")}`,
        models: [table.name, key.table],
        joinType: "MANY_TO_ONE",
        condition: key.columns
          .map((column, index) => `"${table.name}"."${column}" = "${key.table}"."${key.keys[index]}"`)
          .join(" AND "),
      })),
    ),
  });
}

const rulesOf = (condition: string | undefined): object =>
  condition === undefined ? {} : { rowLevelAccessControls: [{ name: "own", requiredProperties: [], condition }] };
