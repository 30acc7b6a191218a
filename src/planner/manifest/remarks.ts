/**
 * Parts of a manifest that have no effect: unknown members, and type names that are probably misspelt. Each is a
 * warning, or an error if it looks like an access rule.
 */
import { PlannerError, type PlannerWarning } from "../diagnostics.ts";
import { typeSlip } from "../type-slips.ts";
import type { TypeNames } from "../types.ts";
import { adviceOn, messageOf, type Survey, type UnknownMember } from "./survey.ts";

/** Throws MANIFEST_SCHEMA for the first unknown member that looks like an access rule. */
export function refuseUnknownRules({ unknown }: Survey): void {
  if (unknown.length === 0) return;
  const [first, ...others] = unknown.filter(({ isRule }) => isRule);
  if (first !== undefined) throw ruleError(first, others.length);
}

function ruleError(member: UnknownMember, more: number): PlannerError {
  const { hint, suggestions } = adviceOn(member);
  const others = more === 0 ? "" : `; and ${more} more`;
  return new PlannerError("MANIFEST_SCHEMA", `${messageOf(member)}${others}`, { hint, suggestions });
}

export interface Remark {
  /** The first object that it is about. */
  readonly object: string;
  readonly error: PlannerError;
}

/** One error per remark, for callers that want them all. */
export function remarkErrors(survey: Survey, typeNames: TypeNames): readonly Remark[] {
  const members = survey.unknown.map((member) => ({ object: member.object, error: ruleError(member, 0) }));
  const types = misspelt(survey, typeNames).map(({ object, message, near }) => {
    const details = { hint: didYouMean(near), suggestions: near };
    return { object, error: new PlannerError("MANIFEST_SCHEMA", message, details) };
  });
  return [...members, ...types];
}

/** So many are described; the rest is counted. */
const MOST_DESCRIBED = 20;

/** Unknown members first, then types. */
export function remarksOn(survey: Survey, typeNames: TypeNames): readonly PlannerWarning[] {
  const members = survey.unknown.map((member): (() => PlannerWarning) => () => ({
    code: "UNKNOWN_MEMBER",
    message: messageOf(member),
    hint: adviceOn(member).hint,
  }));
  const types = misspelt(survey, typeNames).map(({ message, near }): (() => PlannerWarning) => () => ({
    code: "UNKNOWN_MEMBER",
    message,
    hint: didYouMean(near),
  }));
  const all = [...members, ...types];
  const described = all.slice(0, MOST_DESCRIBED).map((warning) => warning());
  const more = all.length - described.length;
  const rest: readonly PlannerWarning[] =
    more === 0 ? [] : [{ code: "UNKNOWN_MEMBER", message: `the manifest has ${more} more unknown members and types` }];
  const unseen: readonly PlannerWarning[] = survey.moreTypes
    ? [{ code: "UNKNOWN_MEMBER", message: `the manifest has too many different types: not all were looked at` }]
    : [];
  return [...described, ...rest, ...unseen];
}

const didYouMean = (names: readonly string[]): string =>
  `Did you mean ${names.map((name) => `"${name}"`).join(" or ")}?`;

interface Misspelt {
  readonly object: string;
  readonly message: string;
  readonly near: readonly string[];
}

function misspelt({ types }: Survey, typeNames: TypeNames): readonly Misspelt[] {
  return types.flatMap(({ text, object }) => {
    const slip = typeSlip(text, typeNames);
    return slip === undefined
      ? []
      : [{ object, message: `${object}: the type "${slip.name}" is not known`, near: slip.near }];
  });
}
