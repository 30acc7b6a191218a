import { describe, expect, it } from "vitest";
import { createAuthenticator } from "../../src/guard/authentication.ts";

describe("caller authentication", () => {
  it("none: everyone is anonymous and bound to nothing", async () => {
    const caller = await createAuthenticator("none").authenticate(new Request("http://x"));
    expect(caller).toEqual({ id: "anonymous", claims: new Map(), connections: "all" });
  });

  it.each(["keys", "jwt"] as const)("%s: refuses to start rather than let everyone in", (auth) => {
    expect(() => createAuthenticator(auth)).toThrow(`AUTH=${auth} is not available yet`);
  });
});
