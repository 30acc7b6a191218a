/** One seed, one world: tables in the database, a semantic model over them, and what a session may see of it. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { Random } from "../support/random-query.ts";
import { EVERYTHING, pathText, randomCalculated } from "./calculated.ts";
import { write } from "./expression.ts";
import { addHandles, conditionText, declareDirection, randomModels, randomRelationships } from "./modelling.ts";
import { newName } from "./names.ts";
import { measureDirection, Oracle } from "./oracle.ts";
import { randomQuery, visible } from "./queries.ts";
import { addRules } from "./rules.ts";
import { createTable, randomTables } from "./tables.ts";
import type { Column, Model, Relation, View, World } from "./world.ts";

/** How often columns are built on columns that are there already: plans grow with every time. */
const ROUNDS = [1, 2, 2, 3];

export interface Generated {
  readonly world: World;
  readonly random: Random;
  /** The oracle's tables without row rules, and with the rules of the session. */
  readonly everything: Oracle;
  readonly ruled: Oracle;
}

/** The database is to be empty. */
export async function generate(seed: number, connection: DuckDBConnection): Promise<Generated> {
  // Neighbouring seeds begin alike; multiplied by a prime they do not.
  const random = new Random(Math.imul(seed, 0x9e3779b1));
  const run = async (statements: readonly string[]): Promise<void> => {
    if (statements.length > 0) await connection.run(statements.join(";\n"));
  };
  const tables = randomTables(random);
  await run(tables.map(createTable));
  const names = new Set<string>();
  const models = randomModels(tables, names, random);
  const relationships = randomRelationships(models, random);
  const everything = new Oracle("everything");
  await run(everything.storedTables(models, { ruled: false }));
  for (const relationship of relationships) {
    const [row] = (await connection.runAndReadAll(measureDirection(relationship, everything))).getRows();
    declareDirection(relationship, [row?.[0] === true, row?.[1] === true], random);
  }
  addHandles(relationships, random);
  for (let round = random.pick(ROUNDS); round > 0; round--) {
    const made = models.flatMap((model) =>
      Array.from({ length: 1 + random.below(2) }, () => ({ model, column: randomCalculated(model, random) })),
    );
    for (const { model, column } of made) if (column !== undefined) join(model, column);
  }
  const world: World = { seed, tables, models, relationships, views: [], session: new Map() };
  world.session.set("level", `${1 + random.below(3)}`);
  for (const [index, model] of models.entries()) addRules(model, models.slice(0, index), world.session, random);
  for (let count = random.below(3); count > 0; count--)
    world.views.push(randomView(world, newName(random, names, { folded: false }), random));
  const ruled = new Oracle("ruled");
  await run([
    ...everything.calculatedColumns(models),
    ...world.views.map((view) => everything.viewTable(view)),
    ...ruled.storedTables(models, { ruled: true }),
    ...ruled.calculatedColumns(models),
    ...world.views.map((view) => ruled.viewTable(view)),
  ]);
  return { world, random, everything, ruled };
}

/** Columns of one round come by different ways: each gets the number and the name that are free when it joins. */
function join(model: Model, column: Column): void {
  const taken = new Set([...model.columns, ...model.handles].map(({ name }) => name));
  if (taken.has(column.name)) return;
  model.columns.push({ ...column, id: `c${model.columns.length}` });
}

/** A view over models and earlier views; nothing in it is withheld by a column rule. */
function randomView(world: World, name: string, random: Random): View {
  const reach = visible({ ...EVERYTHING, column: ({ facts }) => facts.rules.size === 0, careful: true });
  const relations: readonly Relation[] = [...world.models, ...world.views];
  const query = randomQuery({ relations, reach, grouped: random.chance(0.3) }, random);
  const facts = query.facts();
  const { sql } = query.written({ random, reordered: false });
  const names = new Set<string>();
  const columns = query.outputs.map((expression, index): Column => {
    const columnName = newName(random, names, { folded: false });
    return {
      id: `c${index}`,
      name: columnName,
      kind: expression.kind,
      shape: "view",
      hidden: false,
      stored: undefined,
      expression: undefined,
      facts,
      json: {},
    };
  });
  const list = columns.map((column) => `"${column.name.replaceAll('"', '""')}"`).join(", ");
  const statement = `SELECT * FROM (${sql}) AS "v" (${list})`;
  return { kind: "view", name, id: `v${world.views.length}`, columns, handles: [], query, statement };
}

/** The manifest's JSON; `ruled` includes row and column rules. */
export function manifestJson(
  { models, relationships, views }: World,
  { ruled, random }: { readonly ruled: boolean; readonly random: Random },
): unknown {
  const column = (each: Column): unknown => {
    const { columnLevelAccessControl, ...json } = each.json;
    const expression =
      each.expression === undefined
        ? {}
        : {
            expression: write(each.expression, {
              from: () => "",
              reference: (reference) => pathText(reference, random),
            }),
          };
    return { ...json, ...expression, ...(ruled ? { columnLevelAccessControl } : {}) };
  };
  const model = (each: Model): unknown => ({
    name: each.name,
    ...each.source,
    columns: [
      ...each.columns.map(column),
      ...each.handles.map(({ name, target, relationship }) => ({
        name,
        type: target.name,
        relationship: relationship.name,
      })),
    ],
    ...(each.primaryKey.length === 0
      ? {}
      : {
          primaryKey: each.primaryKey.length === 1 ? each.primaryKey[0]?.name : each.primaryKey.map(({ name }) => name),
        }),
    ...(ruled ? { rowLevelAccessControls: each.rules.map(({ json }) => json) } : {}),
  });
  return {
    catalog: "catalog",
    schema: "public",
    models: models.map(model),
    relationships: relationships.map((each) => ({
      name: each.name,
      models: each.models.map(({ name }) => name),
      joinType: each.joinType,
      condition: conditionText(each, random),
    })),
    views: views.map(({ name, statement }) => ({ name, statement })),
  };
}
