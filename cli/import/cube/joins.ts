/** Joins of Cube as relationships. */
import { conjuncts } from "../../../src/planner/syntax/walk.ts";
import { identifierIn, written } from "../../project/identifier.ts";
import type { Draft } from "../draft.ts";
import { hasKnownMembers, type Item } from "../item.ts";
import { rejectValueWithoutRow } from "../joined-rows.ts";
import { expressionIn, Unmapped } from "../sql-text.ts";
import type { CubeModel } from "./model.ts";
import { withReferences } from "./references.ts";

const JOIN = { mapped: ["name", "relationship", "sql"] };
const KINDS: Readonly<Record<string, "one" | "many" | "reverse">> = {
  one_to_one: "one",
  has_one: "one",
  many_to_one: "many",
  belongs_to: "many",
  one_to_many: "reverse",
  has_many: "reverse",
};

export function addJoins(made: CubeModel, cubes: ReadonlyMap<string, CubeModel>, draft: Draft): void {
  for (const item of made.source.members("joins")) {
    const other = item.text("name") ?? "";
    const object = `join to "${other}" of cube "${made.source.name}"`;
    if (!hasKnownMembers(item, object, JOIN, draft.report)) continue;
    draft.attempt(object, item.at("sql"), () => addJoin(item, made, cubes.get(other), draft));
  }
}

function addJoin(item: Item, made: CubeModel, other: CubeModel | undefined, draft: Draft): void {
  const wanted = item.text("relationship") ?? "";
  const kind = Object.hasOwn(KINDS, wanted) ? KINDS[wanted] : undefined;
  if (other === undefined) throw new Unmapped(`The cube "${item.text("name")}" is not imported.`);
  if (kind === undefined) throw new Unmapped(`The relationship ${wanted} is not known.`);
  const pairs = pairsOf(item.text("sql") ?? "", made, other);
  if (kind === "reverse") {
    const isKnown = other.source.members("joins").some((each) => each.text("name") === made.source.name);
    if (isKnown) return;
    draft.report.leaveOut(
      `join to "${other.source.name}" of cube "${made.source.name}"`,
      "Rows on the one side without rows on the many side are not listed.",
      item.at("relationship"),
    );
  }
  const [from, to] = kind === "reverse" ? [other, made] : [made, other];
  const path = draft.join(
    {
      name: `${from.source.name}_${to.source.name}`,
      from: from.model,
      to: to.model,
      pairs: kind === "reverse" ? pairs.map(([own, others]) => [others, own] as const) : pairs,
      joinType: kind === "one" ? "ONE_TO_ONE" : "MANY_TO_ONE",
      path: to.source.name,
    },
    item.at("name"),
  );
  if (path === undefined || kind === "reverse") return;
  for (const [name, { item: dimension, native }] of to.dimensions) {
    const column = to.model.column(name);
    if (column === undefined || column.isHidden === true) continue;
    const object = `dimension "${name}" of cube "${to.source.name}", joined to cube "${from.source.name}"`;
    const isEqual = draft.attempt(object, dimension.at("sql"), () => {
      // Cube computes a dimension after the join, so that a row without a partner may have a value.
      if (native !== undefined && identifierIn(native) === undefined) rejectValueWithoutRow(native, draft.source);
      return true;
    });
    if (isEqual === undefined) continue;
    const isTime = dimension.text("type") === "time";
    const member = { name: `${to.source.name}__${name}`, expression: `${written(path)}.${written(name)}` };
    draft.member(from.cube, isTime ? "time dimension" : "dimension", member, dimension.at("name"));
  }
}

/** Pairs of columns, own first. Throws `Unmapped` unless the condition is a conjunction of equalities. */
function pairsOf(sql: string, made: CubeModel, other: CubeModel): readonly (readonly [string, string])[] {
  const stands = new Map<string, readonly [CubeModel, string]>();
  const text = withReferences(sql, ({ parts, column }) => {
    const key = `ref_${stands.size}_of_join`;
    stands.set(key, sideOf(parts, column, made, other));
    return key;
  });
  return conjuncts(expressionIn(text)).map((condition) => {
    const sides =
      condition.kind === "binary" && condition.operator === "="
        ? [condition.left, condition.right].map((side) =>
            side.kind === "column" && side.parts.length === 1 ? stands.get(side.parts[0]?.name ?? "") : undefined,
          )
        : [];
    const [a, b] = sides;
    if (a?.[0] === made && b?.[0] === other) return [a[1], b[1]] as const;
    if (a?.[0] === other && b?.[0] === made) return [b[1], a[1]] as const;
    throw new Unmapped("The condition is no conjunction of equalities between columns of both cubes.");
  });
}

function sideOf(
  parts: readonly string[],
  column: string | undefined,
  made: CubeModel,
  other: CubeModel,
): readonly [CubeModel, string] {
  const [first = "", second] = parts;
  const side = first === other.source.name ? other : first === "CUBE" || first === made.source.name ? made : undefined;
  const name = side === undefined ? first : (second ?? column);
  const owner = side ?? made;
  if (name === undefined) throw new Unmapped(`The condition reads ${parts.join(".")}, which is no column.`);
  const isColumn = side !== undefined && second === undefined;
  const found = isColumn ? owner.model.input(name, name, owner.source.at) : owner.model.column(name)?.name;
  if (found === undefined)
    throw new Unmapped(`The condition reads ${name}, which cube ${owner.source.name} does not have.`);
  return [owner, found];
}
