/**
 * Remembers for a while, per isolate, which server variant a connection leads to, so that not every statement has to ask. A
 * connection with another password has another entry: a caller without access gets no information from this cache. After an
 * upgrade an entry may be wrong. A wrong entry can cost a failed attempt, but never gives a wrong answer: connectors compare
 * plans with the actual server.
 */
import type { Variant } from "../planner/plan.ts";

export interface KnownVariantsOptions {
  readonly maxEntries: number;
  readonly milliseconds: number;
  readonly now?: () => number;
}

interface Known {
  readonly variant: Variant | undefined;
  readonly until: number;
}

export class KnownVariants {
  readonly #options: KnownVariantsOptions;
  /** Keyed by a digest, because identities contain passwords. In order of insertion, so that the first entry is the oldest. */
  readonly #entries = new Map<string, Known>();
  /** Makes digests useless outside this isolate. Created on first use: a Worker has no randomness at start-up. */
  #salt: string | undefined;

  constructor(options: KnownVariantsOptions) {
    this.#options = options;
  }

  /** The remembered variant, or the result of `ask`; failures are not remembered. */
  async of(identity: string, ask: () => Promise<Variant | undefined>): Promise<Variant | undefined> {
    const { maxEntries, milliseconds } = this.#options;
    const key = await this.#keyOf(identity);
    const known = this.#entries.get(key);
    if (known !== undefined && this.#now() < known.until) return known.variant;
    const variant = await ask();
    this.#entries.delete(key);
    this.#entries.set(key, { variant, until: this.#now() + milliseconds });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= maxEntries) break;
      this.#entries.delete(oldest);
    }
    return variant;
  }

  async forget(identity: string): Promise<void> {
    this.#entries.delete(await this.#keyOf(identity));
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  async #keyOf(identity: string): Promise<string> {
    this.#salt ??= crypto.randomUUID();
    const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(this.#salt + identity));
    return String.fromCharCode(...new Uint8Array(bytes));
  }
}
