/** The changes between two manifests: objects are compared by their names, and texts of SQL in one spelling. */
import { CALLED, type Holds, type Kind, MEMBERS } from "../../src/planner/manifest/members.ts";
import { canonicalText, conjunctsOf } from "./canonical.ts";
import { type ChangeClass, MEMBER_CLASSES, type MemberClass } from "./members.ts";
import { waysAroundRules } from "./ruled-tables.ts";

export interface Change {
  /** The name in messages: `column "total" of model "orders"`. */
  readonly object: string;
  /** The member that changed; undefined where the object itself was added, removed or renamed. */
  readonly member?: string;
  readonly how: "added" | "removed" | "changed" | "renamed";
  readonly class: ChangeClass;
  readonly before?: unknown;
  readonly after?: unknown;
}

type Members = Readonly<Record<string, unknown>>;

/** In the order of the manifest's members. */
export function changesBetween(before: Members, after: Members): readonly Change[] {
  const changes = objectChanges(before, after, "manifest", "manifest");
  const known = waysAroundRules(before);
  const around = waysAroundRules(after)
    .filter((each) => !known.includes(each))
    .map((object): Change => ({ object, how: "added", class: "loosened" }));
  return [...withWhatRulesRead(changes, after), ...around];
}

const classesOf = (kind: Kind): Readonly<Record<string, MemberClass>> => MEMBER_CLASSES[kind];
const holdsOf = (kind: Kind, member: string): Holds | undefined =>
  (MEMBERS[kind] as Readonly<Record<string, { readonly holds: Holds }>>)[member]?.holds;

/** A member that the format does not have is read by no plan, but it may be a misspelt rule. */
const UNKNOWN: MemberClass = { added: "compatible", removed: "compatible", changed: "compatible" };

function objectChanges(before: Members, after: Members, kind: Kind, object: string): readonly Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((member): readonly Change[] => {
    const [old, next] = [present(before[member]), present(after[member])];
    const row = classesOf(kind)[member] ?? UNKNOWN;
    const holds = holdsOf(kind, member);
    if (typeof holds === "object" && "many" in holds) {
      return listChanges(listOf(old), listOf(next), { kind: holds.many as Kind, owner: object, row });
    }
    if (typeof holds === "object" && isObject(old) && isObject(next)) {
      return objectChanges(old, next, holds.one as Kind, `${member} of ${object}`);
    }
    return memberChanges({ old, next, row, kind, member, object, owner: { before, after } });
  });
}

interface MemberPair {
  readonly old: unknown;
  readonly next: unknown;
  readonly row: MemberClass;
  readonly kind: Kind;
  readonly member: string;
  readonly object: string;
  readonly owner: { readonly before: Members; readonly after: Members };
}

function memberChanges({ old, next, row, kind, member, object, owner }: MemberPair): readonly Change[] {
  const text = textKind(row, kind, member, owner.after);
  if (spelled(old ?? row.absent, row, text) === spelled(next ?? row.absent, row, text)) return [];
  // An absent flag is false.
  const [was, is] =
    row.absent === false ? [old === true ? true : undefined, next === true ? true : undefined] : [old, next];
  const how = was === undefined ? "added" : is === undefined ? "removed" : "changed";
  const isCondition = kind === "rowRule" && member === "condition" && how === "changed";
  const classed = isCondition ? classOfCondition(old, next) : row[how];
  const special = specialClass({ kind, member, old, next, owner }, how);
  return [{ object, member, how, class: special ?? classed, before: old, after: next }];
}

/** Members whose class depends on more than the change of their own value. */
function specialClass(
  { kind, member, old, next, owner }: Pick<MemberPair, "kind" | "member" | "old" | "next" | "owner">,
  how: "added" | "removed" | "changed",
): ChangeClass | undefined {
  // Options of files are among the annotations, and decide what is read.
  if (kind === "model" && member === "properties") {
    const csv = (value: unknown): string => JSON.stringify(isObject(value) ? (value["csv"] ?? null) : null);
    return csv(old) === csv(next) ? undefined : "breaking";
  }
  // A session without an optional property is under no rule: a default puts it under one.
  if (kind === "property" && member === "defaultExpr" && owner.after["required"] !== true && how !== "changed") {
    return how === "added" ? "breaking" : "loosened";
  }
  return undefined;
}

/** A rule with a further condition hides more rows: it breaks questions and shows nothing. */
function classOfCondition(old: unknown, next: unknown): ChangeClass {
  if (typeof old !== "string" || typeof next !== "string") return "loosened";
  const [before, after] = [conjunctsOf(old), conjunctsOf(next)];
  if (before === undefined || after === undefined) return "loosened";
  return [...before].every((each) => after.has(each)) ? "breaking" : "loosened";
}

function textKind(row: MemberClass, kind: Kind, member: string, owner: Members): MemberClass["text"] {
  // The expression of a plain column is the source's own SQL.
  if (kind === "column" && member === "expression" && owner["isCalculated"] !== true) return "native";
  // In a relationship of a model with itself, the first operand belongs to the first model.
  const models = owner["models"];
  const isOfItself = Array.isArray(models) && models[0] === models[1];
  if (kind === "relationship" && member === "condition" && isOfItself) return "native";
  return row.text;
}

