/**
 * The settings that a statement on Doris runs under: set in one statement, and read back with the version of the server
 * (https://doris.apache.org/docs/dev/sql-manual/basic-element/variables).
 */
import type { SessionSetting } from "../../planner/plan.ts";
import { checkTold, textsOf } from "../mysql/session-settings.ts";
import type { AppliedSettings } from "../socket/mysql-session.ts";
import { checkVersion } from "./version.ts";

/** What the readers of values and the meaning of SQL rely on, whatever cluster and user are set to. */
const FIXED: readonly SessionSetting[] = [
  { name: "time_zone", value: "+00:00" },
  // Without PIPES_AS_CONCAT, NO_BACKSLASH_ESCAPES and their like, which change what a text means.
  { name: "sql_mode", value: "ONLY_FULL_GROUP_BY" },
  // Texts of another product would be translated by a service of its own before they are read.
  { name: "sql_dialect", value: "doris" },
  { name: "sql_select_limit", value: "9223372036854775807" },
  // Sorted rows would be cut without a word.
  { name: "default_order_by_limit", value: "-1" },
  // So would be rows whose replica is lost.
  { name: "skip_missing_version", value: "0" },
  { name: "skip_bad_tablet", value: "0" },
  // Sketches and bitmaps have no text: NULL instead of bytes that nobody reads.
  { name: "return_object_data_as_binary", value: "0" },
];

/** How long a statement may take is not for a plan to say. */
const OURS = "query_timeout";

const VERSION = "@@version_comment";

/** Later settings win: the fixed ones, then those the plan's meaning depends on, then the limit, of whole seconds. */
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
      checkTold(settings, told.map(named));
    },
  };
}

/** A mode may be told by its number, as it is kept. */
const MODES: Readonly<Record<string, string>> = { "32": "ONLY_FULL_GROUP_BY" };

function named(told: string | null, index: number): string | null {
  return index === FIXED.findIndex(({ name }) => name === "sql_mode") ? (MODES[told ?? ""] ?? told) : told;
}
