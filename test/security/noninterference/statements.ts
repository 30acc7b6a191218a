/** Makes one statement over the shop from one seed, and names the constructs of the language in it. */
import type { Random } from "../../support/random-query.ts";
import { ATTACKS } from "../attacks/index.ts";
import {
  COMPUTED,
  CUBE_SQL,
  CUBES,
  HARMLESS,
  KINDS,
  type Kind,
  OWN_ERRORS,
  PROBES,
  RAISING,
  REFUSED,
  RELATIONS,
  type Relation,
} from "./vocabulary.ts";

export type Question =
  | { readonly sql: string; readonly cube?: undefined }
  | { readonly sql?: undefined; readonly cube: unknown };

export interface RandomStatement {
  readonly question: Question;
  readonly constructs: ReadonlySet<string>;
  /** The statement fixes the order of its rows, ties being equal rows. */
  readonly ordered: boolean;
}

interface Source {
  readonly alias: string;
  readonly name: string;
  readonly relation: Relation;
}

const ATTACK_STATEMENTS = ATTACKS.flatMap(({ answered, refused }) => [...answered, ...refused]);

export function randomStatement(random: Random): RandomStatement {
  const constructs = new Set<string>();
  const plain = (construct: string, sql: string): RandomStatement => ({
    question: { sql },
    constructs: new Set([construct]),
    ordered: false,
  });
  if (random.chance(0.04)) return plain("own error", random.pick(OWN_ERRORS));
  if (random.chance(0.03)) return plain("refused name", random.pick(REFUSED));
  if (random.chance(0.03)) return plain("cube", random.pick(CUBE_SQL));
  if (random.chance(0.03)) {
    return { question: { cube: random.pick(CUBES) }, constructs: new Set(["structured cube"]), ordered: false };
  }
  if (random.chance(0.02)) return plain("known leak", random.pick(PROBES));
  if (random.chance(0.08)) {
    const sql = random.pick(ATTACK_STATEMENTS);
    return { ...plain("written attack", sql), ordered: /ORDER BY[^()]*$/.test(sql) };
  }
  const { sql, ordered } = new Maker(random, constructs).statement();
  return { question: { sql }, constructs, ordered };
}

class Maker {
  readonly #random: Random;
  readonly #shows: Set<string>;
  /** How many expressions that can raise are still wanted: most statements have few, many none. */
  #raising: number;
  #aliases = 0;
  #commonTables: string[] = [];

