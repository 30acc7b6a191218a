import { describe, expect, it } from "vitest";
import { testAuthenticator } from "../api/test-app.ts";

describe("caller authentication", () => {
  it.each([
    ["allowed", true],
    ["refused", false],
  ])(
    "none: everyone is anonymous and bound to nothing, whatever they send; own connections %s",
    async (own, expected) => {
      const request = new Request("http://x", { headers: { authorization: "Bearer a, Bearer b" } });
      expect(await testAuthenticator({ AUTH: "none", CALLER_OWN_CONNECTIONS: own }).authenticate(request)).toEqual({
        ok: true,
        caller: {
          id: "anonymous",
          claims: new Map(),
          bound: new Set(),
          connections: "all",
          ownConnections: expected,
          limits: {},
          projects: "all",
          viewAs: true,
          operates: true,
        },
      });
    },
  );
});
