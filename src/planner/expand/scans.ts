/**
 * How a statement reads its physical tables: the columns it names, and the rows that cannot affect the result. Computed
 * from the finished tree, so that rules, paths and fences are included. It may report too many columns; it reports only
 * filters that hold for every result row.
 */
import type { BindingContext } from "../binding/context.ts";
import type { Scan } from "../plan.ts";
import type { Expression, Query, QueryBody, Select, SelectItem, TableExpression } from "../syntax/tree.ts";
import { forEachChild, type SyntaxNode, someNode, walk } from "../syntax/walk.ts";
import type { ModelRead } from "./expansion.ts";
import { columnNamed, conjunctsOf, filtersOf, type TableFilter } from "./scan-filters.ts";

/** By the names of the tables in lower case, since engines that read files do not know case. */
export type Scans = ReadonlyMap<string, readonly Scan[]>;

export function scansOf(query: Query, ruled: RuledTables = NO_RULES): Scans {
  const names = new NamesOfColumns(query);
  const uses = new Uses(query, ruled.conditions);
  const scans = new Map<string, Scan[]>();
  const known = (filters: readonly TableFilter[]): Scan["filters"] =>
    names.areKnown ? filters.map(({ column, operator, values }) => ({ column, operator, values })) : [];
  for (const { table, alias, filters, ruleFilters } of uses.found) {
    const columns = names.of(alias);
    const scan: Scan = {
      ...(columns !== undefined && { columns }),
      filters: known(filters),
      ...(ruled.tables.has(table) && { ruleFilters: known(ruleFilters) }),
    };
    scans.set(table, [...(scans.get(table) ?? []), scan]);
  }
  return scans;
}

/** The tables that row rules exclude rows of, by their names in lower case, and the lowered conditions of these rules. */
export interface RuledTables {
  readonly tables: ReadonlySet<string>;
  readonly conditions: Pick<WeakSet<Expression>, "has">;
}

const NO_RULES: RuledTables = { tables: new Set(), conditions: new WeakSet() };

export function ruledTables(
  reads: readonly ModelRead[],
  { access, ruleConditions: conditions }: Pick<BindingContext, "access" | "ruleConditions">,
): RuledTables {
  const tables = reads.flatMap(({ model }) => {
    const table = model.data.tableReference?.table;
    return table === undefined || access.rowRules(model).length === 0 ? [] : [table.toLowerCase()];
  });
  return { tables: new Set(tables), conditions };
}

/**
 * Words in native SQL that use more than values of named columns: queries, and columns selected without their names.
 */
const MORE_THAN_COLUMNS = /\b(?:select|from|columns|with)\b|\*\s*(?:[,)]|$)|[.(,]\s*\*|#/i;
/** A name in quotes, and a word: what in a text may be the name of a column. */
const NAMES = /"((?:[^"]|"")*)"|[\p{L}_][\p{L}\p{N}_$]*/gu;

/** The names that columns of a table may be meant by, over the whole statement: an alias is seldom used twice. */
class NamesOfColumns {
  /** False if native SQL may read any table in any way. */
  areKnown = true;
  readonly #qualified = new Map<string, Set<string>>();
  readonly #bare = new Set<string>();
  readonly #whole = new Set<string>();

  constructor(query: Query) {
    walk(query, (node) => {
      this.#see(node);
      return undefined;
    });
  }

