/**
 * The settings of a statement, for its transaction only, sent together with the statement. The server keeps nothing of them, so
 * they also work behind a pooler that gives every transaction another connection.
 */
import type { SessionSetting } from "../../planner/plan.ts";
import type { ValueContext } from "./types.ts";

/** Settings that value readers and the meaning of SQL rely on, whatever the defaults of server, database and role are. */
const FIXED: readonly SessionSetting[] = [
  { name: "TimeZone", value: "UTC" },
  { name: "DateStyle", value: "ISO, MDY" },
  { name: "IntervalStyle", value: "postgres" },
  { name: "bytea_output", value: "hex" },
  // Shortest exact digits: any positive number from PostgreSQL 12 on, 3 before.
  { name: "extra_float_digits", value: "3" },
  { name: "standard_conforming_strings", value: "on" },
  { name: "transform_null_equals", value: "off" },
];

/** The service guarantees read-only statements: the sidecar receives plans from outside its process. */
const READ_ONLY: SessionSetting = { name: "transaction_read_only", value: "on" };

/** Only the connection decides about permissions: a plan cannot change these settings. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set(["role", "session_authorization", "row_security"]);

export interface SettingsStatement {
  /** Opens the transaction of the settings, if statement and settings are not one transaction by themselves. */
  readonly begin?: string;
  readonly sql: string;
  readonly values: readonly string[];
}

/** The settings of a statement, for one kind of server. */
export type SettingsFor = (
  ofConnection: readonly SessionSetting[],
  ofPlan: readonly SessionSetting[],
  timeoutMs: number,
) => SettingsStatement;

/**
 * Later settings win: the connection's own, then the fixed ones, then those that the plan's meaning depends on, and finally
 * read-only mode. The time-out is the service's unless the connection sets one (docs/spec/contract.md#parameters-and-headers).
 */
export const settingsStatement: SettingsFor = (ofConnection, ofPlan, timeoutMs) => {
  const heard = ofPlan.filter(({ name }) => !OF_THE_CONNECTION.has(name.toLowerCase()));
  return settingsCall([timeoutSetting(timeoutMs), ...ofConnection, ...FIXED, ...heard, READ_ONLY], [LOCALE]);
};

/** The locale that decides the format of `money`. */
const LOCALE = "pg_catalog.current_setting('lc_monetary')";

export function timeoutSetting(timeoutMs: number): SessionSetting {
  return { name: "statement_timeout", value: String(Math.max(1, Math.ceil(timeoutMs))) };
}

/** Applies each setting until the transaction ends, the last of each name, and returns `others` in the same row. */
export function settingsCall(given: readonly SessionSetting[], others: readonly string[]): SettingsStatement {
  const settings = new Map(given.map((setting) => [setting.name.toLowerCase(), setting]));
  const values: string[] = [];
  for (const { name, value } of settings.values()) values.push(name, value);
  return { sql: textFor(settings.size, others), values };
}

/** Keyed by the number of settings and the other values, which are the same for nearly all statements. */
const texts = new Map<string, string>();
/** Plans and connections with more settings are too rare to cache. */
const MOST_REMEMBERED = 64;

function textFor(count: number, others: readonly string[]): string {
  const key = `${count} ${others.join()}`;
  const known = texts.get(key);
  if (known !== undefined) return known;
  const calls = Array.from({ length: count }, (_, i) => `pg_catalog.set_config($${2 * i + 1}, $${2 * i + 2}, true)`);
  const text = `SELECT ${[...calls, ...others].join(", ")}`;
  if (count <= MOST_REMEMBERED) texts.set(key, text);
  return text;
}

/** From the only row of the settings statement. */
export function valueContext(row: readonly (string | null)[]): ValueContext {
  return { monetaryLocale: row.at(-1) ?? "" };
}

/**
 * Time limit of a statement on the server in milliseconds: the connection's own `statement_timeout` if it can be parsed,
 * otherwise `timeoutMs`. `undefined` for no limit.
 */
export function effectiveTimeout(ofConnection: readonly SessionSetting[], timeoutMs: number): number | undefined {
  const own = ofConnection.findLast(({ name }) => name === "statement_timeout")?.value.trim();
  const [, digits, unit = "ms"] = /^(\d+(?:\.\d+)?)\s*(us|ms|s|min|h|d)?$/.exec(own ?? "") ?? [];
  if (digits === undefined) return timeoutMs;
  const milliseconds = Number(digits) * (MILLISECONDS[unit] ?? 1);
  return milliseconds === 0 ? undefined : milliseconds;
}

const MILLISECONDS: Readonly<Record<string, number>> = {
  us: 0.001,
  ms: 1,
  s: 1000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
