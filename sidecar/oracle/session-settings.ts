/**
 * Session settings for statements, whatever the defaults of database and user: set for the session, and read back.
 * https://docs.oracle.com/en/database/oracle/oracle-database/19/nlspg/setting-up-globalization-support-environment.html
 */
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { isOfCaller } from "../../src/connectors/session-properties.ts";
import type { SessionSetting } from "../../src/planner/plan.ts";

/** These settings also set other ones, so they come first. */
const SETTING_OTHERS: ReadonlySet<string> = new Set(["NLS_LANGUAGE", "NLS_TERRITORY"]);

const FIXED: readonly SessionSetting[] = [
  // Names of days and months, texts of errors.
  { name: "NLS_LANGUAGE", value: "AMERICAN" },
  { name: "NLS_TERRITORY", value: "AMERICA" },
  { name: "NLS_DATE_LANGUAGE", value: "AMERICAN" },
  { name: "NLS_CALENDAR", value: "GREGORIAN" },
  { name: "NLS_NUMERIC_CHARACTERS", value: ".," },
  // Texts are compared by code points.
  { name: "NLS_SORT", value: "BINARY" },
  { name: "NLS_COMP", value: "BINARY" },
  // A character that has no counterpart is an error.
  { name: "NLS_NCHAR_CONV_EXCP", value: "TRUE" },
  { name: "NLS_DATE_FORMAT", value: "YYYY-MM-DD HH24:MI:SS" },
  { name: "NLS_TIMESTAMP_FORMAT", value: "YYYY-MM-DD HH24:MI:SS.FF9" },
  { name: "NLS_TIMESTAMP_TZ_FORMAT", value: "YYYY-MM-DD HH24:MI:SS.FF9 TZH:TZM" },
  { name: "TIME_ZONE", value: "+00:00" },
];

export interface AppliedSettings {
  /** Sets all of them. */
  readonly block: string;
  readonly settings: readonly SessionSetting[];
  /** The client identifier: a value of the caller's session. */
  readonly identifier: string | undefined;
  /** Returns names and values. */
  readonly readBack: string;
}

/** Names and values. */
const READ_BACK =
  "SELECT parameter, value FROM nls_session_parameters UNION ALL SELECT 'TIME_ZONE', SESSIONTIMEZONE FROM dual";

const WITH_IDENTIFIER = `${READ_BACK} UNION ALL SELECT 'CLIENT_IDENTIFIER', SYS_CONTEXT('USERENV', 'CLIENT_IDENTIFIER') FROM dual`;

/** Maximum rows of `READ_BACK`; servers return about twenty. */
export const MOST_SETTINGS = 100;

/** Settings of the plan win over the fixed ones. Fails with `SOURCE_ERROR` for one that could not be read back. */
export function appliedSettings(ofPlan: readonly SessionSetting[]): AppliedSettings {
  const identifier = ofPlan.find(isOfCaller)?.value;
  const others = ofPlan.filter((setting) => !isOfCaller(setting));
  const byName = new Map([...FIXED, ...others].map(({ name, value }) => [name.toUpperCase(), value]));
  const settings = [...byName].map(([name, value]) => ({ name, value }));
  if (
    settings.some(
      ({ name, value }) => !/^(?:NLS_\w{1,40}|TIME_ZONE)$/.test(name) || !/^[\w .,:;/+-]{1,64}$/.test(value),
    )
  ) {
    throw new ConnectorFailure("SOURCE_ERROR", "The server has no such session setting.");
  }
  const first = settings.filter(({ name }) => SETTING_OTHERS.has(name));
  const then = settings.filter(({ name }) => !SETTING_OTHERS.has(name));
  const identified = identifier === undefined ? "" : `${identification(identifier)} `;
  return {
    block: `BEGIN ${alteration(first)} ${alteration(then)} ${identified}END;`,
    settings,
    identifier,
    readBack: identifier === undefined ? READ_BACK : WITH_IDENTIFIER,
  };
}

/** Longest client identifier in bytes: https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_SESSION.html */
const LONGEST_IDENTIFIER = 64;

function identification(value: string): string {
  if (new TextEncoder().encode(value).length > LONGEST_IDENTIFIER) {
    throw new ConnectorFailure("SOURCE_ERROR", "A client identifier has at most 64 bytes.");
  }
  return `DBMS_SESSION.SET_IDENTIFIER('${value.replaceAll("'", "''")}');`;
}

function alteration(settings: readonly SessionSetting[]): string {
  const parts = settings.map(({ name, value }) => `${name} = ''${value}''`);
  return `EXECUTE IMMEDIATE 'ALTER SESSION SET ${parts.join(" ")}';`;
}

/** `rows` are what came for `READ_BACK`. Fails with `SOURCE_ERROR`, naming the first setting that is not as it was set. */
export function checkApplied({ settings, identifier }: AppliedSettings, rows: readonly (readonly unknown[])[]): void {
  const told = new Map(rows.map(([name, value]) => [name, value]));
  const asked = identifier === undefined ? settings : [...settings, { name: "CLIENT_IDENTIFIER", value: identifier }];
  const odd = asked.find(({ name, value }) => told.get(name) !== value);
  if (odd === undefined) return;
  throw new ConnectorFailure("SOURCE_ERROR", `The server does not take ${odd.name}.`, {
    hint: "Let sessions set their parameters; statements would mean something else without.",
  });
}
