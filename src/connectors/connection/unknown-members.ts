/**
 * Members of `connectionInfo` and options that a source does not have. Each is a warning with similar names
 * (docs/decisions/0029-nothing-unknown-is-silent.md). One that names TLS or certificates is an error, because the connection must
 * not be less safe than the caller requested.
 */
import type * as z from "zod/mini";
import type { PlannerWarning } from "../../planner/plan.ts";
import { isSlipOf, nearestNames, plainLetters } from "../../planner/suggest.ts";
import type { ConnectorFailure } from "../failure.ts";
import { checkShape, invalidConnection } from "./connection.ts";
import type { GivenOption } from "./server-fields.ts";
import { checkTlsContradictions } from "./tls-contradictions.ts";

export interface ReadMembers<T> {
  readonly given: T;
  /** Unknown members that name TLS or certificates, for the reader of options. */
  readonly tls: readonly GivenOption[];
  /** Warnings about all other unknown members. */
  readonly warnings: readonly PlannerWarning[];
}

type Shape<T> = z.ZodMiniType<T> & { readonly shape: Readonly<Record<string, unknown>> };

interface MemberRules {
  /** The fields of the source, which a URL overrides. */
  readonly overridden?: Shape<unknown>;
  /** The connection always uses TLS, so a value that requests TLS has no further effect. */
  readonly alwaysTls?: boolean;
}

/** Reads the members of `shape` and collects the unknown ones. Throws INVALID_CONNECTION. */
export function readMembers<T>(
  shape: Shape<T>,
  raw: unknown,
  { overridden, alwaysTls = false }: MemberRules = {},
): ReadMembers<T> {
  const given = checkShape(shape, raw);
  checkCounts(raw as Readonly<Record<string, unknown>>);
  const known = [...Object.keys(shape.shape), ...Object.keys(overridden?.shape ?? {})];
  const tls: GivenOption[] = [];
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(raw as Readonly<Record<string, unknown>>)) {
    // Clients send null for omitted members.
    if (known.includes(name) || value === undefined || value === null) continue;
    if (!namesTls(name) && (alwaysTls || !isValueOfTls(value))) unknown.push(name);
    else if (value !== "") tls.push({ member: memberOf(name), name, value: textOf(name, value) });
  }
  checkContradictions(tls);
  checkTlsContradictions(raw as Readonly<Record<string, unknown>>, namesTls);
  const unused = overridden === undefined ? [] : unusedMembers(raw, Object.keys(overridden.shape), shape.shape);
  return { given, tls, warnings: [...unknownMembers(unknown, known), ...unused] };
}

/** Warnings about fields beside a URL, which wins. A field that requests TLS is an error. */
function unusedMembers(
  raw: unknown,
  fields: readonly string[],
  taken: Readonly<Record<string, unknown>>,
): readonly PlannerWarning[] {
  const given = raw as Readonly<Record<string, unknown>>;
  return fields.flatMap((name): PlannerWarning[] => {
    const value = given[name];
    if (Object.hasOwn(taken, name) || value === undefined || value === null || value === "") return [];
    if (namesTls(name) || (typeof value === "string" && /^https:\/\/|tcps/i.test(value))) {
      throw invalidConnection(name, "asks for TLS, and the URL beside it decides", "Write it into the URL.");
    }
    return [notUsed(name, "a URL")];
  });
}

/** `winner`: the other given member that sets the same part, such as `a URL`. */
export function notUsed(name: string, winner: string): PlannerWarning {
  return {
    code: "UNKNOWN_OPTION",
    message: `connectionInfo.${name} is not used, because ${winner} is given`,
    hint: "Give one of them.",
  };
}

/** Maximum number of names: each is compared with the known ones, and a body has room for a million. */
const MOST_NAMES = 1000;

function checkCounts(raw: Readonly<Record<string, unknown>>): void {
  for (const [member, names] of [
    ["", raw] as const,
    ["kwargs", raw["kwargs"]] as const,
    ["settings", raw["settings"]] as const,
  ]) {
    if (typeof names !== "object" || names === null || Object.keys(names).length <= MOST_NAMES) continue;
    throw invalidConnection(member, `has more than ${MOST_NAMES} members`);
  }
}

/** Moves the URL to the member name of the schemas. */
export function withUrl(raw: unknown, member: string): unknown {
  const { [member]: connectionUrl, ...others } = raw as Readonly<Record<string, unknown>>;
  return { ...others, connectionUrl };
}

export function withWarnings<T extends { readonly warnings: readonly PlannerWarning[] }>(
  parsed: T,
  before: readonly PlannerWarning[],
): T {
  return before.length === 0 ? parsed : { ...parsed, warnings: [...before, ...parsed.warnings] };
}

/** `readMembers` for a source without TLS options: refuses every member that names TLS. */
export function readMembersWithoutTls<T>(
  shape: Shape<T>,
  raw: unknown,
  rules: MemberRules & { readonly hint?: string } = {},
): Omit<ReadMembers<T>, "tls"> {
  const { given, tls, warnings } = readMembers(shape, raw, { alwaysTls: true, ...rules });
  const [first] = tls;
  if (first !== undefined) throw tlsFailure(first.member, "it", rules.hint ?? "Leave it out.");
  return { given, warnings };
}

/** Maximum number of described names; the others are counted. */
const MOST_DESCRIBED = 10;

