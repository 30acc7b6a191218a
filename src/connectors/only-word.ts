/** Where a statement has a word that a server names in its error: found by comparing letters, whatever letters they are. */

/** Servers have shorter names; a longer one is none of the statement's. */
const MOST_LETTERS = 256;

/** A letter, a digit or a sign that a name may go on with; halves of surrogate pairs are of letters or of signs that names have. */
const OF_A_NAME = /[\p{L}\p{N}\p{M}\p{Cs}_$@#]/u;

/**
 * The offset of a word that stands in a text once, as a whole word and in letters of either case; undefined otherwise. Signs alone are
 * looked for as they are.
 */
export function onlyWordIn(text: string, word: string): number | undefined {
  if (word === "" || word.length > MOST_LETTERS) return undefined;
  const searched = text.toLowerCase();
  const wanted = word.toLowerCase();
  // A few letters become two in the other case, and offsets would be of another text.
  if (searched.length !== text.length) return undefined;
  const isName = (at: number): boolean => OF_A_NAME.test(text.charAt(at));
  const isWhole = (at: number): boolean =>
    !(OF_A_NAME.test(word.charAt(0)) && isName(at - 1)) &&
    !(OF_A_NAME.test(word.slice(-1)) && isName(at + word.length));
  let found: number | undefined;
  for (let at = searched.indexOf(wanted); at >= 0; at = searched.indexOf(wanted, at + 1)) {
    if (!isWhole(at)) continue;
    if (found !== undefined) return undefined;
    found = at;
  }
  return found;
}
