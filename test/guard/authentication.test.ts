import { describe, expect, it } from "vitest";
import { testAuthenticator } from "../api/test-app.ts";

describe("caller authentication", () => {
  it("none: everyone is anonymous and bound to nothing, whatever they send", async () => {
    const request = new Request("http://x", { headers: { authorization: "Bearer a, Bearer b" } });
    expect(await testAuthenticator().authenticate(request)).toEqual({
      ok: true,
      caller: { id: "anonymous", claims: new Map(), bound: new Set(), connections: "all", limits: {} },
    });
  });
});