function unknownMembers(names: readonly string[], known: readonly string[]): readonly PlannerWarning[] {
  const warnings = names.slice(0, MOST_DESCRIBED).map((name) => {
    const message = isNameLike(name)
      ? `connectionInfo.${name} is no member of this connection`
      : "connectionInfo: one of its members is not known";
    return withNearNames(message, name, known);
  });
  const more = names.length - warnings.length;
  if (more === 0) return warnings;
  return [...warnings, { code: "UNKNOWN_OPTION", message: `connectionInfo: ${more} more members are not known` }];
}

function withNearNames(message: string, name: string, known: readonly string[]): PlannerWarning {
  const near = nearestNames(name, known);
  const hint = near.length === 0 ? undefined : `Did you mean ${near.join(" or ")}?`;
  return { code: "UNKNOWN_OPTION", message, ...(hint !== undefined && { hint }) };
}

export interface UnknownOption {
  /** The member of `connectionInfo` that holds it. */
  readonly member: string;
  /** In the caller's spelling. */
  readonly name: string;
  readonly value: string;
}

/** A warning for an unknown option. `tls` names the source's TLS options. Throws INVALID_CONNECTION. */
export function unknownOption(
  { member, name, value }: UnknownOption,
  known: readonly string[],
  tls: string,
  described: string = describedOption(name),
): PlannerWarning {
  if (demandsTls(name, value)) throw tlsFailure(member, described, tls);
  return withNearNames(`connectionInfo.${member}: ${described} is not honoured`, name, known);
}

/** `tls` by name, for a reader of options that accepts only the names in `taken`. Throws INVALID_CONNECTION for others. */
export function takenTls(
  tls: readonly GivenOption[],
  taken: readonly string[],
  hint: string,
): Readonly<Record<string, string>> {
  for (const { member, name } of tls) {
    if (!taken.some((each) => plainLetters(each) === plainLetters(name))) throw tlsFailure(member, "it", hint);
  }
  return Object.fromEntries(tls.map(({ name, value }) => [name, value]));
}

function tlsFailure(member: string, described: string, hint: string): ConnectorFailure {
  return invalidConnection(member, `${described} names TLS or certificates, and is not known`, hint);
}

/** Repeats a name only if it looks like one: a URL that was split in the wrong place may contain parts of a password. */
function describedOption(name: string): string {
  return isNameLike(name) ? `the option ${name}` : "one of its options";
}

function isNameLike(name: string): boolean {
  return /^[a-z][a-z0-9_-]{0,62}$/i.test(name);
}

/** The member's name for messages. */
function memberOf(name: string): string {
  return isNameLike(name) ? name : "";
}

const PARTS: readonly string[] = [
  ...["ssl", "tls", "cert", "encrypt", "x509", "cipher"],
  ...["verif", "securetransport", "secureconn", "rejectunauth", "checkhost", "hostnamecheck"],
];
const WHOLE: readonly string[] = [
  "verify",
  "secure",
  "usesecure",
  "https",
  "usehttps",
  "httpscheme",
  "truststore",
  "rootca",
];
const AUTHORITIES: ReadonlySet<string> = new Set([
  "ca",
  "cafile",
  "capath",
  "cabundle",
  "cadata",
  "capem",
  "cacrt",
  "serverca",
  "trustedca",
]);

/** Whether a name is about TLS or certificates, or a typing mistake away from one that is. */
export function namesTls(name: string): boolean {
  // GSSAPI is another protocol.
  const letters = plainLetters(name.slice(0, 100)).replaceAll("gss", "");
  if (AUTHORITIES.has(letters) || PARTS.some((part) => letters.includes(part))) return true;
  // MySQL's sql_mode is one letter away from sslmode.
  return letters !== "sqlmode" && ["sslmode", "sslrootcert", ...WHOLE].some((each) => isSlipOf(letters, each));
}

/** A value that requests TLS in any option: `protocol=https`, `mode=verify-full`. */
function isValueOfTls(value: unknown): boolean {
  return (
    typeof value === "string" &&
    /^(?:https|tcps|ssl|tls(?:v?1(?:[._]\d)?)?|verify[-_ ]?(?:full|ca|identity))$/i.test(value.trim())
  );
}

const NOTHING: ReadonlySet<string> = new Set(["", "false", "0", "no", "off", "none"]);
/** Refused with any value: they define the required safety or the trusted authority. */
const MODES: readonly string[] = ["sslmode", "sslca", "sslrootcert", "tlsmode"];

/** An option that is switched off requires nothing, and is reported like any other. */
function demandsTls(name: string, value: string): boolean {
  if (isValueOfTls(value)) return true;
  if (!namesTls(name)) return false;
  return !NOTHING.has(value.trim().toLowerCase()) || MODES.some((mode) => isSlipOf(name, mode));
}

/** Members that differ only in spelling must not have different values. */
function checkContradictions(options: readonly GivenOption[]): void {
  const byLetters = new Map<string, GivenOption>();
  for (const option of options) {
    const letters = plainLetters(option.name);
    const before = byLetters.get(letters);
    if (before !== undefined && before.value.trim().toLowerCase() !== option.value.trim().toLowerCase()) {
      throw invalidConnection(option.member, `has another value than ${before.member}, which means the same`);
    }
    byLetters.set(letters, option);
  }
}

function textOf(name: string, value: unknown): string {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return String(value);
  throw invalidConnection(memberOf(name), "has the wrong type");
}
