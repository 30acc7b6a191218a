/** The properties. Each is a comparison of what the planner's SQL gives with what it has to give. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { PlannerError, type PlannerReason } from "../../src/planner/diagnostics.ts";
import type { Manifest } from "../../src/planner/index.ts";
import { manifestOf, planned } from "../support/plan.ts";
import type { Random } from "../support/random-query.ts";
import { leafOf, type Reach, toOneHops } from "./calculated.ts";
import { type Reference, type Root, template } from "./expression.ts";
import { type Generated, manifestJson } from "./generate.ts";
import { difference, isJustified, type Property, type Rows, rowText, type Tally, TWIN_PROPERTY } from "./judge.ts";
import { quoted } from "./names.ts";
import type { Oracle } from "./oracle.ts";
import type { Twin } from "./postgres.ts";
import { type Query, randomQuery, visible } from "./queries.ts";
import { scalar } from "./scalars.ts";
import { type Column, type ColumnRule, type Facts, factsOf, type Model, NO_FACTS, type Relation } from "./world.ts";

interface Access {
  readonly manifest: Manifest;
  readonly session: ReadonlyMap<string, string>;
  readonly oracle: Oracle;
  readonly reach: Reach;
}

/** Columns of one statement. */
const TOGETHER = 4;

export class Checks {
  readonly #generated: Generated;
  readonly #random: Random;
  readonly #connection: DuckDBConnection;
  readonly #tally: Tally;
  readonly #admin: Access;
  readonly #user: Access;

  readonly #twin: Twin | undefined;

