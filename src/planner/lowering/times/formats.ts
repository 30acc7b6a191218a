/** PostgreSQL's date format language, parsed as PostgreSQL parses it; each target renders or refuses the tokens. */

export type FormatToken =
  | {
      readonly kind: "text";
      readonly text: string;
      /** Separators and blanks outside of quotes, which are interchangeable when a text is parsed. */
      readonly separator: boolean;
    }
  | {
      readonly kind: "pattern";
      /** In its original spelling, which decides the case of names: `MONTH`, `Month` or `month`, and no other mixture. */
      readonly pattern: string;
      /** After FM: without padding zeros and blanks. */
      readonly bare: boolean;
      /** After TM: the name in the session's language, never padded. */
      readonly translated: boolean;
      readonly ordinal: "TH" | "th" | undefined;
    };

/** Patterns that may be written in either case, in the order in which PostgreSQL tries patterns with the same first letter. */
const FOLDED =
  "A.D. A.M. AD AM B.C. BC CC DAY DDD DD DY D FF1 FF2 FF3 FF4 FF5 FF6 FX HH24 HH12 HH IDDD ID IW IYYY IYY IY I J MI MM " +
  "MONTH MON MS OF P.M. PM Q RM SSSSS SSSS SS TZH TZM TZ US WW W Y,YYY YYYY YYY YY Y";

/** By first character; longer patterns precede those that are their prefixes. */
const PATTERNS: ReadonlyMap<string, readonly string[]> = Map.groupBy(
  ["Day", "Dy", "Month", "Mon", ...FOLDED.split(" "), ...FOLDED.toLowerCase().split(" ")],
  (pattern) => pattern.charAt(0),
);

const PREFIXES: ReadonlySet<string> = new Set("FM fm TM tm".split(" "));

/** The tokens of a format. Letters that begin no pattern are text. */
export function readFormat(format: string): readonly FormatToken[] {
  const tokens: FormatToken[] = [];
  const say = (text: string, separator: boolean): void => {
    const last = tokens[tokens.length - 1];
    if (last?.kind === "text" && last.separator === separator) {
      tokens[tokens.length - 1] = { kind: "text", text: last.text + text, separator };
    } else tokens.push({ kind: "text", text, separator });
  };
  let at = 0;
  const quoted = (): void => {
    for (at++; at < format.length && format.charAt(at) !== '"'; at++) {
      if (format.charAt(at) === "\\" && at + 1 < format.length) at++;
      say(format.charAt(at), false);
    }
    at++;
  };
  while (at < format.length) {
    const prefix = format.slice(at, at + 2);
    const isPrefixed = PREFIXES.has(prefix);
    if (isPrefixed) at += 2;
    const pattern = PATTERNS.get(format.charAt(at))?.find((candidate) => format.startsWith(candidate, at));
    if (pattern !== undefined) {
      at += pattern.length;
      const suffix = format.slice(at, at + 2);
      const ordinal = suffix === "TH" || suffix === "th" ? suffix : undefined;
      if (ordinal !== undefined || suffix === "SP") at += 2;
      const [bare, translated] = [/^fm$/i, /^tm$/i].map((word) => isPrefixed && word.test(prefix));
      tokens.push({ kind: "pattern", pattern, bare: bare === true, translated: translated === true, ordinal });
    } else if (format.charAt(at) === '"') quoted();
    else if (at < format.length) {
      if (format.startsWith('\\"', at)) at++;
      say(format.charAt(at), /^[!-/:-@[-`{-~\s]$/.test(format.charAt(at)));
      at++;
    }
  }
  return tokens;
}

/** The patterns that a target's rule of `to_char` renders, without their case where it says nothing, with FM where it says something. */
export interface TimePatterns {
  /** Patterns of dates and timestamps. "all": its rules read texts by a format, too. */
  readonly dates: ReadonlySet<string> | "all";
}

export const timePatterns = (...lists: readonly Iterable<string>[]): TimePatterns => ({
  dates: new Set(lists.flatMap((list) => [...list])),
});
