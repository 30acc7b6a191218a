/** Random models over random tables, and the relationships between them. */
import type { Random } from "../support/random-query.ts";
import { newName, quoted, written } from "./names.ts";
import { literal, SQL_TYPES, type StoredKind, type Table, type TableColumn } from "./tables.ts";
import {
  type Column,
  type ColumnRule,
  type ConditionPart,
  type Handle,
  type JoinType,
  type Model,
  NO_FACTS,
  type Relationship,
} from "./world.ts";

/** `names`: of models, views and relationships alike. */
export function randomModels(tables: readonly Table[], names: Set<string>, random: Random): readonly Model[] {
  const again = tables.filter(() => random.chance(0.15));
  return [...tables, ...again].map((table, index) =>
    randomModel(table, newName(random, names, { folded: false }), index, random),
  );
}

function randomModel(table: Table, name: string, index: number, random: Random): Model {
  const names = new Set<string>();
  const columns: Column[] = [];
  const add = (
    made: Omit<Column, "id" | "name" | "facts" | "shape" | "expression">,
    wanted: string | undefined,
  ): Column => {
    const columnName = wanted !== undefined && !names.has(wanted) ? wanted : newName(random, names, { folded: false });
    names.add(columnName);
    const rule = columns.length > 0 && random.chance(0.06) ? columnRule(random) : undefined;
    const column: Column = {
      ...made,
      id: `c${columns.length}`,
      name: columnName,
      shape: "stored",
      expression: undefined,
      facts: rule === undefined ? NO_FACTS : { ...NO_FACTS, rules: new Set([rule]) },
      json: {
        name: columnName,
        type: SQL_TYPES[made.kind as StoredKind],
        ...(made.hidden ? { isHidden: true } : {}),
        ...made.json,
        ...(rule === undefined ? {} : { columnLevelAccessControl: ruleJson(rule, random) }),
      },
    };
    columns.push(column);
    return column;
  };
  const physical = new Map<TableColumn, Column>();
  for (const column of table.columns) {
    const plain = random.chance(0.5) && !names.has(column.name);
    const renamed = random.chance(0.8) ? quoted(column.name) : ` ${quoted(column.name)} `;
    const made = {
      kind: column.kind,
      hidden: column !== table.rowId && random.chance(0.12),
      stored: quoted(column.name),
      json: { ...(plain ? {} : { expression: renamed }), ...(column === table.rowId ? { notNull: true } : {}) },
    };
    physical.set(column, add(made, plain ? column.name : undefined));
  }
  for (const column of table.columns.filter(() => random.chance(0.2))) {
    const stored = computed(column, random);
    add({ kind: column.kind, hidden: random.chance(0.2), stored, json: { expression: stored } }, undefined);
  }
  const rowId = physical.get(table.rowId)!;
  const key = table.key.length > 0 ? table.key.map((part) => physical.get(part)!) : [rowId];
  const view = `SELECT * FROM ${quoted(table.name)}${random.chance(0.5) ? " AS s" : ""}`;
  return {
    kind: "model",
    name,
    id: `m${index}`,
    columns,
    handles: [],
    table,
    source: random.chance(0.15) ? { refSql: view } : { tableReference: { schema: "main", table: table.name } },
    rowId,
    primaryKey: random.chance(0.8) ? key : [],
    rules: [],
  };
}

/** In the source's own words, over physical names. */
function computed({ name, kind }: TableColumn, random: Random): string {
  const column = quoted(name);
  switch (kind) {
    case "int":
      return `${column} + 1`;
    case "text":
      return random.pick([`${column} || '!'`, `lower(${column})`]);
    case "bool":
      return `NOT ${column}`;
    default:
      return `(${column})`;
  }
}

const OPERATORS = [
  "EQUALS",
  "NOT_EQUALS",
  "GREATER_THAN",
  "LESS_THAN",
  "GREATER_THAN_OR_EQUALS",
  "LESS_THAN_OR_EQUALS",
];

/** Thresholds are between the levels 1 and 3 that sessions have. */
function columnRule(random: Random): ColumnRule {
  return {
    name: "level rule",
    operator: random.pick(OPERATORS),
    threshold: random.pick(["1", "2", "3"]),
    property: "level",
  };
}

function ruleJson({ name, operator, threshold, property }: ColumnRule, random: Random): unknown {
  return {
    name,
    operator: random.chance(0.8) ? operator : operator.toLowerCase(),
    threshold: random.chance(0.5) ? threshold : { value: threshold, dataType: "NUMERIC" },
    requiredProperties: [{ name: random.chance(0.5) ? property : "Level", required: true }],
  };
}

/** The column over a physical column as it is. */
function over(model: Model, { name }: TableColumn): Column {
  return model.columns.find(({ stored }) => stored === quoted(name))!;
}

export function randomRelationships(models: readonly Model[], random: Random): readonly Relationship[] {
  const names = new Set<string>();
  const made: Relationship[] = [];
  const add = (pair: readonly [Model, Model], conjuncts: readonly Conjunct[]): void => {
    made.push(relationship(newName(random, names, { folded: false }), pair, conjuncts, random));
  };
  for (const model of models) {
    for (const link of model.table.links) {
      for (const other of models.filter(({ table }) => table === link.target)) {
        if (link.target === model.table && other !== model && random.chance(0.8)) continue;
        const keys = link.from.map((from, part): Conjunct => equality(over(model, from), over(other, link.to[part]!)));
        add([model, other], [...keys, ...further(model, other, random)]);
        if (random.chance(0.2)) add([model, other], [...keys, ...further(model, other, random)]);
      }
    }
    if (random.chance(0.3)) {
      const other = random.pick(models);
      add([model, other], unusual(model, other, random));
    }
  }
  return made;
}

