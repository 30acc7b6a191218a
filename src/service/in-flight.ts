/** How many requests one isolate works on at once: past the cap, refusing early beats running out of memory for everyone. */
import { ServiceError } from "./failure.ts";

export interface InFlightGate {
  /** Takes a place and returns how to give it back (idempotent); throws `OVERLOADED` when all are taken. */
  enter(): () => void;
  readonly inFlight: number;
}

export function createInFlightGate(places: number): InFlightGate {
  let taken = 0;
  return {
    get inFlight() {
      return taken;
    },
    enter() {
      if (taken >= places) {
        throw new ServiceError("OVERLOADED", "The service is at its limit of concurrent requests; try again shortly.");
      }
      taken++;
      let left = false;
      return () => {
        if (left) return;
        left = true;
        taken--;
      };
    },
  };
}
