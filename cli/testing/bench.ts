/** The side that answers golden questions: a source, seeds, or a running service. */
import type { Answer } from "./compare.ts";

export type Asked = (
  | { readonly sql: string; readonly cube?: undefined }
  | { readonly cube: unknown; readonly sql?: undefined }
) & { readonly parameters?: readonly unknown[] };

/** Session properties, as the question writes them. */
export type Session = Readonly<Record<string, unknown>> | undefined;

export interface Bench {
  /** Rejects with `Refusal` if the question is refused; any other error concerns the environment. */
  readonly answer: (asked: Asked, session: Session) => Promise<Answer>;
  readonly close: () => Promise<void>;
}

/** A question is not answered, which a golden question may expect. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  /** Undefined where the question cannot be asked here at all. */
  readonly reason: string | undefined;

  constructor(reason: string | undefined, message: string) {
    super(message);
    this.reason = reason;
  }
}
