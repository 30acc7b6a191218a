/**
 * Words in messages of drivers and servers. A secret that equals one of them is not masked in a message: the mask would garble
 * the message, and its other words would reveal the secret.
 */
const WORDS = `
  access account accounts address administrator admin allowed already ambiguous analyst application argument arguments attempt attempts
  authenticated authentication authorization authorized aborted available backend bearer begin binary binding block blocked broken bucket
  buffer cancel canceled cancelled canceling cannot catalog certificate changed channel character characters check client close closed
  cluster code column columns command compression config configuration configured connect connected connecting connection
  connectioninfo connections contains content corrupt could create credential credentials data database databases date db2 decimal default
  denied described detail details development dialect different disabled disconnected division does domain driver duplicate empty enabled
  encoding encrypted encryption endpoint engine error errors exceeded exception execute executed execution exist exists expected expired
  expression external failed failure fatal field file files find first float format found function gateway given grant granted group
  guest handshake header headers hint host hostname identified identifier ignored illegal incorrect index input instance integer
  internal invalid issued issuer json keyspace keyword kerberos language length license limit limits listener literal local localhost
  locked login lookup maintenance manager mariadb master maximum member members memory message method minio missing modified
  mssql must mysql name named names network node nodes null number object objects operation operator oracle order orders output overflow
  owner packet parameter parameters parse parser passphrase password path permission permissions pipeline please port postgres postgresql
  prepared private privilege privileges process production project protocol provided public query querying range read reading reason
  received record redshift reference refused region relation remote replica request requested requests required reset resource
  response retry role roles root rows running sample schema schemas scope secret secure security select server service session setting
  settings shutdown sidecar signature snowflake socket source spark specified staging started starting state statement statements status
  store stored string subject support supported syntax system table tables template tenant terminated test testing text thread time
  timed timeout timestamp token trino trusted type types undefined unexpected unknown unreachable unrecognized unsupported until update
  user username users using valid value values verify version view wallet warehouse welcome while without workspace write writing zone
`;

let known: ReadonlySet<string> | undefined;

/** Whether a driver's message may contain `text` by chance: a word of such messages, or a short text. */
export function isMessageWord(text: string): boolean {
  if (/^(?:\p{L}{1,5}|\d{1,5})$/u.test(text)) return true;
  known ??= new Set(WORDS.split(/\s+/).filter((word) => word !== ""));
  return known.has(text.toLowerCase());
}
