/**
 * The settings of a statement on Doris: set in one statement, and read back together with the server's version
 * (https://doris.apache.org/docs/dev/sql-manual/basic-element/variables).
 */
import type { SessionSetting } from "../../planner/plan.ts";
import { checkReported, textsOf } from "../mysql/session-settings.ts";
import type { AppliedSettings } from "../socket/mysql-session.ts";
import { checkVersion } from "./version.ts";

/** Settings that value readers and the meaning of SQL rely on, whatever the defaults of cluster and user are. */
const FIXED: readonly SessionSetting[] = [
  { name: "time_zone", value: "+00:00" },
  // Without PIPES_AS_CONCAT, NO_BACKSLASH_ESCAPES and similar modes, which change the meaning of texts.
  { name: "sql_mode", value: "ONLY_FULL_GROUP_BY" },
  // With another dialect, Doris would translate statements by a separate service first.
  { name: "sql_dialect", value: "doris" },
  { name: "sql_select_limit", value: "9223372036854775807" },
  // Otherwise Doris silently truncates sorted rows.
  { name: "default_order_by_limit", value: "-1" },
  // Otherwise Doris silently omits rows whose replica is lost.
  { name: "skip_missing_version", value: "0" },
  { name: "skip_bad_tablet", value: "0" },
  // Sketches and bitmaps have no text form: returns NULL instead of bytes that no reader uses.
  { name: "return_object_data_as_binary", value: "0" },
];

/** A plan cannot change the time limit of statements. */
const OURS = "query_timeout";

const VERSION = "@@version_comment";

/** Later settings win: the fixed ones, then those that the plan's meaning depends on, then the time limit in whole seconds. */
export function dorisSettings(ofPlan: readonly SessionSetting[], timeoutMs: number): AppliedSettings {
  const heard = ofPlan.filter(({ name }) => name.toLowerCase() !== OURS);
  const limit = { name: OURS, value: String(Math.max(1, Math.ceil(timeoutMs / 1000))) };
  const { set, readBack, settings } = textsOf([...FIXED, ...heard, limit], [VERSION]);
  return {
    set,
    readBack,
    columns: settings.length + 2,
    check: ([, version, ...told]) => {
      checkVersion(version ?? "");
      checkReported(settings, told.map(named));
    },
  };
}

/** Doris may return a mode as its internal number. */
const MODES: Readonly<Record<string, string>> = { "32": "ONLY_FULL_GROUP_BY" };

function named(told: string | null, index: number): string | null {
  return index === FIXED.findIndex(({ name }) => name === "sql_mode") ? (MODES[told ?? ""] ?? told) : told;
}
