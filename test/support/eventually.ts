import { vi } from "vitest";

/** Waits until `check` passes. Longer than a busy machine needs: only a test that fails waits for all of it. */
export function eventually<T>(check: () => T | Promise<T>, { seconds = 20 } = {}): Promise<T> {
  return vi.waitFor(check, { timeout: seconds * 1000, interval: 20 });
}