function spelled(value: unknown, { isSet }: MemberClass, text: MemberClass["text"]): string {
  if (typeof value === "string") {
    if (isSet === true) return JSON.stringify([value]);
    return text === undefined ? value : canonicalText(value, text);
  }
  if (isSet === true && Array.isArray(value)) {
    const parts = value.map((each: unknown) => JSON.stringify(Array.isArray(each) ? [...each].sort() : each));
    return JSON.stringify(parts.every((part) => part.startsWith('"')) ? [...value].sort() : parts.sort());
  }
  return JSON.stringify(sorted(value)) ?? "absent";
}

/** Members in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  );
}

interface ListOwner {
  readonly kind: Kind;
  readonly owner: string;
  readonly row: MemberClass;
}

/** Objects of a list by their names; two without a partner and with equal contents are one that was renamed. */
function listChanges(
  before: readonly Members[],
  after: readonly Members[],
  { kind, owner, row }: ListOwner,
): readonly Change[] {
  const old = byName(before);
  const next = byName(after);
  const removed = [...old].filter(([name]) => !next.has(name));
  const added = new Map([...next].filter(([name]) => !old.has(name)));
  const changes: Change[] = [];
  for (const [name, object] of old) {
    const other = next.get(name);
    if (other !== undefined) changes.push(...objectChanges(object, other, kind, objectName(kind, name, owner)));
  }
  for (const [name, object] of removed) {
    const contents = contentsOf(object, kind);
    const partner = [...added].find(([, each]) => contentsOf(each, kind) === contents);
    if (partner === undefined) {
      changes.push({ object: objectName(kind, name, owner), how: "removed", class: row.removed });
    } else {
      added.delete(partner[0]);
      // Nothing refers to a row rule by its name.
      const classed = kind === "rowRule" ? "compatible" : row.removed;
      const object = objectName(kind, name, owner);
      changes.push({ object, how: "renamed", class: classed, before: name, after: partner[0] });
    }
  }
  for (const [name, object] of added) {
    changes.push({ object: objectName(kind, name, owner), how: "added", class: classOfAdded(kind, object, row) });
  }
  return changes;
}

/** A property that a rule reads and that may be absent asks nothing of a session. */
function classOfAdded(kind: Kind, object: Members, row: MemberClass): ChangeClass {
  return kind === "property" && object["required"] !== true ? "loosened" : row.added;
}

function contentsOf(object: Members, kind: Kind): string {
  const { name: _, ...others } = object;
  const parts = Object.entries(others)
    .filter(([member]) => member !== "description" && member !== "properties")
    .map(([member, value]) => {
      const row = classesOf(kind)[member] ?? UNKNOWN;
      return [member, spelled(value, row, textKind(row, kind, member, object))] as const;
    });
  return JSON.stringify(parts.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Later objects of one name are told apart by a number: a manifest with two is refused elsewhere. */
function byName(objects: readonly Members[]): ReadonlyMap<string, Members> {
  const named = new Map<string, Members>();
  for (const object of objects) {
    const name = String(object["name"]);
    let key = name;
    for (let number = 2; named.has(key); number++) key = `${name} (${number})`;
    named.set(key, object);
  }
  return named;
}

const TITLES: Partial<Record<Kind, string>> = { cubeMember: "member", metricColumn: "column", property: "property" };

function objectName(kind: Kind, name: string, owner: string): string {
  const title = TITLES[kind] ?? CALLED[kind].replace(/^(?:an?|the) /, "").replace(/ of .*$/, "");
  return `${title} ${JSON.stringify(name)}${owner === "manifest" ? "" : ` of ${owner}`}`;
}

/** A rule over a column, a relationship, an enum or a macro that means something else is another rule. */
function withWhatRulesRead(changes: readonly Change[], after: Members): readonly Change[] {
  const conditions = listOf(after["models"]).flatMap((model) =>
    listOf(model["rowLevelAccessControls"]).map(({ condition }) => ({
      model: String(model["name"]),
      words: new Set(
        String(condition)
          .toLowerCase()
          .match(/[\p{L}_][\p{L}\p{N}_$]*/gu) ?? [],
      ),
    })),
  );
  return changes.map((change) => {
    const [, kind, name = "", model] =
      /^(column|relationship|enum|macro|value) "((?:[^"\\]|\\.)*)"(?: of (?:model|enum) "(.*)")?$/.exec(
        change.object,
      ) ?? [];
    if (change.class !== "breaking" || kind === undefined || change.how === "added") return change;
    const isRead = conditions.some(
      (each) =>
        (kind !== "column" || each.model === model) &&
        each.words.has((kind === "value" ? (model ?? "") : name).toLowerCase()),
    );
    return isRead && (change.how !== "removed" || kind === "column") ? { ...change, class: "loosened" } : change;
  });
}

/** Empty members are absent ones to the reader of manifests. */
function present(value: unknown): unknown {
  if (value === null || value === "") return undefined;
  if (Array.isArray(value) && value.length === 0) return undefined;
  return isObject(value) && Object.keys(value).length === 0 ? undefined : value;
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
