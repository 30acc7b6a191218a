/** Detects native SQL (docs/decisions/0023-native-sql.md) whose value may change between calls, from its words alone. */

/**
 * Functions of time, randomness, sequences and the session, as sources name them. PostgreSQL also reads some inside
 * strings (`'now'`).
 */
const WORDS = [
  "now today tomorrow yesterday current_date current_time current_timestamp current_user session_user localtime",
  "localtimestamp curdate curtime getdate getutcdate sysdate sysdatetime sysdatetimeoffset systimestamp systime",
  "utc_date utc_time utc_timestamp clock_timestamp statement_timestamp transaction_timestamp timeofday",
  "get_current_time get_current_timestamp random gen_random_uuid uuid_generate_v4 generate_uuid newid newsequentialid",
  "nextval currval lastval setseed tablesample pg_backend_pid txid_current current_setting",
]
  .join(" ")
  .replaceAll(" ", "|");

/**
 * Names that are columns or types as often as functions: they count only when called. `age` with one argument reads the
 * current time.
 */
const CALLED = "rand|uuid|uuidv4|uuidv7|unix_timestamp|age|user|today|sample";

const OF_THE_MOMENT = new RegExp(`\\b(?:${WORDS})\\b|\\b(?:${CALLED})\\s*\\(`, "i");

/** May return true for a stable text: a word inside a string or used as a name counts as well. */
export function mayDependOnTime(text: string): boolean {
  return OF_THE_MOMENT.test(text);
}
