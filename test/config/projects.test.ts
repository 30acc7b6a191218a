/** Projects without authentication are served at loopback addresses alone, unless the operator opens them. */
import { expect, test } from "vitest";
import { projectProblems, reachableProjectProblems } from "../../src/config/projects.ts";

test.each([
  [{ PROJECTS: "off", PROJECTS_OPEN: false, AUTH: "none" }, 0],
  [{ PROJECTS: "files", PROJECTS_OPEN: false, AUTH: "keys" }, 0],
  [{ PROJECTS: "files", PROJECTS_OPEN: true, AUTH: "none" }, 0],
  [{ PROJECTS: "files", PROJECTS_OPEN: false, AUTH: "none" }, 1],
  [{ PROJECTS: "kv", PROJECTS_OPEN: false, AUTH: "none" }, 1],
] as const)("%j at an address that others reach has %i problems", (settings, count) => {
  expect(reachableProjectProblems(settings)).toHaveLength(count);
});

interface SignIn {
  readonly AUTH: string;
  readonly JWT_ISSUER: string | undefined;
  readonly EXPLORER_CLIENT_ID: string | undefined;
}

test.each<readonly [settings: SignIn, problems: readonly string[]]>([
  [{ AUTH: "jwt", JWT_ISSUER: "https://login.example.com/", EXPLORER_CLIENT_ID: "page" }, []],
  [{ AUTH: "jwt", JWT_ISSUER: "http://127.0.0.1:9/", EXPLORER_CLIENT_ID: "page" }, []],
  [{ AUTH: "jwt", JWT_ISSUER: "ann", EXPLORER_CLIENT_ID: undefined }, []],
  [{ AUTH: "keys", JWT_ISSUER: undefined, EXPLORER_CLIENT_ID: "page" }, ["EXPLORER_CLIENT_ID is for AUTH=jwt"]],
  ...["ann", "http://login.example.com", undefined].map(
    (issuer) =>
      [
        { AUTH: "jwt", JWT_ISSUER: issuer, EXPLORER_CLIENT_ID: "page" },
        ["EXPLORER_CLIENT_ID needs a JWT_ISSUER that is an https address, or a loopback one"],
      ] as const,
  ),
])("%j has the problems %j", (settings, problems) => {
  const others = { PROJECTS: "off", PROJECTS_OPEN: false, MCP_RESOURCE: undefined, JWT_AUDIENCE: [] } as const;
  expect(projectProblems({ ...others, ...settings }, {})).toEqual(problems);
});
