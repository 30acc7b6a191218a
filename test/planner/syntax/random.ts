/** Reproducible randomness for tests that generate their input. */
export interface Random {
  /** A whole number from 0 up to, and without, `limit`. */
  readonly below: (limit: number) => number;
  readonly pick: <T>(list: readonly T[]) => T;
  /** True with the given probability. */
  readonly chance: (probability: number) => boolean;
}

/** Mulberry32: every seed gives the same sequence on every machine. */
export function random(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    pick: (list) => list[below(list.length)]!,
    chance: (probability) => next() < probability,
  };
}
