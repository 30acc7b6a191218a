/** Queries of the input language over the models of a manifest, derived from the grammar as text. */
import type { Random } from "../planner/syntax/random.ts";
import { expression, literal, type Maker, type Scope, someName, window, written } from "./expressions.ts";
import type { FuzzManifest, ModelNames } from "./manifests.ts";
import { KINDS, type Kind } from "./vocabulary.ts";

type Relation = Scope["relations"][number];

const NOTHING: Scope = { relations: [], aggregates: false };

/** A whole query over the models of `manifest`. */
export function grammarQuery(manifest: FuzzManifest, dice: Random): string {
  let aliases = 0;
  const queries = new Map<string, readonly { readonly name: string; readonly kind: Kind }[]>();
  const maker: Maker = {
    ...dice,
    expression: (kind, scope, depth) => expression(kind, scope, depth, maker),
    query: (width, scope, depth) => query(width, scope, depth),
  };
  const { pick, chance, below } = dice;

  const kinds = (count: number): readonly Kind[] => Array.from({ length: count }, () => pick(KINDS));

  function statement(): string {
    const depth = 1 + below(4);
    const prefix = chance(0.2) ? commonTables(depth) : "";
    return prefix + query(1 + below(4), NOTHING, depth) + (chance(0.02) ? ";" : "");
  }

  function commonTables(depth: number): string {
    const recursive = chance(0.2);
    const definitions = Array.from({ length: 1 + below(2) }, () => {
      const name = chance(0.1) ? pick(manifest.models).name : `cte${++aliases}`;
      const width = 1 + below(3);
      const columns = Array.from({ length: width }, (_, index) => ({ name: `f${index}`, kind: pick(KINDS) }));
      const first = query(width, NOTHING, depth - 1);
      queries.set(name, columns);
      const tail = recursive ? ` UNION ALL ${query(width, NOTHING, depth - 1)}` : "";
      const names = chance(0.9) ? `(${columns.map((each) => each.name).join(", ")})` : "";
      return `${written(name, dice)}${names} AS ${pick(["", "", "MATERIALIZED ", "NOT MATERIALIZED "])}(${first}${tail})`;
    });
    return `WITH ${recursive ? "RECURSIVE " : ""}${definitions.join(", ")} `;
  }

  function query(width: number, outer: Scope, depth: number): string {
    if (depth > 0 && chance(0.12)) {
      const operator = `${pick(["UNION", "UNION", "EXCEPT", "INTERSECT", "MINUS"])}${pick(["", " ALL", " DISTINCT"])}`;
      const side = (): string => {
        const text = query(chance(0.97) ? width : width + 1, outer, depth - 1);
        return chance(0.3) || / (ORDER|LIMIT|OFFSET|FETCH) /.test(text) ? `(${text})` : text;
      };
      return `${side()} ${operator} ${side()}${tail(width, outer)}`;
    }
    if (chance(0.04)) {
      const row = (): string =>
        `(${kinds(width)
          .map((kind) => maker.expression(kind, outer, 1))
          .join(", ")})`;
      return `VALUES ${row()}${chance(0.5) ? `, ${row()}` : ""}${tail(width, outer)}`;
    }
    if (chance(0.01)) return `TABLE ${tableName(pick(manifest.models))}`;
    return select(width, outer, depth);
  }

  function select(width: number, outer: Scope, depth: number): string {
    const from = chance(0.95) ? tables(outer, depth) : { text: "", relations: [] };
    const relations = [...from.relations, ...(chance(0.5) ? outer.relations : [])];
    const scope: Scope = { relations, aggregates: false };
    const grouped = chance(0.25);
    const inSelect: Scope = { relations, aggregates: grouped };
    const keys = grouped ? kinds(1 + below(2)).map((kind) => maker.expression(kind, scope, 1)) : [];
    const items = kinds(width).map((kind, index) => {
      const key = keys[index];
      if (key !== undefined && chance(0.9)) return item(key, index);
      if (grouped && chance(0.9)) return item(aggregated(kind, scope, depth), index);
      return item(maker.expression(kind, inSelect, depth), index);
    });
    if (chance(0.08)) items[0] = star(from.relations);
    const distinct = pick([
      "",
      "",
      "",
      "",
      "",
      "",
      "",
      "",
      "DISTINCT ",
      "ALL ",
      `DISTINCT ON (${maker.expression("number", scope, 0)}) `,
    ]);
    let text = `SELECT ${distinct}${items.join(", ")}`;
    if (from.text !== "") text += ` FROM ${from.text}`;
    if (chance(0.35)) text += ` WHERE ${maker.expression("boolean", scope, depth)}`;
    if (grouped) text += ` GROUP BY ${grouping(keys, scope)}`;
    if (grouped && chance(0.2)) text += ` HAVING ${maker.expression("boolean", { ...scope, aggregates: true }, depth)}`;
    if (text.includes("OVER w") || chance(0.02))
      text += ` WINDOW w AS ${window(scope, 1, { ...maker, chance: () => false })}`;
    if (chance(0.03)) text += ` QUALIFY row_number() OVER ${window(scope, depth, maker)} = 1`;
    return text + tail(width, scope);
  }

  function aggregated(kind: Kind, scope: Scope, depth: number): string {
    const e = maker.expression(kind, scope, depth - 1);
    return pick([
      `max(${e})`,
      `count(${e})`,
      `min(${e})`,
      `array_agg(${e})`,
      "count(*)",
      `coalesce(max(${e}), ${literal(kind, maker)})`,
    ]);
  }

  function item(text: string, index: number): string {
    if (chance(0.6)) return `${text} AS f${index}`;
    return chance(0.3) ? `${text} ${pick(["AS ", ""])}${someName(maker)}` : text;
  }

  function star(relations: readonly Relation[]): string {
    const relation = relations.length > 0 ? pick(relations) : undefined;
    const qualifier = relation !== undefined && chance(0.4) ? `${written(relation.alias, dice)}.` : "";
    const name = written(relation?.columns[0]?.name ?? "x", dice);
    return `${qualifier}*${pick(["", "", "", ` EXCEPT (${name})`, ` EXCLUDE ${name}`, ` REPLACE (1 AS ${name})`, ` RENAME (${name} AS z)`])}`;
  }

  function grouping(keys: readonly string[], scope: Scope): string {
    const list = keys.join(", ");
    return pick<() => string>([
      () => list,
      () => list,
      () => list,
      () => keys.map((_, index) => index + 1).join(", "),
      () => `ROLLUP (${list})`,
      () => `CUBE (${list})`,
      () => `GROUPING SETS ((${list}), (${keys[0]}), ())`,
      () => `${list}, ${maker.expression(pick(KINDS), scope, 1)}`,
      () => "()",
      () => "ALL",
      () => `DISTINCT ${list}`,
    ])();
  }

  /** ORDER BY, LIMIT and OFFSET with a blank in front, or nothing. */
  function tail(width: number, scope: Scope): string {
    let text = "";
    if (chance(0.3)) {
      const key = (): string =>
        chance(0.5) ? String(1 + below(width)) : chance(0.5) ? "f0" : maker.expression(pick(KINDS), scope, 1);
      const direction = pick(["", " ASC", " DESC", " DESC NULLS FIRST", " NULLS LAST", " USING <"]);
      text += ` ORDER BY ${key()}${direction}${chance(0.3) ? `, ${key()}` : ""}`;
    }
    if (chance(0.2))
      text += pick([
        " LIMIT 10",
        " LIMIT 0",
        " LIMIT ALL",
        " LIMIT 1 + 1",
        " LIMIT NULL",
        " LIMIT 99999999999999999999",
        " LIMIT 5, 10",
      ]);
    if (chance(0.08)) text += pick([" OFFSET 5", " OFFSET 5 ROWS", " OFFSET NULL", " OFFSET -1"]);
    if (chance(0.04))
      text += pick([
        " FETCH FIRST 3 ROWS ONLY",
        " FETCH NEXT ROW ONLY",
        " FETCH FIRST 2 ROWS WITH TIES",
        " FOR UPDATE",
      ]);
    return text;
  }

  interface Tables {
    readonly text: string;
    readonly relations: readonly Relation[];
  }

  function tables(outer: Scope, depth: number): Tables {
    const first = joined(outer, depth);
    if (!chance(0.08)) return first;
    const second = joined({ ...outer, relations: [...outer.relations, ...first.relations] }, depth - 1);
    return { text: `${first.text}, ${second.text}`, relations: [...first.relations, ...second.relations] };
  }

  function joined(outer: Scope, depth: number): Tables {
    let left = table(outer, depth);
    while (depth > 0 && chance(0.25)) {
      const right = table({ ...outer, relations: [...outer.relations, ...left.relations] }, depth - 1);
      const relations = [...left.relations, ...right.relations];
      const scope: Scope = { relations, aggregates: false };
      const type = pick([
        "JOIN",
        "INNER JOIN",
        "LEFT JOIN",
        "LEFT OUTER JOIN",
        "RIGHT JOIN",
        "FULL JOIN",
        "CROSS JOIN",
        "NATURAL JOIN",
      ]);
      const shared = left.relations[0]?.columns.find((each) =>
        right.relations[0]?.columns.some((other) => other.name === each.name),
      );
      const condition = /CROSS|NATURAL/.test(type)
        ? ""
        : shared !== undefined && chance(0.5)
          ? ` USING (${written(shared.name, dice)})`
          : ` ON ${maker.expression("boolean", scope, 2)}`;
      const text = `${left.text} ${type} ${right.text}${condition}`;
      left = { text: chance(0.1) ? `(${text})` : text, relations };
    }
    return left;
  }

  function table(outer: Scope, depth: number): Tables {
    const alias = `t${++aliases}`;
    if (depth > 0 && chance(0.15)) {
      const width = 1 + below(3);
      const columns = Array.from({ length: width }, (_, index) => ({ name: `f${index}`, kind: pick(KINDS) }));
      const lateral = chance(0.2);
      const names = chance(0.7) ? `(${columns.map((each) => each.name).join(", ")})` : "";
      const inner = query(width, lateral ? outer : NOTHING, depth - 1);
      return { text: `${lateral ? "LATERAL " : ""}(${inner}) AS ${alias}${names}`, relations: [{ alias, columns }] };
    }
    if (chance(0.05)) {
      const call = pick([
        "unnest(ARRAY[1, 2])",
        "generate_series(1, 5)",
        "generate_series(1, 10, 2)",
        "read_csv('x')",
        "unnest(ARRAY['a'])",
      ]);
      const ordinality = chance(0.2) ? " WITH ORDINALITY" : "";
      return {
        text: `${call}${ordinality} AS ${alias}(f0)`,
        relations: [{ alias, columns: [{ name: "f0", kind: "number" }] }],
      };
    }
    const common = queries.size > 0 && chance(0.4) ? pick([...queries]) : undefined;
    if (common !== undefined) {
      return { text: `${written(common[0], dice)} ${alias}`, relations: [{ alias, columns: common[1] }] };
    }
    const model = pick(manifest.models);
    if (chance(0.4)) return { text: tableName(model), relations: [{ alias: model.name, columns: model.columns }] };
    const renamed = chance(0.04) ? "(f0)" : "";
    return {
      text: `${tableName(model)} ${pick(["AS ", ""])}${alias}${renamed}`,
      relations: [{ alias, columns: model.columns }],
    };
  }

  function tableName(model: ModelNames): string {
    const name = written(model.name, dice);
    if (!chance(0.08)) return name;
    const [catalog = "c", schema = "s"] = manifest.path;
    const path = [written(catalog, dice), written(schema, dice), name];
    return (chance(0.5) ? path : path.slice(1)).join(".");
  }

  return statement();
}
