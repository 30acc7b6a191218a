export interface Heading {
  readonly heading: string;
  /** Come back with what the rules leave. */
  readonly answered: readonly string[];
  /** Fail over a value: over a visible one on copies of the visible rows as well, and with the same words. */
  readonly failing?: readonly string[];
  /** Do not run at all. */
  readonly refused: readonly string[];
}
