/** Plans for a source that cannot be run in tests, run on engines `E` that stand in for it and are not it. */
import type { Verdict } from "../../parity/judge.ts";

export interface EmulatedQuestion<E> {
  /** By which what is answered otherwise is listed. */
  readonly name: string;
  /** Undefined where there is no answer to compare with. */
  readonly verdict: (engines: E) => Promise<Verdict | undefined>;
}

export interface EmulatedSuite<E> {
  readonly name: string;
  readonly questions: readonly EmulatedQuestion<E>[];
}
