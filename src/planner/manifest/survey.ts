/**
 * A walk over a whole manifest that notes what no reader of it sees: members that the format does not have (`members.ts`),
 * the type names of columns, and the names of the session properties that rules read. Done once per manifest.
 */
import { PlannerError } from "../diagnostics.ts";
import { isSlipOf, nearestNames, plainLetters } from "../suggest.ts";
import { CALLED, type Kind, MEMBERS, type Member } from "./members.ts";

export interface UnknownMember {
  readonly kind: Kind;
  readonly name: string;
  /** The first object with it: its path, and its own name where it has one. */
  readonly object: string;
  /** Number of objects of the kind that have it. */
  readonly count: number;
  /** It looks like a part of an access rule: going on without it could show rows or columns to the wrong session. */
  readonly isRule: boolean;
}

/** A type name as it is written, and the first object with it. */
export interface WrittenType {
  readonly text: string;
  readonly object: string;
}

export interface Survey {
  readonly unknown: readonly UnknownMember[];
  readonly types: readonly WrittenType[];
  /** Types beyond `types`, which is bounded. */
  readonly moreTypes: boolean;
  /** Names of session properties, in lower case. */
  readonly properties: ReadonlySet<string>;
}

/** Different names of unknown members that a manifest may have. Each is compared with the known ones. */
const MOST_UNKNOWN = 500;
/** Different texts of types that are looked at. */
const MOST_TYPES = 1000;

interface Spec {
  readonly kind: Kind;
  readonly child: Kind | undefined;
}

type Specs = ReadonlyMap<string, Spec>;

let specsByKind: ReadonlyMap<Kind, Specs> | undefined;

function specsOf(kind: Kind): Specs {
  specsByKind ??= new Map(
    (Object.entries(MEMBERS) as [Kind, Readonly<Record<string, Member>>][]).map(([each, members]) => [
      each,
      new Map(
        Object.entries(members).map(([name, { holds }]) => [name, { kind: each, child: childOf(holds) }] as const),
      ),
    ]),
  );
  return specsByKind.get(kind) ?? new Map();
}

function childOf(holds: Member["holds"]): Kind | undefined {
  if (typeof holds === "string") return undefined;
  return ("one" in holds ? holds.one : holds.many) as Kind;
}

/** Throws LIMIT_SIZE for a manifest made of unknown members. */
export function surveyOf(json: unknown): Survey {
  const walk = new Walk();
  walk.visit(json, "manifest");
  return walk.survey();
}

interface Found {
  readonly kind: Kind;
  readonly name: string;
  readonly object: string;
  readonly isRule: boolean;
  count: number;
}

type Members = Readonly<Record<string, unknown>>;

class Walk {
  readonly #unknown = new Map<Kind, Map<string, Found>>();
  readonly #types = new Map<string, string>();
  readonly #properties = new Set<string>();
  /** Names and indexes on the way to the object that is looked at. */
  readonly #path: (string | number)[] = ["manifest"];
  #found = 0;
  #moreTypes = false;

  survey(): Survey {
    const unknown = [...this.#unknown.values()].flatMap((byName) => [...byName.values()]);
    const types = [...this.#types].map(([text, object]) => ({ text, object }));
    return { unknown, types, moreTypes: this.#moreTypes, properties: this.#properties };
  }

  /** Values of another shape are for the reader to refuse. */
  visit(value: unknown, kind: Kind): void {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    const object = value as Members;
    const specs = specsOf(kind);
    for (const name in object) {
      const spec = specs.get(name);
      if (spec === undefined) this.#noteMember(kind, name, object);
      else if (spec.child !== undefined) this.#descend(name, object[name], spec.child);
      else if (name === "properties" && HIDEABLE.has(kind)) this.#noteHidden(kind, object);
    }
    if (kind === "column" || kind === "cubeMember") this.#noteType(object);
    if (kind === "property" && typeof object["name"] === "string") this.#properties.add(object["name"].toLowerCase());
  }

  #descend(name: string, value: unknown, kind: Kind): void {
    this.#path.push(name);
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) {
        this.#path.push(index);
        this.visit(value[index], kind);
        this.#path.pop();
      }
    } else {
      this.visit(value, kind);
    }
    this.#path.pop();
  }

