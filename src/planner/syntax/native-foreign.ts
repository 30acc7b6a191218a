/**
 * Recognises constructs of the input language that a source lacks in a modeller's own expression: `p::double` and
 * `CAST(p AS string)` are errors on Trino, whatever they are meant to say.
 */
import { bracketsOf, type NativeToken } from "./native-spellings.ts";

export interface NativeForeign {
  /** The source has no `::`. */
  readonly doubleColon: boolean;
  /** The source has no CAST to `timestamp with time zone`. */
  readonly zonedTimestamps: boolean;
  /** Types that CAST does not take, in lower case. */
  readonly types: ReadonlySet<string>;
  /** Types whose spelling in other letters the source takes: `String` on ClickHouse. */
  readonly exactTypes?: ReadonlySet<string>;
  /** Functions that the source lacks, in lower case. */
  readonly functions: ReadonlySet<string>;
  /** The source joins texts alone by `concat`. */
  readonly joinsTexts?: true;
}

/** Whether the source rejects the text: certainly, or if `concat` has values that are no texts. */
export type Foreign = "certainly" | "if it joins other values than texts" | undefined;

export function foreignParts(text: string, tokens: readonly NativeToken[], foreign: NativeForeign): Foreign {
  if (lacksParts(text, tokens, foreign)) return "certainly";
  const joins = tokens.some(
    ({ text: word }, index) => word === "concat" && tokens[index + 1]?.text === "(" && tokens[index - 1]?.text !== ".",
  );
  return joins && foreign.joinsTexts === true ? "if it joins other values than texts" : undefined;
}

function lacksParts(text: string, tokens: readonly NativeToken[], foreign: NativeForeign): boolean {
  const { around } = bracketsOf(tokens);
  const at = (index: number): string | undefined => tokens[index]?.text;
  return tokens.some(({ text: word, start, end }, index) => {
    const isColons = at(index - 2) === ":" && at(index - 1) === ":";
    if (isColons && foreign.doubleColon) return true;
    const isCast = at(index - 1) === "as" && at((around[index] ?? 0) - 1) === "cast";
    if (isColons || isCast) {
      if (word === "timestamp" && at(index + 1) === "with" && foreign.zonedTimestamps) return true;
      const written = text.slice(start, end);
      return foreign.types.has(word) && foreign.exactTypes?.has(written) !== true;
    }
    const isCall = at(index + 1) === "(" && at(index - 1) !== ".";
    return isCall && foreign.functions.has(word);
  });
}
