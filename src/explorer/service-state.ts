/** The state of the service, from `/ready`: asked when the page opens, and then each minute while somebody looks at it. */
import { signal } from "@preact/signals";

export type ServiceStatus = "unknown" | "ready" | "degraded" | "unavailable";

export interface ServiceState {
  readonly status: ServiceStatus;
  /** States of its parts, such as `sidecar`. */
  readonly parts: Readonly<Record<string, string>>;
}

const PAUSE_MS = 60_000;

export const serviceState = signal<ServiceState>({ status: "unknown", parts: {} });

export function watchService(): void {
  void readState();
  setInterval(() => {
    if (document.visibilityState === "visible") void readState();
  }, PAUSE_MS);
}

async function readState(): Promise<void> {
  try {
    const response = await fetch("/ready", { cache: "no-store" });
    serviceState.value = stateIn(await response.text());
  } catch {
    serviceState.value = { status: "unavailable", parts: {} };
  }
}

export function stateIn(text: string): ServiceState {
  try {
    const { status, parts } = JSON.parse(text) as { readonly status?: unknown; readonly parts?: unknown };
    const known = status === "ready" || status === "degraded" ? status : "unavailable";
    const named = typeof parts === "object" && parts !== null ? Object.entries(parts) : [];
    return { status: known, parts: Object.fromEntries(named.map(([name, state]) => [name, String(state)])) };
  } catch {
    return { status: "unavailable", parts: {} };
  }
}
