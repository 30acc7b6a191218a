/** Queries of the input language over the models of a manifest, derived from the grammar as text. */
import type { Random } from "../planner/syntax/random.ts";
import { expression, literal, type Maker, type Scope, someName, window, written } from "./expressions.ts";
import type { ColumnNames, FuzzManifest, ModelNames } from "./manifests.ts";
import { COMPARABLE, KINDS, type Kind } from "./vocabulary.ts";

type Relation = Scope["relations"][number];

interface Tables {
  readonly text: string;
  readonly relations: readonly Relation[];
}

const NOTHING: Scope = { relations: [], aggregates: false, windows: false };

/** A whole query over the models of `manifest`; every other one is meant to be sound. */
export function grammarQuery(manifest: FuzzManifest, dice: Random): string {
  return new QueryMaker(manifest, dice).statement();
}

class QueryMaker {
  readonly #manifest: FuzzManifest;
  readonly #maker: Maker;
  /** Common tables so far. */
  readonly #common = new Map<string, readonly ColumnNames[]>();
  #aliases = 0;

  constructor(manifest: FuzzManifest, dice: Random) {
    this.#manifest = manifest;
    const careless = dice.chance(0.5);
    const maker: Maker = {
      ...dice,
      expression: (kind, scope, depth) => expression(kind, scope, depth, maker),
      query: (kinds, scope, depth) => this.#query(kinds, scope, depth),
      slips: (probability) => careless && dice.chance(probability),
      sound: (sound, unsound) => dice.pick(careless && dice.chance(0.12) ? unsound : sound),
    };
    this.#maker = maker;
  }

  statement(): string {
    const { chance, below, slips } = this.#maker;
    const depth = 1 + below(4);
    const prefix = chance(0.2) ? this.#commonTables(depth) : "";
    return prefix + this.#query(this.#kinds(4), NOTHING, depth) + (slips(0.04) ? ";" : "");
  }

