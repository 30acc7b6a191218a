/** Environment variables that look like settings but are not: they would be silently ignored. */
import { isSlipOf, plainLetters } from "../planner/suggest.ts";

/** Shorter names differ by one typing mistake from variables of other programs. */
const SHORTEST = 8;

/**
 * One sentence for each variable whose name has a prefix of our settings, or is a typing mistake away from one of `settings`.
 * Empty variables count as unset. Values are not repeated.
 */
export function strangersIn(
  environment: Readonly<Record<string, unknown>>,
  settings: readonly string[],
): readonly string[] {
  const known = new Set(settings);
  const prefixes = prefixesOf(settings);
  return Object.entries(environment).flatMap(([name, value]) => {
    if (typeof value !== "string" || value === "" || known.has(name) || isOfOrchestrator(name, value)) return [];
    const near = settings.filter((each) => plainLetters(each).length >= SHORTEST && isSlipOf(name, each));
    const isOurs = prefixes.some((prefix) => name.startsWith(prefix));
    return near.length > 0 || isOurs ? [notASetting(name, settings)] : [];
  });
}

/** `ALOWED_HOSTS is not a setting (did you mean ALLOWED_HOSTS?)` */
export function notASetting(name: string, settings: readonly string[]): string {
  const near = settings.filter((each) => isSlipOf(name, each)).slice(0, 3);
  const meant = near.length === 0 ? "" : ` (did you mean ${near.join(" or ")}?)`;
  return `${name.slice(0, 100)} is not a setting${meant}`;
}

/** Words that variables of other programs begin with, too: `API_KEY`, `API_TOKEN`. */
const OF_OTHERS: ReadonlySet<string> = new Set(["API_"]);

/** First words that several settings share, such as `POOL_`. */
function prefixesOf(settings: readonly string[]): readonly string[] {
  const firstWords = settings.filter((name) => name.includes("_")).map((name) => name.slice(0, name.indexOf("_") + 1));
  return [
    ...new Set(
      firstWords.filter((word, index) => word.length > 3 && !OF_OTHERS.has(word) && firstWords.indexOf(word) !== index),
    ),
  ];
}

/** Kubernetes and Docker describe services with the same names in variables: `CACHE_SERVICE_HOST`, `SIDECAR_PORT=tcp://…`. */
function isOfOrchestrator(name: string, value: string): boolean {
  if (/_SERVICE_(?:HOST|PORT)(?:_|$)/.test(name) || /_PORT_\d+_(?:TCP|UDP|SCTP)(?:_[A-Z]+)?$/.test(name)) return true;
  return name.endsWith("_PORT") && /^(?:tcp|udp|sctp):\/\//.test(value);
}