  /** `properties.hidden` hides nothing: only `isHidden` of a column does. */
  #noteHidden(kind: Kind, object: Members): void {
    const { properties } = object;
    if (typeof properties !== "object" || properties === null || Array.isArray(properties)) return;
    for (const name of ["hidden", "isHidden"]) {
      if (!Object.hasOwn(properties, name) || saysNothing((properties as Members)[name])) continue;
      this.#noteMember(kind, `properties.${name}`, object);
    }
  }

  #noteType(object: Members): void {
    const type = object["type"];
    if (typeof type !== "string" || type === "" || this.#types.has(type)) return;
    // The type of a relationship's column names a model.
    if ((object["relationship"] ?? "") !== "") return;
    if (this.#types.size >= MOST_TYPES) this.#moreTypes = true;
    else this.#types.set(type, this.#objectAt(object));
  }

  #noteMember(kind: Kind, name: string, object: Members): void {
    // Some tools write all members; these values mean that the object has no rule.
    if (SPELLED_RULES.has(name) && saysNothing(object[name])) return;
    let byName = this.#unknown.get(kind);
    if (byName === undefined) {
      byName = new Map();
      this.#unknown.set(kind, byName);
    }
    const known = byName.get(name);
    if (known !== undefined) {
      known.count++;
      return;
    }
    if (++this.#found > MOST_UNKNOWN) {
      throw new PlannerError("LIMIT_SIZE", `the manifest has more than ${MOST_UNKNOWN} different unknown members`, {
        hint: "Put annotations of your own into the object properties, where any names are allowed.",
      });
    }
    byName.set(name, { kind, name, object: this.#objectAt(object), isRule: isPartOfRule(kind, name), count: 1 });
  }

  #objectAt({ name }: Members): string {
    const path = this.#path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
    return `${path.slice(1)}${typeof name === "string" && name !== "" ? ` (${JSON.stringify(cut(name))})` : ""}`;
  }
}

/** Members of access rules, and those that make one. */
const RULES: readonly string[] = [
  "rowLevelAccessControls",
  "columnLevelAccessControl",
  "requiredProperties",
  "isHidden",
  "hidden",
  "condition",
];
/** Names of access rules in other systems, in plain letters. */
const CALLED_ELSEWHERE: ReadonlySet<string> = new Set([
  ...["rls", "cls", "rlac", "clac", "acl", "hide", "ishide", "private", "isprivate", "mask", "masking"],
]);
const PARTS: readonly string[] = [
  "accesscontrol",
  "accessrule",
  "rowlevel",
  "columnlevel",
  "rowrule",
  "columnrule",
  "rowfilter",
  ...["hidden", "visib", "restrict", "polic", "permission", "security"],
];
/** Whatever is not known in these changes who sees what. */
const RULE_KINDS: ReadonlySet<Kind> = new Set(["rowRule", "columnRule", "property", "threshold"]);

/** Objects whose annotations suggest that the modeller meant to hide them. */
const HIDEABLE: ReadonlySet<Kind> = new Set(["model", "column", "view", "cube", "cubeMember"]);

/** Whether an unknown member of an object of this kind looks like part of an access rule. */
function isPartOfRule(kind: Kind, name: string): boolean {
  if (RULE_KINDS.has(kind)) return true;
  const letters = plainLetters(name.slice(0, 200));
  if (CALLED_ELSEWHERE.has(letters) || PARTS.some((part) => letters.includes(part))) return true;
  return RULES.some((rule) => isSlipOf(name, rule));
}

/** The format's own names in a position where they have no effect, and one of an older format. */
const SPELLED_RULES: ReadonlySet<string> = new Set([
  ...["rowLevelAccessControls", "rowLevelAccessControl", "columnLevelAccessControl", "isHidden"],
]);

function saysNothing(value: unknown): boolean {
  return (
    value === null || value === false || value === 0 || value === "" || (Array.isArray(value) && value.length === 0)
  );
}

/** `manifest.models[0] ("orders") has the member "primarykey", which a model does not have`. */
export function messageOf({ kind, name, object, count, isRule }: UnknownMember): string {
  const others = count === 1 ? "" : ` (and ${count - 1} more)`;
  const what = isRule ? ", and looks like a part of an access rule" : "";
  return `${object}${others}: "${cut(name)}" is no member of ${CALLED[kind]}${what}`;
}

/** Near names and what to do. */
export function adviceOn({ kind, name, isRule }: UnknownMember): {
  readonly suggestions: readonly string[];
  readonly hint: string;
} {
  if (name.startsWith("properties.")) {
    const hint = "Annotations have no effect on queries. To keep a column from queries, give it isHidden: true.";
    return { suggestions: ["isHidden"], hint };
  }
  const members: Readonly<Record<string, Member>> = MEMBERS[kind];
  const known = Object.keys(members);
  const suggestions = nearestNames(name, known);
  const rules = isRule && suggestions.length === 0 ? known.filter((each) => RULES.includes(each)) : [];
  const near = suggestions.length > 0 ? suggestions : rules;
  if (near.length > 0)
    return { suggestions: near, hint: `Did you mean ${near.map((each) => `"${each}"`).join(" or ")}?` };
  const listed = known.filter((each) => members[each]?.ignored !== true);
  return { suggestions: [], hint: `The members of ${CALLED[kind]} are ${listed.join(", ")}.` };
}

function cut(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 99)}…`.toWellFormed();
}
