/**
 * Which server is behind a connection, kept per isolate for a while, so that not every statement that depends on it asks first.
 * A connection with another password is another one: what somebody is not let in to see is not answered from here. Wrong
 * after an upgrade, it costs an answer and not its rightness: connectors compare plans with the server that they meet.
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
  /** By a digest: identities hold passwords. In the order of insertion, so that the first is the oldest. */
  readonly #entries = new Map<string, Known>();
  /** Makes digests mean nothing elsewhere. Not made at start, where a Worker has no randomness. */
  #salt: string | undefined;

  constructor(options: KnownVariantsOptions) {
    this.#options = options;
  }

  /** What is known, or what `ask` answers; its failures are not kept. */
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