  constructor(generated: Generated, connection: DuckDBConnection, tally: Tally, twin?: Twin) {
    this.#twin = twin;
    const { world, random, everything, ruled } = generated;
    this.#generated = generated;
    this.#random = random;
    this.#connection = connection;
    this.#tally = tally;
    const level = Number(world.session.get("level"));
    const allowed = ({ facts }: Column): boolean => [...facts.rules].every((rule) => holds(rule, level));
    this.#admin = {
      manifest: manifestOf(manifestJson(world, { ruled: false, random })),
      session: new Map(),
      oracle: everything,
      reach: visible(),
    };
    this.#user = {
      manifest: manifestOf(manifestJson(world, { ruled: true, random })),
      session: world.session,
      oracle: ruled,
      reach: visible({ relation: () => true, column: allowed }),
    };
  }

  async all(): Promise<void> {
    for (const access of [this.#admin, this.#user]) {
      for (const model of this.#generated.world.models) {
        await this.#calculated(model, access);
        await this.#paths(model, access);
      }
      for (let i = 0; i < 8; i++) await this.#partition(access);
      for (let i = 0; i < 8; i++) await this.#respelled(access);
      for (let i = 0; i < 20; i++) await this.#query(access);
      for (const view of this.#generated.world.views) await this.#view(view, access);
    }
    for (const model of this.#generated.world.models) {
      await this.#counts(model, this.#user);
      await this.#ruledRows(model);
      await this.#columnRules(model);
    }
    for (let i = 0; i < 32; i++) await this.#monotone();
  }

  /** Several columns in one statement; where one of them is refused or wrong, each by itself. */
  async #calculated(model: Model, access: Access): Promise<void> {
    const columns = model.columns.filter(
      (column) => column.expression !== undefined && this.#shown(column, model, access),
    );
    const rowId = access.reach.column(model.rowId, model) ? [model.rowId] : [];
    const select = (list: readonly string[], from: string): string => `SELECT ${list.join(", ")} FROM ${from}`;
    const ask = (list: readonly Column[]) => ({
      sql: select(
        [...rowId, ...list].map(({ name }) => quoted(name)),
        quoted(model.name),
      ),
      expected: select(
        [...rowId, ...list].map(({ id }) => id),
        access.oracle.table(model),
      ),
    });
    for (let start = 0; start < columns.length; start += TOGETHER) {
      const together = columns.slice(start, start + TOGETHER);
      const { sql, expected } = ask(together);
      const [wanted, given] = [await this.#rows(expected), await this.#answer(sql, access)];
      if (typeof given !== "string" && difference(wanted, given) === undefined) {
        this.#count("a calculated column equals its correlated subquery", together.length);
        continue;
      }
      for (const column of together) {
        await this.#same("a calculated column equals its correlated subquery", {
          ...ask([column]),
          access,
          facts: column.facts,
        });
      }
    }
  }

  /** Visible and allowed; what the planner may refuse is asked for all the same. */
  #shown(column: Column, model: Model, access: Access): boolean {
    return (
      !column.hidden && access.reach.column({ ...column, facts: { ...NO_FACTS, rules: column.facts.rules } }, model)
    );
  }

  /** All columns of a model at once: one branch each. */
  async #counts(model: Model, access: Access): Promise<void> {
    const columns = model.columns.filter(
      (column) => (column.shape === "to-one" || column.shape === "to-many") && access.reach.column(column, model),
    );
    if (columns.length === 0) return;
    const [rows = ""] = await this.#rows(`SELECT count(*) FROM ${access.oracle.table(model)}`);
    const branch = ({ name }: Column, index: number): string =>
      `SELECT ${index}, count(*) FROM ${quoted(model.name)} AS m WHERE m.${quoted(name)} IS NULL OR m.${quoted(name)} IS NOT NULL`;
    const sql = columns.map(branch).join(" UNION ALL ");
    const actual = await this.#answer(sql, access);
    if (typeof actual === "string")
      return this.#mismatch("a to-one column never changes the number of rows", sql, actual);
    for (const [index, column] of columns.entries()) {
      const property =
        column.shape === "to-one"
          ? "a to-one column never changes the number of rows"
          : "a to-many column never changes the number of rows";
      this.#count(property);
      if (!actual.includes(rows.replace("[", `["${index}",`))) {
        this.#mismatch(property, sql, `column ${column.name}: ${actual.join()} instead of ${rows}`);
      }
    }
  }

  async #paths(model: Model, access: Access): Promise<void> {
    for (let i = 0; i < 2; i++) {
      const root: Root = { relation: model, alias: "r" };
      const hops = toOneHops(root, access.reach, this.#random);
      const end: Relation | undefined = hops.at(-1)?.handle.target;
      const columns = end?.columns.filter((column) => access.reach.column(column, end)) ?? [];
      if (columns.length === 0) continue;
      const column = this.#random.pick(columns);
      const reference: Reference = { node: "reference", kind: column.kind, root, hops, column };
      const path = [...hops.map(({ handle }) => handle.name), column.name].map(quoted).join(".");
      const alias = quoted(this.#random.pick(["r", "_b", "v"]));
      await this.#same("a path in the caller's SQL equals its correlated subquery", {
        sql: `SELECT ${alias}.${path} FROM ${quoted(model.name)} ${alias}`,
        access,
        facts: factsOf(reference),
        expected: `SELECT ${access.oracle.spell(reference, () => "r")} FROM ${access.oracle.table(model)} r`,
      });
    }
  }

  /** TLP: rows where a condition holds, where it does not, and where it is unknown. */
  async #partition(access: Access): Promise<void> {
    const query = randomQuery({ relations: this.#relations(), reach: access.reach, plain: true }, this.#random);
    const [item] = query.parts.items;
    if (item === undefined) return;
    const condition = scalar("bool", 3, leafOf(item.root, 0.2, access.reach, this.#random), this.#random);
    const parts = [condition, template("bool", "NOT (", condition, ")"), template("bool", "(", condition, ") IS NULL")];
    const asks = parts.map((part) => query.restrictedTo(part).written({ random: this.#random, reordered: false }).sql);
    const whole = query.written({ random: this.#random, reordered: false }).sql;
    const property = "three parts of a query make the whole";
    const answers = [await this.#answer(whole, access)];
    answers.push(await this.#answer(asks.map((sql) => `(${sql})`).join(" UNION ALL "), access));
    this.#judge(property, [whole, ...asks].join("\n"), answers, query.restrictedTo(condition).facts());
  }

  async #respelled(access: Access): Promise<void> {
    const grouped = this.#random.chance(0.3);
    const query = randomQuery({ relations: this.#relations(), reach: access.reach, grouped }, this.#random);
    const first = query.written({ random: this.#random, reordered: false });
    const second = query.written({ random: this.#random, reordered: true });
    const answers = [await this.#answer(first.sql, access), await this.#answer(second.sql, access, second.order)];
    this.#judge(
      "other aliases and another order change nothing",
      `${first.sql}\n${second.sql}`,
      answers,
      query.facts(),
    );
  }

  async #query(access: Access): Promise<void> {
    const grouped = this.#random.chance(0.4);
    const query = randomQuery({ relations: this.#relations(), reach: access.reach, grouped }, this.#random);
    await this.#same("a query equals the same over tables without a model", {
      sql: this.#wrapped(query),
      access,
      facts: query.facts(),
      expected: query.oracle(access.oracle),
    });
  }

  /** The query unchanged, as a derived table, or as a common table that may have the name of a model. */
  #wrapped(query: Query): string {
    const { sql } = query.written({ random: this.#random, reordered: false });
    const names = query.outputs.map((_, index) => `o${index}`).join(", ");
    const table = quoted(this.#random.pick(["d", this.#random.pick(this.#generated.world.models).name]));
    return this.#random.pick([
      () => sql,
      () => `SELECT ${names} FROM (${sql}) AS ${table} (${names})`,
      () => `WITH ${table} (${names}) AS (${sql}) SELECT * FROM ${table}`,
    ])();
  }

  async #view(view: Relation, access: Access): Promise<void> {
    const names = view.columns.map(({ name }) => quoted(name)).join(", ");
    const ids = view.columns.map(({ id }) => id).join(", ");
    await this.#same("a view equals its query", {
      sql: `SELECT ${names} FROM ${quoted(view.name)}`,
      access,
      facts: NO_FACTS,
      expected: `SELECT ${ids} FROM ${access.oracle.table(view)}`,
    });
  }

  async #ruledRows(model: Model): Promise<void> {
    const columns = model.columns.filter(
      (column) => column.shape === "stored" && this.#user.reach.column(column, model),
    );
    if (columns.length === 0) return;
    await this.#same("rows that rules leave equal a table filtered beforehand", {
      sql: `SELECT ${columns.map(({ name }) => quoted(name)).join(", ")} FROM ${quoted(model.name)}`,
      access: this.#user,
      facts: NO_FACTS,
      expected: `SELECT ${columns.map(({ id }) => id).join(", ")} FROM ${this.#user.oracle.table(model)}`,
    });
  }

  /** Over columns that no other row decides: those of other rows may change with what a rule withholds. */
  async #monotone(): Promise<void> {
    const reach: Reach = {
      relation: () => false,
      column: (column, relation) =>
        this.#user.reach.column(column, relation) && column.facts.reads.size === 0 && !column.facts.window,
    };
    const relations = this.#generated.world.models;
    const query = randomQuery({ relations, reach, monotone: true }, this.#random);
    const { sql } = query.written({ random: this.#random, reordered: false });
    const property = "a user's rows are among the admin's";
    const [admin, user] = [await this.#answer(sql, this.#admin), await this.#answer(sql, this.#user)];
    if (typeof admin === "string" || typeof user === "string") {
      return this.#judge(property, sql, [admin, user], query.facts());
    }
    this.#count(property);
    const left = Map.groupBy(admin, (row) => row);
    const extra = user.filter((row) => left.get(row)?.pop() === undefined);
    if (extra.length > 0) this.#mismatch(property, sql, `not the admin's: ${extra.slice(0, 3).join()}`);
  }

  async #columnRules(model: Model): Promise<void> {
    const property = "column rules withhold what they say";
    const allowed = (column: Column): boolean => this.#shown(column, model, this.#user);
    const denied = model.columns.filter((column) => !column.hidden && !allowed(column));
    for (const { name, facts } of denied) {
      const from = `FROM ${quoted(model.name)} AS m`;
      const sql = this.#random.pick([
        `SELECT ${quoted(name)} ${from}`,
        `SELECT count(m.${quoted(name)}) ${from}`,
        `SELECT 1 ${from} WHERE m.${quoted(name)} IS NULL`,
        `SELECT count(*) ${from} GROUP BY ${quoted(name)}`,
      ]);
      this.#count(property);
      const outcome = attempt(() => planned(sql, this.#user.manifest, { session: this.#user.session }));
      const reason = outcome instanceof PlannerError ? outcome.reason : "an answer";
      // A column that nobody can be given may be refused for that.
      const fits = reason === "ACCESS_DENIED" || (outcome instanceof PlannerError && isJustified(outcome, facts));
      if (!fits) this.#mismatch(property, sql, `${reason} instead of ACCESS_DENIED`);
    }
    if (model.columns.some(({ facts }) => facts.lacksKey || facts.declaredToMany)) return;
    if (denied.length === 0 && this.#random.chance(0.7)) return;
    const columns = model.columns.filter((column) => !column.hidden && allowed(column));
    if (columns.length === 0) return;
    await this.#same(property, {
      sql: `SELECT * FROM ${quoted(model.name)}`,
      access: this.#user,
      facts: NO_FACTS,
      expected: `SELECT ${columns.map(({ id }) => id).join(", ")} FROM ${this.#user.oracle.table(model)}`,
    });
  }

  #relations(): readonly Relation[] {
    const { models, views } = this.#generated.world;
    return this.#random.chance(0.7) ? models : [...models, ...views];
  }

  async #same(
    property: Property,
    {
      sql,
      access,
      facts,
      expected,
    }: { readonly sql: string; readonly access: Access; readonly facts: Facts; readonly expected: string },
  ): Promise<void> {
    const actual = await this.#answer(sql, access);
    this.#judge(property, sql, [await this.#rows(expected), actual], facts);
  }

  /** Two answers are equal, or both refused for a reason that `facts` justify. */
  #judge(
    property: Property,
    sql: string,
    [expected = [], actual = []]: readonly (Rows | string)[],
    facts: Facts,
  ): void {
    if (typeof expected === "string" || typeof actual === "string") {
      const refused = typeof expected === "string" ? expected : String(actual);
      const reason = refused.split(":")[0] as PlannerReason;
      if (!isJustified({ reason, message: refused.slice(reason.length + 2) }, facts))
        this.#mismatch(property, sql, refused);
      else this.#tally.refusals.set(reason, (this.#tally.refusals.get(reason) ?? 0) + 1);
      return;
    }
    this.#count(property);
    const detail = difference(expected, actual);
    if (detail !== undefined) this.#mismatch(property, sql, detail);
  }

  #count(property: Property, by = 1): void {
    this.#tally.cases.set(property, (this.#tally.cases.get(property) ?? 0) + by);
  }

  #mismatch(property: Property | typeof TWIN_PROPERTY, sql: string, detail: string): void {
    this.#tally.mismatches.push({ seed: this.#generated.world.seed, property, detail: `${sql}\n${detail}` });
  }

  /** Rows of the planner's SQL, with columns put back in `order`; the reason where it refuses. */
  async #answer(sql: string, { manifest, session }: Access, order?: readonly number[]): Promise<Rows | string> {
    const plan = attempt(() => planned(sql, manifest, { session }));
    if (plan instanceof PlannerError) return `${plan.reason}: ${plan.message}`;
    try {
      const rows = await this.#rows(plan.sql, order);
      if (this.#twin !== undefined) await this.#compareWith(this.#twin, sql, rows, { manifest, session }, order);
      return rows;
    } catch (error) {
      return `${error instanceof Error ? error.message : String(error)}\nin ${plan.sql}`;
    }
  }

  async #compareWith(
    twin: Twin,
    sql: string,
    expected: Rows,
    { manifest, session }: Pick<Access, "manifest" | "session">,
    order: readonly number[] | undefined,
  ): Promise<void> {
    const plan = attempt(() => planned(sql, manifest, { session, source: "postgres" }));
    if (plan instanceof PlannerError) {
      this.#mismatch(TWIN_PROPERTY, sql, `${plan.reason}: ${plan.message}`);
      return;
    }
    this.#tally.twins++;
    try {
      const detail = difference(expected, texts(await twin.rows(plan.sql), order));
      if (detail !== undefined) this.#mismatch(TWIN_PROPERTY, sql, `${detail}\nby ${plan.sql}`);
    } catch (error) {
      this.#mismatch(TWIN_PROPERTY, sql, `${error instanceof Error ? error.message : String(error)}\nby ${plan.sql}`);
    }
  }

  /** Rows as text, numbers by their value. */
  async #rows(sql: string, order?: readonly number[]): Promise<Rows> {
    return texts((await this.#connection.runAndReadAll(sql)).getRowsJson(), order);
  }
}

/** `order`: columns are put back in it. */
function texts(rows: readonly (readonly unknown[])[], order: readonly number[] | undefined): Rows {
  return rows.map((row) =>
    rowText(order === undefined ? row : order.map((_, position) => row[order.indexOf(position)])),
  );
}

function holds({ operator, threshold }: ColumnRule, level: number): boolean {
  const limit = Number(threshold);
  switch (operator) {
    case "EQUALS":
      return level === limit;
    case "NOT_EQUALS":
      return level !== limit;
    case "GREATER_THAN":
      return level > limit;
    case "LESS_THAN":
      return level < limit;
    case "GREATER_THAN_OR_EQUALS":
      return level >= limit;
    default:
      return level <= limit;
  }
}

function attempt<T>(run: () => T): T | PlannerError {
  try {
    return run();
  } catch (error) {
    if (error instanceof PlannerError) return error;
    throw error;
  }
}
