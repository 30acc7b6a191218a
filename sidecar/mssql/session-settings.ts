/**
 * Session settings for statements, whatever the defaults of server, database and login: set in one batch and read back
 * in the same. https://learn.microsoft.com/en-us/sql/t-sql/statements/set-statements-transact-sql
 */
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { isOfCaller } from "../../src/connectors/session-properties.ts";
import type { SessionSetting } from "../../src/planner/plan.ts";
import type { Row } from "../../src/result/types.ts";

/** Bits of @@OPTIONS: https://learn.microsoft.com/en-us/sql/database-engine/configure-windows/configure-the-user-options-server-configuration-option */
const SWITCHES: Readonly<Record<string, number>> = {
  IMPLICIT_TRANSACTIONS: 2,
  ANSI_WARNINGS: 8,
  ANSI_PADDING: 16,
  ANSI_NULLS: 32,
  ARITHABORT: 64,
  ARITHIGNORE: 128,
  QUOTED_IDENTIFIER: 256,
  CONCAT_NULL_YIELDS_NULL: 4096,
  NUMERIC_ROUNDABORT: 8192,
};

const LONGEST_TEXT = "2147483647";

const FIXED: readonly SessionSetting[] = [
  // Names of months and days, texts of errors; it sets the first day of a week, which follows.
  { name: "LANGUAGE", value: "us_english" },
  { name: "DATEFIRST", value: "1" },
  { name: "TEXTSIZE", value: LONGEST_TEXT },
  { name: "LOCK_TIMEOUT", value: "-1" },
  { name: "IMPLICIT_TRANSACTIONS", value: "OFF" },
  // Nothing is cut, divided by zero or out of range without an error.
  { name: "ANSI_WARNINGS", value: "ON" },
  { name: "ANSI_PADDING", value: "ON" },
  { name: "ANSI_NULLS", value: "ON" },
  { name: "ARITHABORT", value: "ON" },
  { name: "ARITHIGNORE", value: "OFF" },
  { name: "QUOTED_IDENTIFIER", value: "ON" },
  { name: "CONCAT_NULL_YIELDS_NULL", value: "ON" },
  { name: "NUMERIC_ROUNDABORT", value: "OFF" },
];

/** Expressions that read back settings other than switches. */
const ASKED: Readonly<Record<string, string>> = {
  LANGUAGE: "@@LANGUAGE",
  DATEFIRST: "@@DATEFIRST",
  TEXTSIZE: "@@TEXTSIZE",
  LOCK_TIMEOUT: "@@LOCK_TIMEOUT",
};

const ASKED_NAMES = Object.keys(ASKED);

/** Without anybody's asking: they cannot be read back, and every server has them. */
const UNASKED = "SET ROWCOUNT 0; SET TRANSACTION ISOLATION LEVEL READ COMMITTED;";

/** Server facts, which are read with the settings. */
const OF_SERVER = [
  "CAST(SERVERPROPERTY('EngineEdition') AS INT)",
  "CAST(SERVERPROPERTY('ProductMajorVersion') AS NVARCHAR(16))",
  "(SELECT CAST(compatibility_level AS INT) FROM sys.databases WHERE database_id = DB_ID())",
];

export interface AppliedSettings {
  /** Sets all of them and answers with one row. */
  readonly batch: string;
  readonly settings: readonly SessionSetting[];
  /** Keys of SESSION_CONTEXT with values of the caller's session. */
  readonly ofCaller: readonly SessionSetting[];
}

/** Settings of the plan win over the fixed ones. Fails with `SOURCE_ERROR` for one that could not be read back. */
export function appliedSettings(ofPlan: readonly SessionSetting[]): AppliedSettings {
  const ofCaller = ofPlan.filter(isOfCaller);
  const others = ofPlan.filter((setting) => !isOfCaller(setting));
  const byName = new Map([...FIXED, ...others].map(({ name, value }) => [name.toUpperCase(), value]));
  const settings = [...byName].map(([name, value]) => ({ name, value }));
  const statements = settings.map(({ name, value }) => {
    const isKnown = Object.hasOwn(SWITCHES, name) || Object.hasOwn(ASKED, name);
    if (!isKnown || !/^(?:-?\d{1,10}|\w{1,64})$/.test(value)) {
      throw new ConnectorFailure("SOURCE_ERROR", "The server has no such session setting.");
    }
    return `SET ${name} ${value};`;
  });
  const contexts = ofCaller.map(({ name, value }) => contextStatement(name, value));
  const readBack = ofCaller.map(({ name }) => `CAST(SESSION_CONTEXT(N'${name}') AS NVARCHAR(4000))`);
  const columns = ["@@OPTIONS", ...Object.values(ASKED), ...OF_SERVER, ...readBack];
  const batch = [...statements, UNASKED, ...contexts, `SELECT ${columns.join(", ")};`].join(" ");
  return { batch, settings, ofCaller };
}

/** Longest value of SESSION_CONTEXT, in UTF-16 code units: 8,000 bytes. */
const LONGEST_CONTEXT = 4000;

/**
 * Sets a key that nothing can change until the session is reset. A key that is set already is left as it is, and read back.
 * https://learn.microsoft.com/en-us/sql/relational-databases/system-stored-procedures/sp-set-session-context-transact-sql
 */
function contextStatement(name: string, value: string): string {
  if (!/^[a-z_]\w{0,127}$/i.test(name) || value.length > LONGEST_CONTEXT) {
    throw new ConnectorFailure("SOURCE_ERROR", "SESSION_CONTEXT has no such key, or no room for its value.");
  }
  const text = `N'${value.replaceAll("'", "''")}'`;
  return `IF SESSION_CONTEXT(N'${name}') IS NULL EXEC sys.sp_set_session_context @key = N'${name}', @value = ${text}, @read_only = 1;`;
}

/** Edition and version that a server reports. */
export interface ServerFacts {
  readonly edition: number;
  readonly major: number;
  readonly compatibility: number;
}

/** `row` is what came for the batch. Fails with `SOURCE_ERROR`, naming the first setting that is not as it was set. */
export function checkApplied({ settings, ofCaller }: AppliedSettings, row: Row): ServerFacts {
  const options = Number(row[0]);
  const odd = settings.find(({ name, value }) => {
    const bit = SWITCHES[name];
    if (bit !== undefined) return ((options & bit) !== 0) !== (value.toUpperCase() === "ON");
    return String(row[1 + ASKED_NAMES.indexOf(name)]).toLowerCase() !== value.toLowerCase();
  });
  if (odd !== undefined) {
    throw new ConnectorFailure("SOURCE_ERROR", `The server, or a proxy before it, does not take ${odd.name}.`, {
      hint: "Let sessions set their options; statements would mean something else without.",
    });
  }
  const facts = row.slice(1 + ASKED_NAMES.length);
  const context = ofCaller.find(({ value }, index) => facts[OF_SERVER.length + index] !== value);
  if (context !== undefined) {
    throw new ConnectorFailure("SOURCE_ERROR", `SESSION_CONTEXT has another value of ${context.name}.`, {
      hint: "A proxy may share sessions between callers, which row policies by SESSION_CONTEXT do not allow.",
    });
  }
  const [edition, major, compatibility] = facts.slice(0, OF_SERVER.length).map(Number);
  return { edition: edition ?? 0, major: major ?? 0, compatibility: compatibility ?? 0 };
}