  constructor(random: Random, constructs: Set<string>) {
    this.#random = random;
    this.#shows = constructs;
    this.#raising = random.pick([0, 0, 1, 1, 2, 3]);
    constructs.add(this.#raising === 0 ? "harmless" : "may raise");
  }

  statement(): { readonly sql: string; readonly ordered: boolean } {
    const body = this.#random.pick([
      () => this.#select(),
      () => this.#select(),
      () => this.#grouped(),
      () => this.#grouped(),
      () => this.#windowed(),
      () => this.#setOperation(),
      () => this.#distinctOn(),
      () => this.#outer(),
    ])();
    const tables = this.#commonTables.length === 0 ? "" : `WITH ${this.#commonTables.join(", ")} `;
    return { sql: `${tables}${body.sql}`, ordered: body.ordered };
  }

  /** Sorted by every column, or not at all. */
  #sorted(sql: string, columns: number): { readonly sql: string; readonly ordered: boolean } {
    if (this.#random.chance(0.5)) return { sql, ordered: false };
    this.#shows.add("ORDER BY");
    const items = Array.from(
      { length: columns },
      (_, index) => `${index + 1}${this.#random.pick(["", " DESC", " NULLS FIRST"])}`,
    );
    let limit = "";
    if (this.#random.chance(0.4)) {
      this.#shows.add("LIMIT");
      limit = ` LIMIT ${1 + this.#random.below(5)}${this.#random.chance(0.3) ? " OFFSET 1" : ""}`;
    }
    return { sql: `${sql} ORDER BY ${items.join(", ")}${limit}`, ordered: true };
  }

  #select(): { readonly sql: string; readonly ordered: boolean } {
    const { from, sources } = this.#from();
    const kinds = this.#kinds();
    const items = kinds.map((kind, index) => `${this.#expression(kind, sources, 2)} AS o${index}`);
    this.#shows.add("select list");
    const distinct = this.#random.chance(0.15) ? "DISTINCT " : "";
    if (distinct !== "") this.#shows.add("DISTINCT");
    return this.#sorted(`SELECT ${distinct}${items.join(", ")} FROM ${from}${this.#where(sources)}`, kinds.length);
  }

  #grouped(): { readonly sql: string; readonly ordered: boolean } {
    const { from, sources } = this.#from();
    this.#shows.add("GROUP BY");
    const keys = this.#kinds()
      .slice(0, this.#random.below(3))
      .map((kind) => this.#expression(kind, sources, 1));
    const aggregates = Array.from({ length: 1 + this.#random.below(2) }, () => this.#aggregate(sources));
    const items = [...keys, ...aggregates].map((sql, index) => `${sql} AS o${index}`);
    const where = this.#where(sources);
    const group = keys.length === 0 ? "" : ` GROUP BY ${keys.map((_, index) => index + 1).join(", ")}`;
    let having = "";
    if (this.#random.chance(0.4)) {
      this.#shows.add("HAVING");
      having = ` HAVING ${this.#random.pick([
        () => `count(*) > ${this.#random.below(3)}`,
        () => `max(${this.#expression("int", sources, 1)}) > 1`,
        () => `bool_or(${this.#expression("bool", sources, 1)})`,
      ])()}`;
    }
    return this.#sorted(`SELECT ${items.join(", ")} FROM ${from}${where}${group}${having}`, items.length);
  }

  #windowed(): { readonly sql: string; readonly ordered: boolean } {
    const { from, sources } = this.#from();
    this.#shows.add("window");
    const over = (): string => {
      const partition = this.#random.chance(0.5)
        ? `PARTITION BY ${this.#expression(this.#random.pick(KINDS), sources, 1)} `
        : "";
      return `OVER (${partition}ORDER BY ${this.#expression(this.#random.pick(KINDS), sources, 1)})`;
    };
    const windows = [
      () => `rank() ${over()}`,
      () => `dense_rank() ${over()}`,
      () => `count(*) ${over()}`,
      () => `sum(${this.#expression("int", sources, 1)}) ${over()}`,
      () => `max(${this.#expression("text", sources, 1)}) ${over()}`,
      () => `max(${this.#expression("int", sources, 1)}) OVER ()`,
    ];
    const value = this.#expression(this.#random.pick(KINDS), sources, 1);
    const where = this.#where(sources);
    if (this.#random.chance(0.25)) {
      this.#shows.add("QUALIFY");
      const [rank, dense, count] = windows;
      const number = this.#random.pick([rank!, dense!, count!]);
      return this.#sorted(
        `SELECT ${value} AS o0 FROM ${from}${where} QUALIFY ${number()} > ${this.#random.pick(["1", "2"])}`,
        1,
      );
    }
    return this.#sorted(`SELECT ${value} AS o0, ${this.#random.pick(windows)()} AS o1 FROM ${from}${where}`, 2);
  }

  #setOperation(): { readonly sql: string; readonly ordered: boolean } {
    this.#shows.add("set operation");
    const kinds = this.#kinds().slice(0, 2);
    const side = (): string => {
      const { from, sources } = this.#from(1);
      const items = kinds.map((kind, index) => `${this.#expression(kind, sources, 1)} AS o${index}`);
      return `SELECT ${items.join(", ")} FROM ${from}${this.#where(sources)}`;
    };
    const operator = this.#random.pick(["UNION", "UNION ALL", "EXCEPT", "INTERSECT"]);
    return this.#sorted(`${side()} ${operator} ${side()}`, kinds.length);
  }

  #distinctOn(): { readonly sql: string; readonly ordered: boolean } {
    this.#shows.add("DISTINCT ON");
    const { from, sources } = this.#from(1);
    const [first, second] = [this.#expression("text", sources, 1), this.#expression("int", sources, 1)];
    return {
      sql: `SELECT DISTINCT ON (${first}) ${first} AS o0, ${second} AS o1 FROM ${from}${this.#where(sources)} ORDER BY ${first}, ${second}`,
      ordered: true,
    };
  }

  /** The nullable side of an outer join, where conditions of the caller move most. */
  #outer(): { readonly sql: string; readonly ordered: boolean } {
    this.#shows.add("outer join");
    const order: Source = { alias: "o", name: "orders", relation: RELATIONS["orders"]! };
    const item: Source = { alias: "i", name: "items", relation: RELATIONS["items"]! };
    const value = this.#expression(this.#random.pick(KINDS), [order], 1);
    const inner = this.#random.chance(0.5)
      ? "orders o"
      : `(SELECT o.*, ${this.#expression("int", [order], 1)} AS q FROM orders o${this.#where([order])}) o`;
    const on = this.#random.chance(0.5) ? ` AND ${this.#expression("bool", [order], 1)}` : "";
    const items = `i.id AS o0, ${value} AS o1`;
    return this.#sorted(
      `SELECT ${items} FROM items i LEFT JOIN ${inner} ON o.id = i.order_id${on}${this.#where([item])}`,
      2,
    );
  }

  #kinds(): readonly Kind[] {
    return Array.from({ length: 1 + this.#random.below(3) }, () => this.#random.pick(KINDS));
  }

  #where(sources: readonly Source[]): string {
    if (this.#random.chance(0.4)) return "";
    this.#shows.add("WHERE");
    const more = this.#random.chance(0.3)
      ? ` ${this.#random.pick(["AND", "OR"])} ${this.#expression("bool", sources, 1)}`
      : "";
    return ` WHERE ${this.#expression("bool", sources, 2)}${more}`;
  }

  #table(): Source {
    const name = this.#random.chance(0.5) ? "orders" : this.#random.pick(Object.keys(RELATIONS));
    const relation = RELATIONS[name]!;
    if (relation.construct !== undefined) this.#shows.add(relation.construct);
    return { alias: `${name[0]}${++this.#aliases}`, name, relation };
  }

  #from(depth = 2): { readonly from: string; readonly sources: readonly Source[] } {
    const left = this.#table();
    const leftSql = this.#tableSql(left, depth);
    const shape = this.#random.below(depth > 1 ? 10 : 4);
    if (shape < 4) return { from: leftSql, sources: [left] };
    if (shape === 4) {
      this.#shows.add("VALUES");
      const key = this.#column("int", left);
      if (key === undefined) return { from: leftSql, sources: [left] };
      return { from: `(VALUES (1), (3), (5), (77)) v(k) JOIN ${leftSql} ON v.k = ${key}`, sources: [left] };
    }
    if (shape === 5) {
      this.#shows.add("LATERAL");
      const lateral: Source = { alias: `l${++this.#aliases}`, name: "", relation: { columns: { int: ["x"] } } };
      const inner = this.#expression("int", [left], 1);
      const where = this.#random.chance(0.5) ? ` WHERE ${this.#expression("bool", [left], 1)}` : "";
      return {
        from: `${leftSql} CROSS JOIN LATERAL (SELECT ${inner} AS x${where}) ${lateral.alias}`,
        sources: [left, lateral],
      };
    }
    const right = this.#table();
    const rightSql = this.#tableSql(right, depth);
    const sources = [left, right];
    const join = this.#random.pick(["JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"]);
    this.#shows.add(join === "JOIN" ? "join" : "outer join");
    const kind = this.#random.pick<Kind>(["int", "int", "text"]);
    const [a, b] = [this.#column(kind, left), this.#column(kind, right)];
    if (a === undefined || b === undefined) return { from: `${leftSql} CROSS JOIN ${rightSql}`, sources };
    let on = `${a} = ${b}`;
    if (join !== "FULL JOIN" && this.#random.chance(0.5)) {
      this.#shows.add("ON");
      on += ` AND ${this.#expression("bool", [this.#random.pick(sources)], 1)}`;
    }
    return { from: `${leftSql} ${join} ${rightSql} ON ${on}`, sources };
  }

  /** The relation itself, a query over it, or a common table. */
  #tableSql(source: Source, depth: number): string {
    const { alias, name, relation } = source;
    if (depth < 2 || this.#random.chance(0.7) || relation.isOrders === true) {
      if (relation.isOrders !== true || name !== "orders" || depth < 2 || this.#random.chance(0.75))
        return `${name} ${alias}`;
      const where = this.#random.chance(0.5) ? this.#where([source]) : "";
      if (this.#random.chance(0.5)) {
        this.#shows.add("subquery in FROM");
        return `(SELECT ${alias}.* FROM orders ${alias}${where}) ${alias}`;
      }
      this.#shows.add("common table");
      const table = `c${++this.#aliases}`;
      this.#commonTables.push(`${table} AS (SELECT ${alias}.* FROM orders ${alias}${where})`);
      return `${table} ${alias}`;
    }
    this.#shows.add("subquery in FROM");
    return `(SELECT * FROM ${name} ${alias}) ${alias}`;
  }

  #column(kind: Kind, { alias, name, relation }: Source): string | undefined {
    const plain = (relation.columns[kind] ?? []).map((column) => `${alias}.${column}`);
    const computed = (COMPUTED[name]?.[kind] ?? []).map((sql) => sql.replaceAll("$", alias));
    if (computed.length > 0 && this.#random.chance(0.15)) {
      const sql = this.#random.pick(computed);
      this.#shows.add(sql.replace(/^[^.]*\./, "").includes(".") ? "path" : "calculated column");
      return sql;
    }
    return plain.length === 0 ? undefined : this.#random.pick(plain);
  }

  #leaf(kind: Kind, sources: readonly Source[]): string {
    const found = this.#column(kind, this.#random.pick(sources));
    if (found !== undefined) return found;
    switch (kind) {
      case "int":
        return this.#random.pick(["1", "2", "77"]);
      case "text":
        return this.#random.pick(["'ann'", "'note 1'", "'CANARY'"]);
      case "bool":
        return this.#random.pick(["true", "false"]);
      case "date":
        return "DATE '2024-01-02'";
      default:
        return kind satisfies never;
    }
  }

  #expression(kind: Kind, sources: readonly Source[], depth: number): string {
    const random = this.#random;
    const orders = sources.filter(({ relation, name }) => relation.isOrders === true && name === "orders");
    if (this.#raising > 0 && orders.length > 0 && random.chance(0.5)) {
      this.#raising--;
      const [construct, sql] = random.pick(RAISING[kind]);
      this.#shows.add(construct);
      return sql.replaceAll("$", random.pick(orders).alias);
    }
    if (depth <= 0 || (kind !== "bool" && random.chance(0.4)))
      return kind === "bool" ? this.#comparison(sources) : this.#leaf(kind, sources);
    const [construct, sql] = random.pick(HARMLESS[kind]);
    this.#shows.add(construct);
    return sql.replaceAll(/\$(int|text|bool|date)/g, (_, wanted: Kind) => this.#expression(wanted, sources, depth - 1));
  }

  #comparison(sources: readonly Source[]): string {
    return this.#random.pick([
      () => `(${this.#leaf("int", sources)} > 1)`,
      () => `(${this.#leaf("text", sources)} IS NOT NULL)`,
      () => `(${this.#leaf("text", sources)} <> 'zoe')`,
    ])();
  }

  /** Whose value no order of the rows decides. */
  #aggregate(sources: readonly Source[]): string {
    const random = this.#random;
    const of = (kind: Kind): string => this.#expression(kind, sources, 1);
    let filter = "";
    if (random.chance(0.25)) {
      this.#shows.add("FILTER");
      filter = ` FILTER (WHERE ${of("bool")})`;
    }
    this.#shows.add("aggregate");
    return random.pick([
      () => `count(*)${filter}`,
      () => `count(DISTINCT ${of(random.pick(KINDS))})${filter}`,
      () => `sum(${of("int")})${filter}`,
      () => `min(${of("text")})${filter}`,
      () => `max(${of("date")})${filter}`,
      () => `bool_and(${of("bool")})${filter}`,
      () => {
        const text = this.#leaf("text", sources);
        return text.startsWith("'") ? `max(${text})${filter}` : `string_agg(${text}, ',' ORDER BY ${text})${filter}`;
      },
    ])();
  }
}
