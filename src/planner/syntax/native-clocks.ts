/** Whether a modeller's own text (decisions P14), of which we know the words alone, may be another value at another time. */

/** Clock, chance, sequences and the session, as the sources spell them; PostgreSQL reads two of them inside of strings, too. */
const WORDS = [
  "now today tomorrow yesterday current_date current_time current_timestamp current_user session_user localtime",
  "localtimestamp curdate curtime getdate getutcdate sysdate sysdatetime sysdatetimeoffset systimestamp systime",
  "utc_date utc_time utc_timestamp clock_timestamp statement_timestamp transaction_timestamp timeofday",
  "get_current_time get_current_timestamp random gen_random_uuid uuid_generate_v4 generate_uuid newid newsequentialid",
  "nextval currval lastval setseed tablesample pg_backend_pid txid_current current_setting",
]
  .join(" ")
  .replaceAll(" ", "|");

/** Names that are columns or types as often as functions: only where they are called. `age` of one argument reads the clock. */
const CALLED = "rand|uuid|uuidv4|uuidv7|unix_timestamp|age|user|today|sample";

const OF_THE_MOMENT = new RegExp(`\\b(?:${WORDS})\\b|\\b(?:${CALLED})\\s*\\(`, "i");

/** Says yes rather too often: a text that holds one of the words in a string or as a name counts as well. */
export function mayDependOnMoment(text: string): boolean {
  return OF_THE_MOMENT.test(text);
}