  of(alias: string | undefined): readonly string[] | undefined {
    if (!this.areKnown || alias === undefined || this.#whole.has(alias) || this.#bare.has(alias)) return undefined;
    return [...new Set([...(this.#qualified.get(alias) ?? []), ...this.#bare])];
  }

  #see(node: SyntaxNode): void {
    switch (node.kind) {
      case "bound":
      case "column": {
        const column = columnNamed(node);
        if (column !== undefined) this.#add(column.table, column.column);
        else if (node.kind === "column")
          this.#unclear(
            node.parts.map(({ name }) => name.toLowerCase()),
            node.wholeRow,
          );
        return;
      }
      case "opaque":
        if (MORE_THAN_COLUMNS.test(node.text)) this.areKnown = false;
        for (const [word, quoted] of node.text.matchAll(NAMES)) {
          this.#bare.add((quoted?.replaceAll('""', '"') ?? word).toLowerCase());
        }
        return;
      case "opaque-table":
      case "star":
      // Its columns go by another name than their table's.
      case "aliased-join":
        this.areKnown = false;
        return;
      case "join":
        if (node.natural) this.areKnown = false;
        for (const { name } of node.using) this.#bare.add(name.toLowerCase());
        return;
      default:
        return;
    }
  }

  #unclear(parts: readonly string[], wholeRow: boolean | undefined): void {
    if (wholeRow === true) this.#whole.add(parts.at(-1) ?? "");
    else for (const part of parts) this.#bare.add(part);
  }

  #add(table: string, column: string): void {
    const known = this.#qualified.get(table);
    if (known === undefined) this.#qualified.set(table, new Set([column]));
    else known.add(column);
  }
}

interface Use {
  readonly table: string;
  readonly alias: string | undefined;
  readonly filters: readonly TableFilter[];
  /** Filters of a row rule in the same SELECT. */
  readonly ruleFilters: readonly TableFilter[];
}

/** Every use of a physical table, with the conditions that reach it. */
class Uses {
  readonly found: Use[] = [];
  readonly #common: ReadonlyMap<string, Query>;
  readonly #rules: RuledTables["conditions"];

  constructor(query: Query, rules: RuledTables["conditions"]) {
    this.#common = readOnce(query);
    this.#rules = rules;
    this.#query(query, []);
  }

  /** `outer`: conditions on the columns of the answer, by their names alone. */
  #query(query: Query, outer: readonly TableFilter[]): void {
    for (const { name, query: common } of query.with?.tables ?? []) {
      // A query that is read once is visited where it is read.
      if (this.#common.get(name.name.toLowerCase()) !== common) this.#query(common, []);
    }
    const isCut = query.limit !== undefined || (query.offset !== undefined && !isZero(query.offset));
    this.#body(query.body, isCut ? [] : outer);
    for (const { expression } of query.orderBy) this.#inside(expression);
    if (query.limit !== undefined) this.#inside(query.limit.count);
    if (query.offset !== undefined) this.#inside(query.offset);
  }

  #body(body: QueryBody, outer: readonly TableFilter[]): void {
    switch (body.kind) {
      case "select":
        this.#select(body, outer);
        return;
      case "set":
        this.#body(body.left, []);
        this.#body(body.right, []);
        return;
      case "nested":
        this.#query(body.query, outer);
        return;
      case "values":
        for (const row of body.rows) for (const value of row) this.#inside(value);
        return;
      default:
        body satisfies never;
    }
  }

  #select(select: Select, outer: readonly TableFilter[]): void {
    const filters = [...filtersOf(select.where), ...through(select, outer)];
    const rules = conjunctsOf(select.where).filter((each) => this.#rules.has(each));
    const ofRules = rules.flatMap(filtersOf);
    for (const table of select.from) this.#table(table, filters, ofRules);
    const { from: _, ...others } = select;
    this.#inside({ ...others, from: [] });
  }

  /** `filters` and `ofRules` hold for every row that is joined of the table and others. */
  #table(table: TableExpression, filters: readonly TableFilter[], ofRules: readonly TableFilter[] = []): void {
    switch (table.kind) {
      case "physical-table": {
        const alias = table.alias?.name.name.toLowerCase();
        const name = table.name.at(-1)?.name.toLowerCase() ?? "";
        const own = (all: readonly TableFilter[]): readonly TableFilter[] => all.filter((each) => each.table === alias);
        this.found.push({ table: name, alias, filters: own(filters), ruleFilters: own(ofRules) });
        return;
      }
      case "derived":
        this.#query(table.query, ofTable(table, filters));
        return;
      case "table":
      case "bound-common": {
        const name = table.kind === "table" ? table.name.at(-1)?.name : table.table.printedName;
        const common = this.#common.get(name?.toLowerCase() ?? "");
        if (common !== undefined) this.#query(common, ofTable(table, filters, name));
        return;
      }
      case "join": {
        const { join, left, right, on } = table;
        // A condition that is never true for NULL holds for all rows, also for a side whose rows may be missing.
        const joined = [...filters, ...filtersOf(on)];
        this.#table(left, join === "left" || join === "full" ? filters : joined, ofRules);
        this.#table(right, join === "right" || join === "full" ? filters : joined, ofRules);
        if (on !== undefined) this.#inside(on);
        return;
      }
      case "aliased-join":
        this.#table(table.join, []);
        return;
      case "function":
        for (const { value } of table.call.arguments) this.#inside(value);
        return;
      case "bound-model":
      case "ruled":
      case "opaque-table":
        return;
      default:
        table satisfies never;
    }
  }

  /** Queries within expressions. */
  #inside(node: SyntaxNode): void {
    if (node.kind === "query") this.#query(node, []);
    else forEachChild(node, (child) => this.#inside(child));
  }
}

