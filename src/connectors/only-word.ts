/** Finds the position of a word that a server quotes in its error, by comparing letters of any script. */

/** Names on servers are shorter; a longer word is not a name in the statement. */
const MOST_LETTERS = 256;

/** A letter, a digit or another character of a name; halves of surrogate pairs belong to letters or name characters. */
const OF_A_NAME = /[\p{L}\p{N}\p{M}\p{Cs}_$@#]/u;

/**
 * The offset of a word that occurs in a text exactly once, as a whole word and ignoring case; undefined otherwise. A word without
 * letters is searched as it is.
 */
export function onlyWordIn(text: string, word: string): number | undefined {
  if (word === "" || word.length > MOST_LETTERS) return undefined;
  const searched = text.toLowerCase();
  const wanted = word.toLowerCase();
  // A few letters become two in the other case, and offsets would then be wrong.
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
