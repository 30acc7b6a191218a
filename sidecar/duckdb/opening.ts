/**
 * Opens what may never open. After a statement failed, DuckDB 1.4.4 sometimes waits for ever while it opens another instance in
 * the same process: once in about 2,000 times, at a mutex of its secret manager that nothing holds. The next instance opens.
 */
import { setTimeout as delay } from "node:timers/promises";

const OPENS_WITHIN_MS = 10_000;
const ATTEMPTS = 3;

/** Returns what the first attempt opens in time, else what the last one opens. An attempt that ends too late is closed. */
export async function openInTime<T extends { close(): Promise<void> }>(
  open: () => Promise<T>,
  withinMs = OPENS_WITHIN_MS,
): Promise<T> {
  for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
    const opening = open();
    const patience = new AbortController();
    const late = delay(withinMs, undefined, { signal: patience.signal, ref: false }).catch(() => undefined);
    const opened = await Promise.race([opening, late]).finally(() => patience.abort());
    if (opened !== undefined) return opened;
    opening.then(
      (tooLate) => tooLate.close(),
      () => undefined,
    );
  }
  return open();
}
