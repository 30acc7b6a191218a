/**
 * Random queries in PostgreSQL's own words, typed so that most of them are valid: the same seed gives the same query. They
 * keep clear of what may differ by agreement (docs/spec/language.md): division by zero, the rounding of doubles,
 * the digits of decimal quotients as text, the place of NULLs that a descending order does not name.
 */

/** Mulberry32: small, seeded, good enough to choose alternatives. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  below(n: number): number {
    return Math.floor(this.next() * n);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
}

type Kind = "int" | "dec" | "dbl" | "text" | "bool" | "date" | "ts";
const KINDS: readonly Kind[] = ["int", "dec", "dbl", "text", "bool", "date", "ts"];

interface Column {
  readonly sql: string;
  readonly kind: Kind;
}

interface Source {
  readonly from: string;
  readonly columns: readonly Column[];
}

/** Two small relations with NULLs, duplicates, negative and boundary values. */
export const PRELUDE =
  "a(k, i, d, f, s, b, dt, ts) AS (VALUES " +
  "(1, 7, 1.50::numeric(10,2), 2.5::float8, 'x', TRUE, DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59'), " +
  "(2, -7, -2.25, -0.5, 'Y', FALSE, DATE '2023-12-31', TIMESTAMP '2023-12-31 00:00:00'), " +
  "(3, 0, 0.00, 0, '', NULL, DATE '2024-01-01', TIMESTAMP '2024-01-01 12:30:00'), " +
  "(4, NULL, NULL, NULL, NULL, TRUE, NULL, NULL), " +
  "(5, 7, 10.10, 100, 'a_b%', FALSE, DATE '1999-07-15', TIMESTAMP '1999-07-15 06:07:08.5'), " +
  "(6, 3, 0.07, 0.1, 'x', TRUE, DATE '2024-02-29', TIMESTAMP '2024-02-29 00:00:01')), " +
  "c(k, i, d, s, dt) AS (VALUES (1, 7, 1.50::numeric(10,2), 'x', DATE '2024-02-29'), (1, NULL, 0.30, 'y', NULL), " +
  "(3, 2, NULL, NULL, DATE '2024-01-01'), (9, -1, 3.00, 'Y', DATE '2024-12-30'), (NULL, 0, 0.10, 'x', NULL))";

const A: readonly Column[] = [
  { sql: "k", kind: "int" },
  { sql: "i", kind: "int" },
  { sql: "d", kind: "dec" },
  { sql: "f", kind: "dbl" },
  { sql: "s", kind: "text" },
  { sql: "b", kind: "bool" },
  { sql: "dt", kind: "date" },
  { sql: "ts", kind: "ts" },
];
const C: readonly Column[] = [
  { sql: "k", kind: "int" },
  { sql: "i", kind: "int" },
  { sql: "d", kind: "dec" },
  { sql: "s", kind: "text" },
  { sql: "dt", kind: "date" },
];

export function randomQuery(seed: number): string {
  return new QueryMaker(new Random(seed)).statement();
}

