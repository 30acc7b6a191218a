import { vi } from "vitest";

/** Waits until `check` passes. Longer than a busy machine needs: only a test that fails waits for all of it. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 20_000, interval: 20 });
}