  #kinds(most: number): readonly Kind[] {
    const { below, sound } = this.#maker;
    return Array.from({ length: 1 + below(most) }, () => sound(COMPARABLE, KINDS));
  }

  #columns(): readonly ColumnNames[] {
    return this.#kinds(3).map((kind, index) => ({ name: `f${index}`, kind }));
  }

  #commonTables(depth: number): string {
    const { pick, chance, below, slips } = this.#maker;
    const recursive = chance(0.15);
    const definitions = Array.from({ length: 1 + below(2) }, () => {
      const name = slips(0.1) ? pick(this.#manifest.models).name : `cte${++this.#aliases}`;
      const columns = this.#columns();
      const kinds = columns.map((column) => column.kind);
      let text = this.#query(kinds, NOTHING, depth - 1);
      this.#common.set(name, columns);
      if (recursive) text = `(${text}) UNION ALL ${this.#select(kinds, NOTHING, depth - 1)}`;
      const names = slips(0.1) ? "" : `(${columns.map((each) => each.name).join(", ")})`;
      return `${written(name, this.#maker)}${names} AS ${pick(["", "", "MATERIALIZED ", "NOT MATERIALIZED "])}(${text})`;
    });
    return `WITH ${recursive ? "RECURSIVE " : ""}${definitions.join(", ")} `;
  }

  #query(kinds: readonly Kind[], outer: Scope, depth: number): string {
    const { pick, chance, slips } = this.#maker;
    if (depth > 0 && chance(0.12)) {
      const operator = `${pick(["UNION", "UNION", "EXCEPT", "INTERSECT", "MINUS"])}${pick(["", " ALL", " DISTINCT"])}`;
      const side = (): string => {
        const text = this.#query(slips(0.06) ? [...kinds, "text"] : kinds, outer, depth - 1);
        return slips(0.3) ? text : `(${text})`;
      };
      return `${side()} ${operator} ${side()}${this.#tail(kinds.length, outer)}`;
    }
    if (chance(0.04)) {
      const row = (): string => `(${kinds.map((kind) => this.#maker.expression(kind, outer, 1)).join(", ")})`;
      return `VALUES ${row()}${chance(0.5) ? `, ${row()}` : ""}${this.#tail(kinds.length, outer)}`;
    }
    if (slips(0.02)) return `TABLE ${this.#tableName(pick(this.#manifest.models))}`;
    return this.#select(kinds, outer, depth);
  }

  #select(kinds: readonly Kind[], outer: Scope, depth: number): string {
    const { pick, chance, below, slips, expression: make } = this.#maker;
    const from = chance(0.95) ? this.#tables(outer, depth) : { text: "", relations: [] };
    const relations = [...from.relations, ...(chance(0.3) ? outer.relations : [])];
    const scope: Scope = { relations, aggregates: false, windows: slips(0.05) };
    const grouped = chance(0.25);
    const inSelect: Scope = { relations, aggregates: grouped, windows: !grouped };
    const keys = grouped ? kinds.slice(0, 1 + below(2)).map((kind) => this.#key(kind, scope)) : [];
    const items = kinds.map((kind, index) => {
      const key = keys[index];
      if (key !== undefined && !slips(0.1)) return this.#item(key, index);
      const value = grouped && !slips(0.1) ? this.#aggregated(kind, scope, depth) : make(kind, inSelect, depth);
      return this.#item(value, index);
    });
    if (slips(0.08) || (outer === NOTHING && kinds.length === 1 && !grouped && chance(0.15))) {
      items[0] = this.#star(from.relations);
    }
    const distinct = this.#maker.sound(
      ["", "", "", "", "", "", "DISTINCT ", "ALL "],
      [`DISTINCT ON (${make("number", scope, 0)}) `, "TOP 5 ", "DISTINCT DISTINCT "],
    );
    let text = `SELECT ${distinct}${items.join(", ")}`;
    if (from.text !== "") text += ` FROM ${from.text}`;
    if (chance(0.35)) text += ` WHERE ${make("boolean", scope, depth)}`;
    if (grouped) text += ` GROUP BY ${this.#grouping(keys, scope)}`;
    if (grouped && chance(0.2))
      text += ` HAVING ${pick(["count(*) > 1", make("boolean", { ...scope, aggregates: true }, 1)])}`;
    if (text.includes("OVER w") || slips(0.03)) {
      text += ` WINDOW w AS ${window(scope, 1, { ...this.#maker, slips: () => false })}`;
    }
    if (!grouped && chance(0.03)) text += ` QUALIFY row_number() OVER ${window(scope, depth, this.#maker)} = 1`;
    return text + this.#tail(kinds.length, scope);
  }

  /** A grouping key: no constant, which would be a position. */
  #key(kind: Kind, scope: Scope): string {
    const text = this.#maker.expression(kind, scope, 0);
    if (!/^[-\d]/.test(text) || this.#maker.slips(0.3)) return text;
    return `coalesce(${text}, ${literal(kind, this.#maker)})`;
  }

  #aggregated(kind: Kind, scope: Scope, depth: number): string {
    const value = this.#maker.expression(kind, scope, depth - 1);
    if (kind === "boolean" || kind === "json" || kind === "array") return `any_value(${value})`;
    const same = [`max(${value})`, `min(${value})`, `coalesce(max(${value}), ${literal(kind, this.#maker)})`];
    const numbers = kind === "number" ? ["count(*)", `sum(${value})`, `avg(${value}) FILTER (WHERE TRUE)`] : [];
    return this.#maker.sound([...same, ...numbers], [`array_agg(${value})`, "count(*)", `${value} + count(*)`]);
  }

  #item(text: string, index: number): string {
    const { chance, sound } = this.#maker;
    if (chance(0.6)) return `${text} AS f${index}`;
    return chance(0.3) ? `${text} ${sound(["AS "], [""])}${someName(this.#maker)}` : text;
  }

  #star(relations: readonly Relation[]): string {
    const { pick, chance } = this.#maker;
    const relation = relations.length > 0 ? pick(relations) : undefined;
    const qualifier = relation !== undefined && chance(0.4) ? `${written(relation.alias, this.#maker)}.` : "";
    const name = written(relation?.columns[0]?.name ?? "x", this.#maker);
    const changes = [
      "",
      "",
      ` EXCEPT (${name})`,
      ` EXCLUDE ${name}`,
      ` REPLACE (1 AS ${name})`,
      ` RENAME (${name} AS z)`,
    ];
    return `${qualifier}*${pick(changes)}`;
  }

  #grouping(keys: readonly string[], scope: Scope): string {
    const list = keys.join(", ");
    const positions = keys.map((_, index) => index + 1).join(", ");
    const more = this.#maker.expression(this.#maker.pick(KINDS), scope, 1);
    return this.#maker.sound(
      [list, list, positions, `ROLLUP (${list})`, `GROUPING SETS ((${list}), (${keys[0]}), ())`],
      [`CUBE (${list})`, `${list}, ${more}`, "()", "ALL", `DISTINCT ${list}`, "9"],
    );
  }

  /** ORDER BY, LIMIT and OFFSET with a blank in front, or nothing. */
  #tail(width: number, scope: Scope): string {
    const { pick, chance, below, slips, sound } = this.#maker;
    let text = "";
    if (chance(0.3)) {
      const position = String(1 + below(width));
      const key = sound([position], ["f0", "9", this.#maker.expression(pick(KINDS), scope, 1)]);
      const order = sound(["", " ASC", " DESC", " DESC NULLS FIRST", " NULLS LAST"], [" USING <", " DESC ASC"]);
      text += ` ORDER BY ${key}${order}${chance(0.3) ? `, ${position}` : ""}`;
    }
    if (chance(0.2)) {
      const wrong = ["LIMIT 1 + 1", "LIMIT NULL", "LIMIT 99999999999999999999", "LIMIT 5, 10", "LIMIT -1", "LIMIT 'x'"];
      text += ` ${sound(["LIMIT 10", "LIMIT 0", "LIMIT ALL"], wrong)}`;
    }
    if (chance(0.08)) text += ` OFFSET ${sound(["5", "5 ROWS"], ["NULL", "-1", "a"])}`;
    if (slips(0.06)) text += pick([" FETCH FIRST 3 ROWS ONLY", " FETCH FIRST 2 ROWS WITH TIES", " FOR UPDATE"]);
    return text;
  }

  #tables(outer: Scope, depth: number): Tables {
    const first = this.#joined(outer, depth);
    if (!this.#maker.chance(0.08)) return first;
    const second = this.#joined(withRelations(outer, first.relations), depth - 1);
    return { text: `${first.text}, ${second.text}`, relations: [...first.relations, ...second.relations] };
  }

  #joined(outer: Scope, depth: number): Tables {
    const { chance, slips, sound } = this.#maker;
    let left = this.#table(outer, depth);
    while (depth > 0 && chance(0.25)) {
      const right = this.#table(withRelations(outer, left.relations), depth - 1);
      const relations = [...left.relations, ...right.relations];
      const type = sound(
        ["JOIN", "INNER JOIN", "LEFT JOIN", "LEFT OUTER JOIN", "RIGHT JOIN", "FULL JOIN", "CROSS JOIN"],
        ["NATURAL JOIN", "LEFT SEMI JOIN", "ASOF JOIN", "NATURAL LEFT JOIN"],
      );
      const text = `${left.text} ${type} ${right.text}${this.#joinCondition(type, left, right)}`;
      left = { text: chance(0.1) && !slips(0.1) ? `(${text})` : text, relations };
    }
    return left;
  }

  #joinCondition(type: string, left: Tables, right: Tables): string {
    const { chance, expression: make } = this.#maker;
    if (/CROSS|NATURAL/.test(type)) return "";
    const others = new Set(right.relations[0]?.columns.map((column) => column.name));
    const shared = left.relations[0]?.columns.find((column) => others.has(column.name));
    if (shared !== undefined && chance(0.5)) return ` USING (${written(shared.name, this.#maker)})`;
    const relations = [...left.relations, ...right.relations];
    return ` ON ${make("boolean", { relations, aggregates: false, windows: false }, 2)}`;
  }

  #table(outer: Scope, depth: number): Tables {
    const { pick, chance, slips, sound } = this.#maker;
    // Reserved words are names before a dot, quoted or not.
    const alias = slips(0.04) ? pick(["order", "group", "user", "end", "select"]) : `t${++this.#aliases}`;
    if (depth > 0 && chance(0.15)) {
      const columns = this.#columns();
      const lateral = chance(0.2);
      const names = slips(0.3) ? "" : `(${columns.map((each) => each.name).join(", ")})`;
      const kinds = columns.map((column) => column.kind);
      const inner = this.#query(kinds, lateral ? outer : NOTHING, depth - 1);
      return { text: `${lateral ? "LATERAL " : ""}(${inner}) AS ${alias}${names}`, relations: [{ alias, columns }] };
    }
    if (chance(0.05)) {
      const call = sound(
        [
          ...["unnest(ARRAY[1, 2])", "generate_series(1, 5)", "generate_series(1, 10, 2)"],
          ...[
            "json_array_elements_text('[1, 2]'::json)",
            "regexp_split_to_table('a,b', ',')",
            "string_to_table('a', ',')",
          ],
        ],
        [
          ...["jsonb_each('{\"a\":1}'::jsonb)", "json_object_keys('{}'::json)", "regexp_matches('a', 'a', 'g')"],
          ...["json_to_record('{}'::json) AS r(a int)", `generate_series(${outer.relations[0]?.alias ?? "t"}.x, 5)`],
          "read_csv('x')",
          "unnest(ARRAY['a'])",
          "generate_series(DATE '2024-01-01', now(), INTERVAL '1 day')",
          "f()",
        ],
      );
      const ordinality = slips(0.2) ? " WITH ORDINALITY" : "";
      return {
        text: `${call}${ordinality} AS ${alias}(f0)`,
        relations: [{ alias, columns: [{ name: "f0", kind: "number" }] }],
      };
    }
    const common = this.#common.size > 0 && chance(0.4) ? pick([...this.#common]) : undefined;
    if (common !== undefined) {
      return { text: `${written(common[0], this.#maker)} ${alias}`, relations: [{ alias, columns: common[1] }] };
    }
    const model = pick(this.#manifest.models);
    const name = this.#tableName(model);
    if (slips(0.4)) return { text: name, relations: [{ ...model, alias: model.name }] };
    const renamed = slips(0.06) ? "(f0)" : "";
    return { text: `${name} ${pick(["AS ", ""])}${alias}${renamed}`, relations: [{ ...model, alias }] };
  }

  #tableName(model: ModelNames): string {
    const { chance } = this.#maker;
    const name = written(model.name, this.#maker);
    if (!chance(0.08)) return name;
    const [catalog = "c", schema = "s"] = this.#manifest.path;
    const path = [`"${catalog.replaceAll('"', '""')}"`, `"${schema.replaceAll('"', '""')}"`, name];
    return (chance(0.5) ? path : path.slice(1)).join(".");
  }
}

function withRelations(scope: Scope, relations: readonly Relation[]): Scope {
  return { ...scope, relations: [...scope.relations, ...relations] };
}
