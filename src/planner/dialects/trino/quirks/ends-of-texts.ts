/**
 * The end of a text, in a pattern that may match no character before it. If the text ends with a letter of more bytes than the match has
 * at most, Trino's Joni looks from the middle of this letter on and finds no match: `regexp_like('é', 'b?\\z')` is false. Seen on 476;
 * not reported. `a*` matches nothing behind the end, and lets a match have any number of bytes; with `.*` Joni finds no end at all.
 */
export const END_OF_TEXT = "(?:\\za*)";
