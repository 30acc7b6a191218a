/** Names of members: snake case in YAML, as the manifest has them in JSON. `MEMBERS` of the planner says which objects are nested. */
import { type Holds, type Kind, MEMBERS } from "../../src/planner/manifest/members.ts";

const membersOf = (kind: Kind): Readonly<Record<string, { readonly holds: Holds }>> => MEMBERS[kind];

function camelCase(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function nestedKind(kind: Kind, member: string): Kind | undefined {
  const holds = membersOf(kind)[member]?.holds;
  if (typeof holds !== "object") return undefined;
  const name = "one" in holds ? holds.one : holds.many;
  return Object.hasOwn(MEMBERS, name) ? (name as Kind) : undefined;
}

/** The object with members as the manifest spells them. Annotations and maps keep the names that their author wrote. */
export function toManifestNames(value: unknown, kind: Kind): unknown {
  return renamed(value, kind, (name) => (Object.hasOwn(MEMBERS[kind], name) ? name : camelCase(name)), toManifestNames);
}

/** The object with members in snake case. */
export function toYamlNames(value: unknown, kind: Kind): unknown {
  return renamed(value, kind, snakeCase, toYamlNames);
}

function renamed(
  value: unknown,
  kind: Kind,
  rename: (name: string) => string,
  nested: (value: unknown, kind: Kind) => unknown,
): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => nested(each, kind));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]: [string, unknown]) => {
      const member = Object.hasOwn(MEMBERS[kind], name) ? name : camelCase(name);
      const inner = nestedKind(kind, member);
      return [rename(name), inner === undefined ? each : nested(each, inner)];
    }),
  );
}