class QueryMaker {
  readonly #random: Random;
  #aliases = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  statement(): string {
    const shape = this.#random.below(10);
    if (shape === 0) {
      const kinds = this.#kinds(2);
      const operator = this.#random.pick(["UNION", "UNION ALL", "EXCEPT", "INTERSECT"]);
      const side = (): string => this.#select(kinds, 2);
      return `WITH ${PRELUDE} ${side()} ${operator} ${side()} ORDER BY 1 NULLS FIRST, 2 DESC NULLS LAST`;
    }
    if (shape <= 3) return `WITH ${PRELUDE} ${this.#grouped()}`;
    return `WITH ${PRELUDE} ${this.#ordered(this.#kinds(1 + this.#random.below(4)))}`;
  }

  #kinds(count: number): readonly Kind[] {
    return Array.from({ length: count }, () => this.#random.pick(KINDS));
  }

  /** Sorted by every column, so that LIMIT cuts at one place only. */
  #ordered(kinds: readonly Kind[]): string {
    const directions = kinds.map(
      (_, index) => `${index + 1}${this.#random.pick(["", " DESC NULLS LAST", " NULLS FIRST", ""])}`,
    );
    const limit = this.#random.chance(0.3) ? ` LIMIT ${1 + this.#random.below(4)}` : "";
    return `${this.#select(kinds, 3)} ORDER BY ${directions.join(", ")}${limit}`;
  }

  #select(kinds: readonly Kind[], depth: number): string {
    const source = this.#source(depth);
    const distinct = this.#random.chance(0.15) ? "DISTINCT " : "";
    const items = kinds.map((kind, index) => {
      const windowed = distinct === "" && this.#random.chance(0.15);
      const value = windowed ? this.#window(kind, source.columns) : this.#expression(kind, source.columns, depth);
      return `${value} AS o${index}`;
    });
    const where = this.#random.chance(0.5) ? ` WHERE ${this.#expression("bool", source.columns, 2)}` : "";
    return `SELECT ${distinct}${items.join(", ")} FROM ${source.from}${where}`;
  }

  #grouped(): string {
    const source = this.#source(2);
    const keys = this.#kinds(1 + this.#random.below(2)).map((kind) => ({
      kind,
      sql: this.#expression(kind, source.columns, 1),
    }));
    const aggregates = this.#kinds(1 + this.#random.below(3)).map((kind) => this.#aggregate(kind, source.columns));
    const items = [...keys.map((key) => key.sql), ...aggregates].map((sql, index) => `${sql} AS o${index}`);
    const ordinals = keys.map((_, index) => `${index + 1}`);
    const group = this.#random.pick([ordinals.join(", "), keys.map((_, index) => `o${index}`).join(", ")]);
    const having = this.#random.chance(0.3) ? ` HAVING ${this.#ofGroup(keys, source.columns)}` : "";
    const order = items.map((_, index) => `${index + 1}${this.#random.pick(["", " DESC NULLS LAST"])}`).join(", ");
    const where = this.#random.chance(0.3) ? ` WHERE ${this.#expression("bool", source.columns, 1)}` : "";
    return `SELECT ${items.join(", ")} FROM ${source.from}${where} GROUP BY ${group}${having} ORDER BY ${order}`;
  }

  #ofGroup(keys: readonly Column[], columns: readonly Column[]): string {
    if (this.#random.chance(0.6)) return this.#aggregate("bool", columns);
    const key = this.#random.pick(keys);
    return key.kind === "bool" ? key.sql : `${key.sql} IS ${this.#random.pick(["", "NOT "])}NULL`;
  }

  #source(depth: number): Source {
    const table = (): Source => {
      const alias =
        this.#random.pick(["a", "c", "t", "o", "x"]) + (this.#random.chance(0.5) ? "" : `${++this.#aliases}`);
      const [name, columns] = this.#random.chance(0.6) ? (["a", A] as const) : (["c", C] as const);
      return { from: `${name} AS ${alias}`, columns: columns.map((c) => ({ ...c, sql: `${alias}.${c.sql}` })) };
    };
    const derived = (): Source => {
      const alias = `q${++this.#aliases}`;
      const kinds = this.#kinds(3);
      const inner = this.#random.chance(0.3) ? this.#ordered(kinds) : this.#select(kinds, 1);
      return { from: `(${inner}) AS ${alias}`, columns: kinds.map((kind, i) => ({ kind, sql: `${alias}.o${i}` })) };
    };
    const one = (): Source => (depth > 1 && this.#random.chance(0.25) ? derived() : table());
    const left = one();
    if (!this.#random.chance(0.4)) return left;
    let right = one();
    for (let i = 0; i < 10 && nameOf(right) === nameOf(left); i++) right = one();
    if (nameOf(right) === nameOf(left)) return left;
    const columns = [...left.columns, ...right.columns];
    const join = this.#random.pick(["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "CROSS JOIN"]);
    if (join === "CROSS JOIN") return { from: `${left.from} CROSS JOIN ${right.from}`, columns };
    const kind = this.#random.pick(KINDS);
    const pick = (side: Source): string => this.#random.pick(side.columns.filter((c) => c.kind === kind)).sql;
    const has = (side: Source): boolean => side.columns.some((c) => c.kind === kind);
    if (!has(left) || !has(right)) return { from: `${left.from} CROSS JOIN ${right.from}`, columns };
    return { from: `${left.from} ${join} ${right.from} ON ${pick(left)} = ${pick(right)}`, columns };
  }

  #column(kind: Kind, columns: readonly Column[]): string {
    const fitting = columns.filter((column) => column.kind === kind);
    return fitting.length === 0 ? this.#literal(kind) : this.#random.pick(fitting).sql;
  }

  #literal(kind: Kind): string {
    const r = this.#random;
    // DuckDB 1.4 takes NULL || x for an integer when the NULL is a literal.
    if (kind !== "text" && r.chance(0.08)) return `CAST(NULL AS ${TYPE_NAMES[kind]})`;
    switch (kind) {
      case "int":
        return String(r.pick([0, 1, 2, 3, 7, -1, 10]));
      case "dec":
        return r.pick(["0.5", "1.25", "10.0", "0.10", "-3.75", "100.00"]);
      case "dbl":
        return r.pick(["0.5::float8", "2::float8", "-1.25::float8"]);
      case "text":
        return r.pick(["'x'", "'Y'", "''", "'abc'", "'a_b%'", "'it''s'"]);
      case "bool":
        return r.pick(["TRUE", "FALSE"]);
      case "date":
        return r.pick(["DATE '2024-02-29'", "DATE '2024-01-01'", "DATE '1999-12-31'"]);
      case "ts":
        return r.pick(["TIMESTAMP '2024-01-01 12:00:00'", "TIMESTAMP '2023-12-31 23:59:59.5'"]);
      default:
        return kind satisfies never;
    }
  }

  #expression(kind: Kind, columns: readonly Column[], depth: number): string {
    const r = this.#random;
    if (depth <= 0) return r.chance(0.75) ? this.#column(kind, columns) : this.#literal(kind);
    const e = (k: Kind): string => this.#expression(k, columns, depth - 1);
    const any = (): Kind => r.pick(KINDS);
    if (r.chance(0.2)) return this.#column(kind, columns);
    if (r.chance(0.12)) return `CASE WHEN ${e("bool")} THEN ${e(kind)} ELSE ${e(kind)} END`;
    if (r.chance(0.08)) return `coalesce(${e(kind)}, ${e(kind)})`;
    if (r.chance(0.05)) return `nullif(${e(kind)}, ${e(kind)})`;
    if (r.chance(0.05) && depth > 1) return this.#scalarQuery(kind, columns);
    if (r.chance(0.05) && kind !== "bool") return `${r.pick(["greatest", "least"])}(${e(kind)}, ${e(kind)})`;
    switch (kind) {
      case "int":
        return r.pick([
          () => `(${e("int")} ${r.pick(["+", "-", "*"])} ${this.#literal("int")})`,
          () => `(${e("int")} / nullif(${e("int")}, 0))`,
          () => `(${e("int")} % nullif(${e("int")}, 0))`,
          () => `length(${e("text")})`,
          () => `abs(${e("int")})`,
          () => `(-(${this.#column("int", columns)}))`,
          () => `(${e("date")} - ${e("date")})`,
          () => `CAST(${this.#column("dec", columns)} AS integer)`,
          () =>
            `CAST(extract(${r.pick(["year", "month", "day", "dow", "isodow", "week", "doy", "quarter"])} FROM ${e(r.pick(["date", "ts"]))}) AS integer)`,
          () => `position(${e("text")} IN ${e("text")})`,
          () => `CAST(${e("bool")} AS integer)`,
        ])();
      case "dec":
        return r.pick([
          () => `(${e("dec")} ${r.pick(["+", "-"])} ${e(r.pick(["dec", "int"]))})`,
          () => `(${this.#column("dec", columns)} * ${this.#literal("int")})`,
          () => `round(${e("dec")}, ${r.below(3)})`,
          () => `round(${this.#column("dec", columns)} / ${r.pick(["3", "7", "0.7", "12"])}, 2)`,
          () => `abs(${e("dec")})`,
          () => `CAST(${e("int")} AS numeric(12,2))`,
        ])();
      case "dbl":
        return r.pick([
          () => `(${e("dbl")} ${r.pick(["+", "-", "*"])} ${e(r.pick(["dbl", "int"]))})`,
          () => `(${e("dbl")} / ${r.pick(["2", "0.5", "3::float8"])})`,
          () => `CAST(${e(r.pick(["int", "dec"]))} AS double precision)`,
          () => `sqrt(abs(${e("dbl")}))`,
        ])();
      case "text":
        return r.pick([
          () => `(${e("text")} || ${e("text")})`,
          () => `(${e("text")} || ${e("int")})`,
          () => `${r.pick(["upper", "lower", "reverse", "trim"])}(${e("text")})`,
          () => `CAST(${e(r.pick(["int", "bool", "date", "ts"]))} AS text)`,
          () => `substring(${e("text")} FROM ${e("int")} FOR ${1 + r.below(3)})`,
          () => `concat(${e("text")}, ${e(r.pick(["int", "text", "bool", "date"]))})`,
          () => `${r.pick(["left", "right"])}(${e("text")}, ${e("int")})`,
          () =>
            `to_char(${e(r.pick(["date", "ts"]))}, '${r.pick(["YYYY-MM-DD", "Mon YYYY", "HH24:MI", "IYYY-IW", "DY"])}')`,
          () => `replace(${e("text")}, 'x', ${this.#literal("text")})`,
        ])();
      case "bool":
        return r.pick([
          () => {
            const k = any();
            return `(${e(k)} ${r.pick(["=", "<>", "<", "<=", ">", ">=", "IS DISTINCT FROM", "IS NOT DISTINCT FROM"])} ${e(k)})`;
          },
          () => `(${e("bool")} ${r.pick(["AND", "OR"])} ${e("bool")})`,
          () => `(NOT ${e("bool")})`,
          () => `(${e(any())} IS ${r.pick(["", "NOT "])}NULL)`,
          () => {
            const k = any();
            return `(${e(k)} ${r.pick(["", "NOT "])}IN (${e(k)}, ${this.#literal(k)}))`;
          },
          () => {
            const k = r.pick<Kind>(["int", "dec", "date", "text"]);
            return `(${e(k)} ${r.pick(["", "NOT "])}BETWEEN ${e(k)} AND ${e(k)})`;
          },
          () => `(${e("text")} ${r.pick(["LIKE", "NOT LIKE", "ILIKE"])} ${r.pick(["'x%'", "'%\\_%'", "'_'", "'Y'"])})`,
          () => `(${e("bool")} IS ${r.pick(["TRUE", "NOT TRUE", "FALSE", "UNKNOWN"])})`,
          () =>
            `(${this.#column("dec", columns)} / ${r.pick(["7", "0.3", "3"])} ${r.pick(["=", ">=", "<"])} ${r.pick(["0.01", "0.5", "1"])})`,
          () => this.#membership(columns, depth),
        ])();
      case "date":
        return r.pick([
          () => `(${e("date")} ${r.pick(["+", "-"])} ${this.#literal("int")})`,
          () => `CAST(${e("ts")} AS date)`,
          () => `CAST(date_trunc('${r.pick(["month", "week", "year", "quarter"])}', ${e("date")}) AS date)`,
        ])();
      case "ts":
        return r.pick([
          () =>
            `(${e(r.pick(["date", "ts"]))} ${r.pick(["+", "-"])} INTERVAL '${r.pick(["1 month", "1 day", "90 minutes", "1 year 2 days"])}')`,
          () => {
            const [unit, type] = [r.pick(["month", "week", "day", "hour"]), r.pick(["date", "ts"] as const)];
            // PostgreSQL's own answer to a date would be a moment, which is another text.
            return `date_trunc('${unit}', ${type === "date" ? `CAST(${e(type)} AS timestamp)` : e(type)})`;
          },
          () => `CAST(${e("date")} AS timestamp)`,
        ])();
      default:
        return kind satisfies never;
    }
  }

  #scalarQuery(kind: Kind, columns: readonly Column[]): string {
    const alias = this.#random.pick(["a", "c", "t", "z"]);
    const inner = A.map((column) => ({ ...column, sql: `${alias}.${column.sql}` }));
    const outer = columns.filter((column) => column.kind === "int" && !column.sql.startsWith(`${alias}.`));
    const correlated = outer.length > 0 ? ` WHERE ${alias}.k = ${this.#random.pick(outer).sql}` : "";
    return `(SELECT ${this.#aggregate(kind, inner)} FROM a AS ${alias}${correlated})`;
  }

  #membership(columns: readonly Column[], depth: number): string {
    const kind = this.#random.pick<Kind>(["int", "text", "date", "dec"]);
    const operand = this.#expression(kind, columns, depth - 1);
    const not = this.#random.pick(["", "NOT "]);
    const name = C.find((column) => column.kind === kind)?.sql ?? "k";
    if (this.#random.chance(0.5))
      return `(${operand} ${not}IN (SELECT m.${name} FROM c AS m WHERE m.i > ${this.#literal("int")}))`;
    return `(${not}EXISTS (SELECT 1 FROM c AS m WHERE m.${name} = ${operand}))`;
  }

  #aggregate(kind: Kind, columns: readonly Column[]): string {
    const r = this.#random;
    const e = (k: Kind): string => this.#expression(k, columns, 1);
    const filter = r.chance(0.2) ? ` FILTER (WHERE ${e("bool")})` : "";
    switch (kind) {
      case "int":
        return r.pick([
          () => `count(*)${filter}`,
          () => `count(${r.pick(["", "DISTINCT "])}${e(r.pick(KINDS))})${filter}`,
          () => `sum(${e("int")})${filter}::integer`,
          () => `${r.pick(["min", "max"])}(${e("int")})${filter}`,
        ])();
      case "dec":
        return r.pick([
          () => `sum(${e("dec")})${filter}`,
          () => `round(avg(${e(r.pick(["int", "dec"]))})${filter}, 2)`,
        ])();
      case "dbl":
        return `${r.pick(["sum", "avg", "min"])}(${e("dbl")})${filter}`;
      case "bool":
        return r.pick([
          () => `bool_${r.pick(["and", "or"])}(${e("bool")})${filter}`,
          () => `(count(*) > ${r.below(3)})`,
        ])();
      case "text":
        return r.pick([
          () => {
            const value = e("text");
            return `string_agg(${value}, '|' ORDER BY ${value.startsWith("'") ? columns[0]!.sql : value})${filter}`;
          },
          () => `min(${e("text")})${filter}`,
        ])();
      case "date":
      case "ts":
        return `${r.pick(["min", "max"])}(${e(kind)})${filter}`;
      default:
        return kind satisfies never;
    }
  }

  /** Windows whose value does not depend on the order of peers. */
  #window(kind: Kind, columns: readonly Column[]): string {
    const r = this.#random;
    const partition = r.chance(0.5) ? `PARTITION BY ${this.#expression(r.pick(KINDS), columns, 1)} ` : "";
    const order = `ORDER BY ${this.#expression(r.pick(KINDS), columns, 1)}${r.pick(["", " DESC NULLS LAST", " NULLS FIRST"])}`;
    const value = this.#column(kind, columns);
    if (kind === "int" && r.chance(0.5))
      return `CAST(${r.pick(["rank()", "dense_rank()", "count(*)"])} OVER (${partition}${order}) AS integer)`;
    if (kind === "dec") return `sum(${value}) OVER (${partition}${order})`;
    if (kind === "bool") return `bool_or(${value}) OVER (${partition}${order})`;
    return `${r.pick(["min", "max"])}(${value}) OVER (${partition}${r.chance(0.5) ? order : ""})`;
  }
}

const TYPE_NAMES: Readonly<Record<Kind, string>> = {
  int: "integer",
  dec: "numeric(10,2)",
  dbl: "double precision",
  text: "text",
  bool: "boolean",
  date: "date",
  ts: "timestamp",
};

function nameOf(source: Source): string {
  return source.columns[0]!.sql.split(".")[0]!;
}
