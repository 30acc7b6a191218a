/**
 * Settings for statements on Redshift. Redshift derives from PostgreSQL 8.0 and rejects settings that it does not know, so only
 * documented ones are sent (https://docs.aws.amazon.com/redshift/latest/dg/cm_chap_ConfigurationRef.html), by SET_CONFIG, until
 * the transaction ends (https://docs.aws.amazon.com/redshift/latest/dg/r_SET_CONFIG.html).
 */
import type { SessionSetting } from "../../planner/plan.ts";
import { type SettingsFor, settingsCall, timeoutSetting } from "../postgres/session.ts";

/** Settings that value readers and the meaning of SQL rely on, whatever the defaults of cluster, database and user are. */
const FIXED: readonly SessionSetting[] = [
  { name: "timezone", value: "UTC" },
  { name: "datestyle", value: "ISO, MDY" },
  // The maximum: all digits of a double, and eight of the nine that a real may need.
  { name: "extra_float_digits", value: "2" },
];

/** A plan can change neither the permissions nor the read-only mode. */
const NOT_OF_PLANS: ReadonlySet<string> = new Set(["session_authorization", "readonly", "transaction_read_only"]);

/**
 * Redshift has no setting that makes a running transaction read-only, so the transaction begins as read-only
 * (https://docs.aws.amazon.com/redshift/latest/dg/r_BEGIN.html).
 */
const BEGIN = "BEGIN READ ONLY";

/** Ends the transaction of every statement, and with it settings, temporary tables and locks. */
export const AFTERWARDS = "ROLLBACK";

export const redshiftSettings: SettingsFor = (ofConnection, ofPlan, timeoutMs) => {
  const heard = ofPlan.filter(({ name }) => !NOT_OF_PLANS.has(name.toLowerCase()));
  return { begin: BEGIN, ...settingsCall([timeoutSetting(timeoutMs), ...ofConnection, ...FIXED, ...heard], []) };
};
