/** Near names for "not found" messages. */

/** The best of `candidates` by edit distance without case, at most three, none that is no likely slip. */
export function nearestNames(name: string, candidates: Iterable<string>): readonly string[] {
  const wanted = name.toLowerCase();
  if (wanted.length > 100) return [];
  // One letter is near to every other: of names so short only another spelling is meant.
  const allowed = wanted.length <= 2 ? 0 : Math.floor(wanted.length / 3);
  const scored: { readonly name: string; readonly distance: number }[] = [];
  for (const candidate of candidates) {
    if (candidate === "") continue;
    const folded = candidate.toLowerCase();
    if (Math.abs(folded.length - wanted.length) > allowed && !folded.includes(wanted)) continue;
    const distance = folded.includes(wanted) && wanted.length > 2 ? 1 : editDistance(wanted, folded, allowed);
    if (distance <= allowed) scored.push({ name: candidate, distance });
  }
  scored.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return scored.slice(0, 3).map((entry) => entry.name);
}

/** Optimal string alignment distance (a transposition counts one), cut off above `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    let best = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let cost = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + (same ? 0 : 1));
      const transposed =
        i > 1 && j > 1 && a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (transposed) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      current.push(cost);
      best = Math.min(best, cost);
    }
    if (best > limit) return limit + 1;
    before = previous;
    previous = current;
  }
  return previous[b.length] ?? limit + 1;
}

/**
 * Whether `name` is `known` but for case, separators and a slip or two. Unlike `nearestNames`, a part of a longer name is not near
 * to it: this decides whether something is refused.
 */
export function isSlipOf(name: string, known: string): boolean {
  const [given, wanted] = [plainLetters(name), plainLetters(known)];
  if (given === "" || given.length > 100) return false;
  const allowed = wanted.length < 4 ? 0 : wanted.length < 9 ? 1 : 2;
  if (Math.abs(given.length - wanted.length) > allowed) return false;
  return editDistance(given, wanted, allowed) <= allowed;
}

/** Letters and digits alone, in lower case: `row_level`, `row-level` and `rowLevel` are one. */
export function plainLetters(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
