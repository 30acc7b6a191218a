/** Near names for "not found" messages. */

/** Comparisons of two letters that one search may take: a hundred thousand names of twenty letters take a part of them. */
const MOST_COMPARISONS = 20_000_000;

/** Number of near names that are reported. */
const MOST = 3;

/**
 * The best of `candidates` by edit distance without case, at most three, none that is no likely slip. Candidates behind those
 * that the search has no room for are left out.
 */
export function nearestNames(name: string, candidates: Iterable<string>): readonly string[] {
  const wanted = name.toLowerCase();
  if (wanted.length > 100) return [];
  // One letter is near to every other: of names so short only another spelling is meant.
  const allowed = wanted.length <= 2 ? 0 : Math.floor(wanted.length / 3);
  const best: { readonly name: string; readonly distance: number }[] = [];
  const work: Work = { left: MOST_COMPARISONS };
  for (const candidate of candidates) {
    if (candidate === "") continue;
    if (work.left <= 0) break;
    // Candidates farther than the best three are never reported.
    const limit = Math.min(allowed, best[MOST - 1]?.distance ?? allowed);
    const folded = candidate.toLowerCase();
    const isPart = wanted.length > 2 && folded.length >= wanted.length && folded.includes(wanted);
    const distance = isPart ? 1 : editDistance(wanted, folded, limit, work);
    if (distance > limit) continue;
    const at = best.findIndex(
      (each) => distance < each.distance || (distance === each.distance && candidate < each.name),
    );
    best.splice(at < 0 ? best.length : at, 0, { name: candidate, distance });
    best.length = Math.min(best.length, MOST);
  }
  return best.map((entry) => entry.name);
}

/** Comparisons that are left. */
interface Work {
  left: number;
}

/**
 * Optimal string alignment distance (a transposition counts one), more than `limit` where it is beyond that. Letters that both
 * begin and end with make no difference, and cells farther than `limit` from the diagonal none to a distance within it.
 */
function editDistance(a: string, b: string, limit: number, work: Work = { left: 0 }): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let start = 0;
  while (start < a.length && start < b.length && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  let [endOfA, endOfB] = [a.length, b.length];
  while (endOfA > start && endOfB > start && a.charCodeAt(endOfA - 1) === b.charCodeAt(endOfB - 1)) {
    endOfA--;
    endOfB--;
  }
  const [rows, columns] = [endOfA - start, endOfB - start];
  work.left -= a.length + rows * Math.min(columns, 2 * limit + 1);
  if (rows === 0 || columns === 0) return Math.max(rows, columns);
  const beyond = limit + 1;
  let before: number[] = [];
  let previous = Array.from({ length: columns + 1 }, (_, column) => column);
  for (let row = 1; row <= rows; row++) {
    const first = Math.max(1, row - limit);
    const last = Math.min(columns, row + limit);
    const current: number[] = [];
    current[first - 1] = first === 1 ? row : beyond;
    let best = beyond;
    for (let column = first; column <= last; column++) {
      const [letter, other] = [a.charCodeAt(start + row - 1), b.charCodeAt(start + column - 1)];
      let cost = Math.min(
        (previous[column] ?? beyond) + 1,
        (current[column - 1] ?? beyond) + 1,
        (previous[column - 1] ?? beyond) + (letter === other ? 0 : 1),
      );
      const isTransposed =
        row > 1 && column > 1 && letter === b.charCodeAt(start + column - 2) && a.charCodeAt(start + row - 2) === other;
      if (isTransposed) cost = Math.min(cost, (before[column - 2] ?? beyond) + 1);
      current[column] = cost;
      best = Math.min(best, cost);
    }
    if (best > limit) return beyond;
    before = previous;
    previous = current;
  }
  return previous[columns] ?? beyond;
}

/**
 * Whether `name` equals `known` apart from case, separators and one or two typing errors. Unlike `nearestNames`, a part
 * of a longer name does not count as near, because this decides whether a name is rejected.
 */
export function isSlipOf(name: string, known: string): boolean {
  const [given, wanted] = [plainLetters(name), plainLetters(known)];
  if (given === "" || given.length > 100) return false;
  const allowed = wanted.length < 4 ? 0 : wanted.length < 9 ? 1 : 2;
  if (Math.abs(given.length - wanted.length) > allowed) return false;
  return editDistance(given, wanted, allowed) <= allowed;
}

/**
 * Letters of other scripts that look like Latin ones, in lower case, each before its Latin letter. `normalize` only
 * unifies forms of one letter and none of these.
 */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  (
    "аa вb еe кk мm нh оo рp сc тt уy хx іi јj ѕs ԁd ԛq ԝw һh ӏl ɩi ıi ɑa ɡg ʟl αa βb εe ζz ηh ιi κk μm νn οo ρp τt υy χx γy ωw " +
    "օo սu հh ոn"
  )
    .split(" ")
    .map(([other = "", latin = ""]) => [other, latin] as const),
);

/** Letters and digits alone, in lower case: `row_level`, `row-level` and `rowLevel` are one, in whichever letters they are written. */
export function plainLetters(name: string): string {
  const lower = name.toLowerCase();
  const latin = /[^\0-\x7f]/.test(lower)
    ? Array.from(lower.normalize("NFKD").toLowerCase(), (letter) => LOOK_ALIKES.get(letter) ?? letter).join("")
    : lower;
  return latin.replaceAll(/[^a-z0-9]/g, "");
}
