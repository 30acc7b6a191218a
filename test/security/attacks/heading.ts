export interface Heading {
  readonly heading: string;
  /** Come back with what the rules leave. */
  readonly answered: readonly string[];
  /** Do not run at all. */
  readonly refused: readonly string[];
}
