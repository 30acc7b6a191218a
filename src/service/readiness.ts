/**
 * Health of the service: for each part `ok` or a short description of the problem. Anyone may request it, so it contains no
 * address and nothing that a request could not find out. Results are kept for a short time.
 */
import type { ProjectHealth } from "../projects/library.ts";

export interface PartState {
  /** `ok`, or a short description of the problem. */
  readonly says: string;
  /**
   * The service cannot work without this part. Otherwise it works with limitations, and load balancers should ignore the problem.
   */
  readonly isMissing: boolean;
  /** The problem is of some requests alone, and the service stays ready. */
  readonly isOfSome?: boolean;
}

export type ReadinessCheck = () => Promise<PartState>;

export const OK: PartState = { says: "ok", isMissing: false };

/** Projects that this isolate was asked for: a broken one is repaired by its operator, and all others are served. */
export function stateOfProjects({ broken, isStoreSilent }: ProjectHealth): PartState {
  if (isStoreSilent) return { says: "the store does not answer; projects that were read are served", isMissing: false };
  if (broken === 0) return OK;
  return { says: `${broken} broken`, isMissing: false, isOfSome: true };
}

export interface Readiness {
  /** `degraded`: a part has a problem, but requests are answered. */
  readonly status: "ready" | "degraded" | "not ready";
  readonly parts: Readonly<Record<string, string>>;
}

const FAILED: PartState = { says: "failed", isMissing: true };

function statusOf(states: readonly PartState[]): Readiness["status"] {
  if (states.some(({ isMissing }) => isMissing)) return "not ready";
  return states.every(({ says, isOfSome }) => says === "ok" || isOfSome === true) ? "ready" : "degraded";
}

const KEPT_MS = 5000;
const TURN_MS = 20;

/** A check reports its own failure and limits its own duration. */
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
    // A Worker must not wait for the promise of another request.
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
