/**
 * What of the service is there: each part by its name, `ok` or what is wrong with it in a few words of ours. Asked by
 * whoever likes, so it tells no address and nothing that a request could not find out, and parts are asked once in a while.
 */

export interface PartState {
  /** `ok`, or a few words of ours. */
  readonly says: string;
  /** Without it the service cannot do its work; otherwise it does it less well, and balancers should not care. */
  readonly isMissing: boolean;
}

export type ReadinessCheck = () => Promise<PartState>;

export const OK: PartState = { says: "ok", isMissing: false };

export interface Readiness {
  /** `degraded`: something is not as it should be, and requests are answered all the same. */
  readonly status: "ready" | "degraded" | "not ready";
  readonly parts: Readonly<Record<string, string>>;
}

const FAILED: PartState = { says: "failed", isMissing: true };

function statusOf(states: readonly PartState[]): Readiness["status"] {
  if (states.some(({ isMissing }) => isMissing)) return "not ready";
  return states.every(({ says }) => says === "ok") ? "ready" : "degraded";
}

const KEPT_MS = 5000;
const TURN_MS = 20;

/** A check that fails says so; it may take the time it likes, and bounds it itself. */
export function createReadiness(
  checks: Readonly<Record<string, ReadinessCheck>>,
  now: () => number = Date.now,
): () => Promise<Readiness> {
  let kept: { readonly readiness: Readiness; readonly at: number } | undefined;
  let askingSince: number | undefined;

  async function ask(): Promise<Readiness> {
    const states = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await check().catch(() => FAILED)] as const),
    );
    const readiness = {
      status: statusOf(states.map(([, state]) => state)),
      parts: Object.fromEntries(states.map(([name, { says }]) => [name, says])),
    };
    kept = { readiness, at: now() };
    return readiness;
  }

  return async () => {
    // Another request's promise is nothing that a Worker may wait for.
    while (askingSince !== undefined && now() - askingSince < KEPT_MS) {
      await new Promise((resolve) => setTimeout(resolve, TURN_MS));
    }
    if (kept !== undefined && now() - kept.at < KEPT_MS) return kept.readiness;
    askingSince = now();
    try {
      return await ask();
    } finally {
      askingSince = undefined;
    }
  };
}
