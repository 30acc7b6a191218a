/** Names that are printed, where the caller's own do not fit every target. */

/** PostgreSQL cuts names at 63 bytes, so that two long ones become one; room is left for a number at the end. */
const MAX_BYTES = 56;

/** `name`, or `replacement` when it is empty or too long for a target. */
export function printableName(name: string, replacement: string): string {
  // A code unit has at most three bytes.
  const isLong = name.length * 3 > MAX_BYTES && byteLength(name) > MAX_BYTES;
  return name === "" || isLong ? replacement : name;
}

function byteLength(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** Hands out names that differ without case: DuckDB and other engines treat `"a"` and `"A"` as one name. */
export class UniqueNames {
  /** Folded name → the next number to try after it: ten thousand columns of one name are named in one pass. */
  readonly #next = new Map<string, number>();

  /** `name`, or `name_2` and so on when it is taken; `replacement` for names that do not fit every target. */
  unique(name: string, replacement: string): string {
    const base = printableName(name, replacement);
    let candidate = base;
    const folded = base.toLowerCase();
    const known = this.#next.get(folded);
    let number = known ?? 1;
    if (known !== undefined) {
      while (this.#next.has(candidate.toLowerCase())) candidate = `${base}_${++number}`;
    }
    this.#next.set(folded, number);
    if (candidate !== base) this.#next.set(candidate.toLowerCase(), 1);
    return candidate;
  }
}
