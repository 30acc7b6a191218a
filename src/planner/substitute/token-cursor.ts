/** A position in a list of tokens. Reading beyond either end is allowed and finds nothing. */
import type { NamePart } from "./names.ts";
import type { Token } from "./tokens.ts";

export class TokenCursor {
  readonly #tokens: readonly Token[];
  readonly #brackets: ReadonlyMap<number, number>;
  /** Index of the next token. */
  index = 0;

  /** `brackets`: closing by opening index. */
  constructor(tokens: readonly Token[], brackets: ReadonlyMap<number, number>) {
    this.#tokens = tokens;
    this.#brackets = brackets;
  }

  atEnd(): boolean {
    return this.index >= this.#tokens.length;
  }

  at(index: number = this.index): Token | undefined {
    return this.#tokens[index];
  }

  /** The next token, which is then behind the cursor. There must be one. */
  take(): Token {
    const token = this.#tokens[this.index];
    if (token === undefined) throw new RangeError("no token is left");
    this.index++;
    return token;
  }

  skip(count: number): void {
    this.index += count;
  }

  /** The bare word in lower case; empty for anything else. */
  word(index: number = this.index): string {
    const token = this.#tokens[index];
    return token?.kind === "word" ? token.value.toLowerCase() : "";
  }

  /** The sign; empty for anything else. */
  sign(index: number = this.index): string {
    const token = this.#tokens[index];
    return token?.kind === "sign" ? token.value : "";
  }

  /** A word or quoted name as a part of a path. */
  part(index: number): NamePart {
    const token = this.#tokens[index];
    return { name: token?.value ?? "", quoted: token?.kind !== "word" };
  }

  isName(index: number = this.index): boolean {
    const kind = this.#tokens[index]?.kind;
    return kind === "word" || kind === "name";
  }

  /** Whether two neighbours in the text are adjacent. */
  touches(index: number): boolean {
    return this.#tokens[index]?.end === this.#tokens[index + 1]?.start;
  }

  /** Index after the bracket that closes the one at `index`; `index` itself if no bracket opens at it. */
  behindBrackets(index: number = this.index): number {
    const close = this.#brackets.get(index);
    return close === undefined ? index : close + 1;
  }
}
