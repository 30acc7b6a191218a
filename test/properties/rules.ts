/** Random row rules of all shapes, with the values a random session has for their properties. */
import type { Random } from "../support/random-query.ts";
import { leafOf, pathText, type Reach, randomAggregate } from "./calculated.ts";
import { type Expression, type Reference, type Root, template, write } from "./expression.ts";
import { quoted } from "./names.ts";
import { STORED_KINDS, scalar } from "./scalars.ts";
import { literal, type StoredKind } from "./tables.ts";
import type { Model } from "./world.ts";

/** A condition and what it asks of the session. */
interface Draft {
  readonly condition: Expression;
  readonly properties: Record<string, unknown>[];
  skipped: boolean;
}

/** Rules of `model`, which may read the models of `before` and nothing of those after it: rules must not need each other. */
export function addRules(model: Model, before: readonly Model[], session: Map<string, string>, random: Random): void {
  const reach: Reach = {
    careful: true,
    relation: (relation) => before.includes(relation as Model),
    column: ({ facts, kind }) =>
      kind !== "list" &&
      !facts.window &&
      !facts.lacksKey &&
      !facts.declaredToMany &&
      [...facts.reads].every((relation) => before.includes(relation as Model)),
  };
  const count = random.pick([0, 0, 1, 1, 2]);
  for (let i = 0; i < count; i++) {
    const root: Root = { relation: model, alias: "" };
    const draft = draftRule(root, before, { reach, session, random });
    const name = random.pick(["own rows", "it's", "rule"]);
    model.rules.push({
      condition: draft.condition,
      skipped: draft.skipped,
      json: { name, requiredProperties: draft.properties, condition: ruleText(draft.condition, random) },
    });
  }
}

interface Drafting {
  readonly reach: Reach;
  readonly session: Map<string, string>;
  readonly random: Random;
}

function draftRule(root: Root, before: readonly Model[], { reach, session, random }: Drafting): Draft {
  const leaf = leafOf(root, 0.3, reach, random);
  const draft = { properties: [] as Record<string, unknown>[], skipped: false };
  const kind = random.pick(STORED_KINDS);
  const own = leaf(kind) ?? template(kind, literal(kind, random));
  const value = (wanted: StoredKind) => property(wanted, draft, session, random);
  const simple = (): Expression =>
    random.pick([
      () => template("bool", own, random.pick([" = ", " <> ", " <= ", " > "]), value(kind)),
      () => template("bool", own, " IN ", listProperty(kind, draft, session, random)),
      () => template("bool", own, " IN (", value(kind), ", ", literal(kind, random), ")"),
      () => scalar("bool", 2, leaf, random),
      () => template("bool", own, " IS NOT NULL"),
    ])();
  const condition = random.pick<() => Expression>([
    simple,
    simple,
    () => template("bool", simple(), " OR ", simple()),
    () => template("bool", "NOT (", simple(), ")"),
    () => {
      const grouped = randomAggregate(root, reach, random);
      if (grouped === undefined || grouped.kind === "list") return simple();
      if (grouped.chain.some(({ handle }) => !reach.relation(handle.target))) return simple();
      const [first] = grouped.chain;
      const { primaryKey } = root.relation as Model;
      if (primaryKey.length === 0 && first !== undefined) return simple();
      return template("bool", grouped, " >= ", value(grouped.kind as StoredKind));
    },
    () => {
      // A model whose name means something else inside the subquery cannot name its own columns there.
      const others = before.filter(({ handles }) => !isHandle(root.relation.name, handles));
      if (others.length === 0 || isHandle(root.relation.name, root.relation.handles)) return simple();
      const other: Root = { relation: random.pick(others), alias: "" };
      const inner = leafOf(other, 0, reach, random)(kind);
      if (inner === undefined) return simple();
      const matches = template("bool", inner, " = ", own);
      const among = random.chance(0.5) ? matches : template("bool", matches, " AND ", inner, " <> ", value(kind));
      return { node: "exists", kind: "bool", root: other, condition: among };
    },
  ])();
  return { ...draft, condition };
}

/** A property as the rule declares it, and in the session or not; its value as the oracle has it. */
function property(
  kind: StoredKind,
  draft: { properties: Record<string, unknown>[]; skipped: boolean },
  session: Map<string, string>,
  random: Random,
): { readonly written: string; readonly oracle: string } {
  return declare(literal(kind, random), (text) => text, draft, session, random);
}

function listProperty(
  kind: StoredKind,
  draft: { properties: Record<string, unknown>[]; skipped: boolean },
  session: Map<string, string>,
  random: Random,
): { readonly written: string; readonly oracle: string } {
  const items = Array.from({ length: 1 + random.below(3) }, () => literal(kind, random)).join(", ");
  return declare(random.chance(0.5) ? `(${items})` : `[${items}]`, () => `(${items})`, draft, session, random);
}

function declare(
  text: string,
  meaning: (text: string) => string,
  draft: { properties: Record<string, unknown>[]; skipped: boolean },
  session: Map<string, string>,
  random: Random,
): { readonly written: string; readonly oracle: string } {
  const name = `p${session.size}_${draft.properties.length}_${random.below(1000)}`;
  const presence = random.pick(["required", "required", "given", "default", "missing"]);
  draft.properties.push({
    name: random.chance(0.5) ? name : name.toUpperCase(),
    required: presence === "required",
    ...(presence === "default" ? { defaultExpr: text } : {}),
  });
  if (presence === "required" || presence === "given") session.set(name, text);
  if (presence === "missing") draft.skipped = true;
  return { written: `@${name}`, oracle: meaning(text) };
}

function ruleText(condition: Expression, random: Random): string {
  const inside = new Set<Root>();
  return write(condition, {
    from: (root) => {
      inside.add(root);
      return `${quoted(root.relation.name)} AS "inner"`;
    },
    reference: (reference: Reference) => {
      const { root, column } = reference;
      if (inside.has(root)) return `"inner".${quoted(column.name)}`;
      // Inside a subquery an own column is told from the subquery's by the model's name.
      return inside.size > 0 ? qualifiedPath(reference, random) : pathText(reference, random);
    },
  });
}

function isHandle(name: string, handles: readonly { readonly name: string }[]): boolean {
  return handles.some((handle) => handle.name.toLowerCase() === name.toLowerCase());
}

function qualifiedPath(reference: Reference, random: Random): string {
  const path = pathText(reference, random);
  const model = quoted(reference.root.relation.name);
  return path.startsWith(`${model}.`) ? path : `${model}.${path}`;
}