/** One part of a condition; `cross` when it compares both sides, `equality` when by equality alone. */
interface Conjunct {
  readonly parts: readonly ConditionPart[];
  readonly cross: boolean;
  readonly equality: boolean;
}

function at(side: 0 | 1, column: Column): ConditionPart {
  return { side, column };
}

function equality(left: Column, right: Column): Conjunct {
  return { parts: [at(0, left), " = ", at(1, right)], cross: true, equality: true };
}

function stored({ columns }: Model, kind?: StoredKind): readonly Column[] {
  return columns.filter((column) => column.shape === "stored" && (kind === undefined || column.kind === kind));
}

/** Further conditions next to the keys. A left operand is the first side, also in models related to themselves. */
function further(left: Model, right: Model, random: Random): readonly Conjunct[] {
  if (random.chance(0.65)) return [];
  const one = random.pick(stored(random.chance(0.5) ? left : right));
  const side = stored(left).includes(one) ? 0 : 1;
  const constant = literal(one.kind as StoredKind, random);
  const operator = random.pick([" = ", " <> ", " >= "]);
  const parts = side === 0 ? [at(0, one), operator, constant] : [constant, operator, at(1, one)];
  const oneSided: Conjunct = { parts, cross: false, equality: false };
  const both = comparison(left, right, [" <= ", " <> "], random);
  return both === undefined || random.chance(0.6) ? [oneSided] : [both];
}

function comparison(left: Model, right: Model, operators: readonly string[], random: Random): Conjunct | undefined {
  const one = random.pick(stored(left));
  const others = stored(right, one.kind as StoredKind);
  if (others.length === 0) return undefined;
  const operator = random.pick(operators);
  return { parts: [at(0, one), operator, at(1, random.pick(others))], cross: true, equality: operator === " = " };
}

/** Relationships over no key at all: equal values, ranges, alternatives, expressions. */
function unusual(left: Model, right: Model, random: Random): readonly Conjunct[] {
  const equal = comparison(left, right, [" = "], random);
  const range = comparison(left, right, [" < ", " >= "], random);
  const fallback: Conjunct = equality(left.rowId, right.rowId);
  const alternative = [equal ?? fallback, comparison(left, right, [" = "], random) ?? fallback];
  return random.pick([
    () => [equal ?? fallback],
    () => [range ?? fallback],
    () => [range ?? fallback, comparison(left, right, [" <> ", " > "], random) ?? fallback],
    () => [
      {
        parts: ["(", ...alternative[0]!.parts, " OR ", ...alternative[1]!.parts, ")"],
        cross: true,
        equality: false,
      },
    ],
    () => [{ parts: [at(0, left.rowId), " + 1 = ", at(1, right.rowId)], cross: true, equality: true }],
    () => [{ parts: [at(0, left.rowId), " = ", at(1, right.rowId), " * 2"], cross: true, equality: true }],
  ])();
}

function relationship(
  name: string,
  models: readonly [Model, Model],
  conjuncts: readonly Conjunct[],
  random: Random,
): Relationship {
  const turned = random.chance(0.4);
  const parts = conjuncts.flatMap((conjunct, index) => [...(index > 0 ? [" AND "] : []), ...conjunct.parts]);
  const crossing = conjuncts.filter(({ cross }) => cross);
  return {
    name,
    // The order of the two models matters for those related to themselves alone.
    models: turned && models[0] !== models[1] ? [models[1], models[0]] : models,
    condition: turned && models[0] !== models[1] ? parts.map(turn) : parts,
    equalities: crossing.length > 0 && crossing.every((conjunct) => conjunct.equality),
    joinType: "MANY_TO_MANY",
    single: [false, false],
  };
}

function turn(part: ConditionPart): ConditionPart {
  return typeof part === "string" ? part : { ...part, side: part.side === 0 ? 1 : 0 };
}

const JOIN_TYPES: readonly JoinType[] = ["ONE_TO_ONE", "ONE_TO_MANY", "MANY_TO_ONE", "MANY_TO_MANY"];

/** Declares the direction once it is measured; one in seven is wrong. */
export function declareDirection(
  relationship: Relationship,
  single: readonly [boolean, boolean],
  random: Random,
): void {
  const [left, right] = single;
  relationship.single = single;
  relationship.joinType = random.chance(0.14)
    ? random.pick(JOIN_TYPES)
    : left
      ? right
        ? "ONE_TO_ONE"
        : "MANY_TO_ONE"
      : right
        ? "ONE_TO_MANY"
        : "MANY_TO_MANY";
}

/** Handles on both sides, under names of their own or their model's. */
export function addHandles(relationships: readonly Relationship[], random: Random): void {
  for (const each of relationships) {
    const [left, right] = each.models;
    const ends = left === right ? [left, left] : [left, right];
    for (const [index, owner] of ends.entries()) {
      if (random.chance(0.1)) continue;
      const target = ends[1 - index]!;
      const taken = new Set([...owner.columns.map(({ name }) => name), ...owner.handles.map(({ name }) => name)]);
      const wanted = random.chance(0.4) && !taken.has(target.name) ? target.name : undefined;
      const handle: Handle = {
        name: wanted ?? newName(random, taken, { folded: false }),
        relationship: each,
        owner,
        target,
      };
      owner.handles.push(handle);
    }
  }
}

/** The condition in the manifest's form. */
export function conditionText({ models, condition }: Relationship, random: Random): string {
  return condition
    .map((part) => {
      if (typeof part === "string") return part;
      const model = models[part.side];
      const rivals = [...model.columns, ...model.handles].map(({ name }) => name);
      return `${quoted(model.name)}.${written(part.column.name, random, rivals)}`;
    })
    .join("");
}
