import { describe, expect, it } from "vitest";
import { createInFlightGate } from "../../src/service/in-flight.ts";

describe("the in-flight gate", () => {
  it("refuses past its places and serves again when one is given back", () => {
    const gate = createInFlightGate(2);
    const leave = gate.enter();
    gate.enter();
    expect(() => gate.enter()).toThrow(expect.objectContaining({ reason: "OVERLOADED" }));
    leave();
    expect(gate.inFlight).toBe(1);
    expect(() => gate.enter()).not.toThrow();
  });

  it("takes a place back once, however often it is given", () => {
    const gate = createInFlightGate(2);
    const leave = gate.enter();
    gate.enter();
    leave();
    leave();
    expect(gate.inFlight).toBe(1);
  });
});
