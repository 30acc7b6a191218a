/**
 * What statements on Redshift are sent with. It is a descendant of PostgreSQL 8.0: a setting that it does not know is an
 * error, so only those are sent that are documented
 * (https://docs.aws.amazon.com/redshift/latest/dg/cm_chap_ConfigurationRef.html), by SET_CONFIG, until the transaction ends
 * (https://docs.aws.amazon.com/redshift/latest/dg/r_SET_CONFIG.html).
 */
import type { SessionSetting } from "../../planner/plan.ts";
import { type SettingsFor, settingsCall, timeoutSetting } from "../postgres/session.ts";

/** What the readers of values and the meaning of SQL rely on, whatever cluster, database and user are set to. */
const FIXED: readonly SessionSetting[] = [
  { name: "timezone", value: "UTC" },
  { name: "datestyle", value: "ISO, MDY" },
  // The most there is: all digits of a double, and eight of the nine that a real may need.
  { name: "extra_float_digits", value: "2" },
];

/** Whose rights hold, and that nothing is written, is not for a plan to say. */
const NOT_OF_PLANS: ReadonlySet<string> = new Set(["session_authorization", "readonly", "transaction_read_only"]);

/**
 * There is no setting that forbids writing for a transaction which has begun: the transaction begins so
 * (https://docs.aws.amazon.com/redshift/latest/dg/r_BEGIN.html).
 */
const BEGIN = "BEGIN READ ONLY";

/** The end of every statement's transaction: settings, temporary tables and locks end with it. */
export const AFTERWARDS = "ROLLBACK";

export const redshiftSettings: SettingsFor = (ofConnection, ofPlan, timeoutMs) => {
  const heard = ofPlan.filter(({ name }) => !NOT_OF_PLANS.has(name.toLowerCase()));
  return { begin: BEGIN, ...settingsCall([timeoutSetting(timeoutMs), ...ofConnection, ...FIXED, ...heard], []) };
};
