/** Limits on bucket data on the sidecar's disk: for one statement, and for all running ones (docs/decisions/0036-duckdb.md). */
import { ConnectorFailure } from "../../src/connectors/failure.ts";

export interface ByteLimits {
  readonly perStatement: number;
  readonly total: number;
}

export class ByteBudget {
  readonly #limits: ByteLimits;
  #taken = 0;

  constructor(limits: ByteLimits) {
    this.#limits = limits;
  }

  get taken(): number {
    return this.#taken;
  }

  /** `ruled`: a row rule is in force, and no number may tell of the rows that it excludes. */
  statement({ ruled = false }: { readonly ruled?: boolean } = {}): StatementBytes {
    let own = 0;
    return {
      take: (bytes, objects) => {
        const { perStatement, total } = this.#limits;
        if (own + bytes > perStatement) {
          if (ruled) throw tooLargeUnderRule();
          const message = `The statement reads ${own + bytes} bytes of ${objects} objects, and one may read ${perStatement}.`;
          throw new ConnectorFailure("FILES_TOO_LARGE", message, {
            hint: "Name fewer files, or raise the sidecar's STORE_STATEMENT_BYTES as far as its disk has room.",
          });
        }
        if (this.#taken + bytes > total) {
          if (ruled) throw overloadedUnderRule();
          const message = `Statements that run have ${this.#taken} bytes of buckets on the sidecar's disk; ${bytes} more are beyond ${total}.`;
          throw new ConnectorFailure("OVERLOADED", message, {
            hint: "Try again, or raise the sidecar's STORE_BYTES as far as its disk has room.",
            retryAfter: 5,
          });
        }
        own += bytes;
        this.#taken += bytes;
      },
      giveBack: () => {
        this.#taken -= own;
        own = 0;
      },
    };
  }
}

function tooLargeUnderRule(): ConnectorFailure {
  const message = "The access rule leaves more bytes of the files than one statement may read.";
  return new ConnectorFailure("FILES_TOO_LARGE", message, {
    hint:
      "Partition the files by the column that the rule compares (directories called column=value), name fewer columns, or " +
      "raise the sidecar's STORE_STATEMENT_BYTES as far as its disk has room.",
  });
}

function overloadedUnderRule(): ConnectorFailure {
  const message = "The sidecar's disk has no room for the files of the statement beside those of other statements.";
  return new ConnectorFailure("OVERLOADED", message, {
    hint: "Try again, or raise the sidecar's STORE_BYTES as far as its disk has room.",
    retryAfter: 5,
  });
}

/** Usage of one statement. */
export interface StatementBytes {
  /** Before anything is read. Throws `FILES_TOO_LARGE` with the numbers, or `OVERLOADED`. */
  take(bytes: number, objects: number): void;
  /** Idempotent. */
  giveBack(): void;
}
