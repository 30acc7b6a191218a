/**
 * The settings a statement runs under. They are set for the session in one statement and read back: what a server or
 * something in between does not take is refused, never ignored.
 */
import type { SessionSetting } from "../../planner/plan.ts";
import { ConnectorFailure } from "../failure.ts";
import type { MySqlVariant } from "./variant.ts";
import { WARNINGS } from "./warnings.ts";

export interface SessionTexts {
  /** `SET …`, of all of them. */
  readonly set: string;
  /** `SELECT …`, of the same in the same order, behind the number of the connection and what else is asked. */
  readonly readBack: string;
  readonly settings: readonly SessionSetting[];
}

/** What the readers of values and the meaning of SQL rely on, whatever server and user are set to. */
const FIXED: readonly SessionSetting[] = [
  { name: "time_zone", value: "+00:00" },
  // Without PAD_CHAR_TO_FULL_LENGTH, ANSI_QUOTES and their like, which change values and what a text means.
  { name: "sql_mode", value: "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION" },
  { name: "sql_select_limit", value: "18446744073709551615" },
  // `x IS NULL` would find the row that was inserted last.
  { name: "sql_auto_is_null", value: "0" },
  // Names of months and days.
  { name: "lc_time_names", value: "en_US" },
  { name: "default_week_format", value: "0" },
];

const OF_PRODUCT: Readonly<Record<MySqlVariant["product"], readonly SessionSetting[]>> = {
  // Series are made by recursion; a thousand rows are the default.
  mysql: [{ name: "cte_max_recursion_depth", value: "1000000" }],
  mariadb: [
    // Behind the last step it ends without an error, with the rows that there are: the statement's time is the limit.
    { name: "max_recursive_iterations", value: "4294967295" },
    // Warnings that are kept, since some are errors to us: MySQL's default, which not everybody may set there.
    { name: "max_error_count", value: String(WARNINGS.kept) },
    // It keeps answers of subqueries by the values that they were asked with, folded: 'y' has that of 'Y' (seen on 10.11).
    { name: "optimizer_switch", value: "subquery_cache=off" },
  ],
};

/** Literals are compared by code points, and not by whatever the server thinks right. */
const TEXTS: readonly SessionSetting[] = [
  { name: "character_set_client", value: "utf8mb4" },
  { name: "character_set_results", value: "utf8mb4" },
  { name: "collation_connection", value: "utf8mb4_bin" },
];

/** A plan that names these is not heard: what texts are sent in, that nothing is written, and how long it may take. */
const OURS: ReadonlySet<string> = new Set([
  "character_set_client",
  "character_set_results",
  "autocommit",
  "transaction_read_only",
  "tx_read_only",
  "max_execution_time",
  "max_statement_time",
  "net_write_timeout",
]);

/** A slow reader holds the server's writes back; its own patience for that is a minute. */
const SHORTEST_WRITE_SECONDS = 60;

/** Later settings win: the fixed ones, then those the plan's meaning depends on, then ours. */
export function appliedSettings(
  ofPlan: readonly SessionSetting[],
  { product, version }: MySqlVariant,
  timeoutMs: number,
): SessionTexts {
  const milliseconds = Math.max(1, Math.ceil(timeoutMs));
  const writing = Math.max(SHORTEST_WRITE_SECONDS, Math.ceil(milliseconds / 1000) + 1);
  const heard = ofPlan.filter(({ name }) => !OURS.has(name.toLowerCase()));
  const limits: readonly SessionSetting[] = [
    { name: "autocommit", value: "1" },
    { name: readOnlyName(product, version), value: "1" },
    // MySQL's is for SELECT alone, and counts milliseconds.
    product === "mariadb"
      ? { name: "max_statement_time", value: (milliseconds / 1000).toFixed(3) }
      : { name: "max_execution_time", value: String(milliseconds) },
    { name: "net_write_timeout", value: String(writing) },
  ];
  return textsOf([...TEXTS, ...FIXED, ...OF_PRODUCT[product], ...heard, ...limits]);
}

/** MariaDB has MySQL's name for it since 11.1, where its own is deprecated. */
function readOnlyName(product: MySqlVariant["product"], [major, minor]: MySqlVariant["version"]): string {
  const isOwn = product === "mariadb" && (major < 11 || (major === 11 && minor < 1));
  return isOwn ? "tx_read_only" : "transaction_read_only";
}

/**
 * For PlanetScale's servers over HTTP, which speak UTF-8 and know the fewer variables of Vitess: what the readers of values
 * and the plan's meaning need.
 */
export function settingsOverHttp(ofPlan: readonly SessionSetting[], timeoutMs: number): SessionTexts {
  const heard = ofPlan.filter(({ name }) => !OURS.has(name.toLowerCase()));
  const limit = { name: "max_execution_time", value: String(Math.max(1, Math.ceil(timeoutMs))) };
  const fixed = FIXED.filter(({ name }) => name === "time_zone" || name === "sql_mode");
  return textsOf([...fixed, ...heard, limit]);
}

/** Of settings of one name the last wins; `besides` are variables that are told and not set. */
export function textsOf(wanted: readonly SessionSetting[], besides: readonly string[] = []): SessionTexts {
  const byName = new Map(wanted.map((setting) => [setting.name.toLowerCase(), setting]));
  const settings = [...byName.values()];
  return {
    set: `SET ${settings.map(({ name, value }) => `${variable(name)} = ${literal(value)}`).join(", ")}`,
    readBack: `SELECT ${["CONNECTION_ID()", ...besides, ...settings.map(({ name }) => variable(name))].join(", ")}`,
    settings,
  };
}

/** `row` is what came for `readBack`, where nothing besides was asked. */
export const checkApplied = ({ settings }: SessionTexts, row: readonly (string | null)[]): void =>
  checkTold(settings, row.slice(1));

/** `row` is what came for `readBack`, from its first setting on. Fails with `SOURCE_ERROR`, naming the first that is not as it was set. */
export function checkTold(settings: readonly SessionSetting[], row: readonly (string | null)[]): void {
  const odd = settings.find(({ value }, index) => !isSame(value, row[index] ?? ""));
  if (odd !== undefined) {
    throw new ConnectorFailure("SOURCE_ERROR", `The server, or a proxy before it, does not take ${odd.name}.`, {
      hint: "Let sessions set their variables; statements would mean something else without.",
    });
  }
}

/** Numbers are compared as such; of a set, like `sql_mode`, which is told in an order of its own, every part must be there. */
function isSame(asked: string, told: string): boolean {
  const [left, right] = [asked.toLowerCase(), told.toLowerCase()];
  if (left === right) return true;
  if (left !== "" && right !== "" && Number(left) === Number(right)) return true;
  if (left === "1") return right === "on" || right === "true";
  if (left === "0") return right === "off" || right === "false";
  const parts = new Set(right.split(","));
  return left.split(",").every((part) => parts.has(part.trim()));
}

function variable(name: string): string {
  if (!/^[a-z][a-z0-9_]{0,63}$/i.test(name)) throw new ConnectorFailure("SOURCE_ERROR", "A setting has no such name.");
  return `@@SESSION.${name.toLowerCase()}`;
}

/** Numbers must not be quoted, and what stands in quotes must mean the same by every rule of quoting. */
function literal(value: string): string {
  if (/^-?\d{1,20}(\.\d{1,9})?$/.test(value)) return value;
  if (!/^[\w ,.:+/=-]*$/.test(value)) throw new ConnectorFailure("SOURCE_ERROR", "A setting has no such value.");
  return `'${value}'`;
}