/** Conditions on what a table is called by its alias, as conditions on the columns of the answer that it is. */
function ofTable(
  { alias }: Extract<TableExpression, { kind: "derived" | "table" | "bound-common" }>,
  filters: readonly TableFilter[],
  name?: string,
): readonly TableFilter[] {
  if (alias !== undefined && alias.columns.length > 0) return [];
  const called = (alias?.name.name ?? name)?.toLowerCase();
  return filters.filter(({ table }) => table === called);
}

/** Conditions on the answer of a SELECT, as conditions on the rows that it is made of. */
function through(select: Select, outer: readonly TableFilter[]): readonly TableFilter[] {
  if (outer.length === 0 || !keepsRowsApart(select)) return [];
  const keys = select.groupBy?.map((element) =>
    element.kind === "expression" ? nameOf(element.expression) : undefined,
  );
  return outer.flatMap((filter) => {
    const items = select.items.filter((item) => outputName(item) === filter.column);
    const [item] = items;
    if (items.length !== 1 || item?.kind !== "item") return [];
    const column = columnNamed(item.expression);
    if (column === undefined || (keys !== undefined && !keys.includes(nameOf(item.expression)))) return [];
    return [{ ...filter, ...column }];
  });
}

/** Whether omitted rows leave all other rows unchanged. */
function keepsRowsApart({ distinct, top, items, qualify, groupBy }: Select): boolean {
  if ((distinct !== undefined && distinct.length > 0) || top !== undefined || qualify !== undefined) return false;
  if (groupBy?.some(({ kind }) => kind !== "expression")) return false;
  return !items.some((item) => someNode(item, (node) => node.kind === "call" && node.over !== undefined));
}

function nameOf(expression: Expression): string | undefined {
  const column = columnNamed(expression);
  return column && JSON.stringify([column.table, column.column]);
}

function outputName(item: SelectItem): string | undefined {
  if (item.kind !== "item") return undefined;
  return (item.alias?.name ?? columnNamed(item.expression)?.column)?.toLowerCase();
}

function isZero(expression: Expression): boolean {
  return expression.kind === "number" && expression.text === "0";
}

/** Entries of WITH that are read once, under names that only they have. */
function readOnce(query: Query): ReadonlyMap<string, Query> {
  const uses = new Map<string, number>();
  const entries = new Map<string, (Query | undefined)[]>();
  const add = (name: string, entry: Query | undefined): void => {
    const key = name.toLowerCase();
    entries.set(key, [...(entries.get(key) ?? []), entry]);
  };
  walk(query, (node) => {
    if (node.kind === "query") {
      for (const { name, query: entry, columns } of node.with?.tables ?? []) {
        add(name.name, node.with?.recursive === true || columns.length > 0 ? undefined : entry);
      }
    }
    if (node.kind === "table" || node.kind === "bound-common") {
      const name = node.kind === "table" ? node.name.at(-1)?.name : node.table.printedName;
      uses.set(name?.toLowerCase() ?? "", (uses.get(name?.toLowerCase() ?? "") ?? 0) + 1);
    }
    return undefined;
  });
  const once = new Map<string, Query>();
  for (const [name, [entry, ...others]] of entries) {
    if (entry !== undefined && others.length === 0 && uses.get(name) === 1) once.set(name, entry);
  }
  return once;
}
