/** Serialises failures between the two ends: all members except the cause. */
import type { ConnectorFailure, FailureDetails, FailureReason } from "../failure.ts";

export interface FailureJson extends Omit<FailureDetails, "cause"> {
  readonly reason: FailureReason;
  readonly message: string;
}

export function failureToJson({
  reason,
  message,
  hint,
  engineCode,
  position,
  retryAfter,
}: ConnectorFailure): FailureJson {
  return {
    reason,
    message,
    ...(hint !== undefined && { hint }),
    ...(engineCode !== undefined && { engineCode }),
    ...(position !== undefined && { position }),
    ...(retryAfter !== undefined && { retryAfter }),
  };
}
