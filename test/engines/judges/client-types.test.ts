/** The types of `@siskin/client` against the OpenAPI document, by openapi-typescript: a member that drifts fails to compile. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testApp } from "../../api/test-app.ts";
import { hasJudges, judgePath } from "../../judges/judge.ts";

const ROOT = join(import.meta.dirname, "../../..");

const PROGRAM = `
import type { components, paths } from "./api.d.ts";
import type {
  CubeOperator, CubeQuery, Description, Explanation, Granularity, ListedProject, Matches, QueryOptions, RequestOptions, SearchKind,
  SearchOptions, StatementOptions, Values, ValuesOptions,
} from "${join(ROOT, "clients/typescript/src/index.ts")}";

type Path<P extends string> = \`/v3/projects/{project}\${P}\`;
type Body<P extends string> = paths[Path<P> & keyof paths]["post"] extends { requestBody: { content: { "application/json": infer B } } } ? B : never;
type Answer<O> = O extends { responses: { 200: { content: { "application/json": infer A } } } } ? A : never;
type Post<P extends string> = Answer<paths[Path<P> & keyof paths]["post"]>;
type Equal<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
/** Options that are no member of the body. */
type Sent<O> = Exclude<keyof O, "signal" | "timeZone" | "strict">;
const same = <A, B>(_: Equal<A, B>): void => undefined;

same<Sent<QueryOptions> | "sql" | "columnDtypes", keyof Body<"/query">>(true);
same<Sent<QueryOptions> | "cube" | "columnDtypes", keyof Body<"/cube">>(true);
same<Sent<StatementOptions> | "sql", keyof Body<"/explain">>(true);
same<Sent<ValuesOptions> | "column", keyof Body<"/values">>(true);
same<Sent<SearchOptions> | "question", keyof Body<"/search">>(true);
same<Sent<RequestOptions>, "sessionProperties" | "viewAs">(true);

type Schemas = components["schemas"];
same<keyof CubeQuery, keyof Schemas["CubeQuery"]>(true);
same<CubeOperator, Schemas["CubeFilter"]["operator"]>(true);
same<Granularity, NonNullable<Schemas["CubeTimeDimension"]["granularity"]>>(true);
same<SearchKind, NonNullable<Body<"/search">["kinds"]>[number]>(true);

export const read = (
  described: Answer<paths["/v3/projects/{project}"]["get"]>,
  explained: Post<"/explain">,
  found: Post<"/search">,
  values: Post<"/values">,
  listed: Answer<paths["/v3/projects"]["get"]>,
): [Description, Explanation, Matches, Values, readonly ListedProject[]] => [described, explained, found, values, listed.projects];
`;

test.skipIf(!hasJudges)("the client's types are those of the document", async () => {
  mkdirSync(join(ROOT, "node_modules/.cache"), { recursive: true });
  const directory = mkdtempSync(join(ROOT, "node_modules/.cache/client-types-"));
  try {
    writeFileSync(join(directory, "openapi.json"), await (await testApp().fetch("/openapi.json")).text());
    const command = judgePath("openapi-typescript/bin/cli.js");
    execFileSync(process.execPath, [command, "openapi.json", "--output", "api.d.ts"], {
      cwd: directory,
      stdio: "ignore",
    });
    writeFileSync(join(directory, "program.ts"), PROGRAM);
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--allowImportingTsExtensions", "--erasableSyntaxOnly"];
    const modules = [
      "--module",
      "esnext",
      "--moduleResolution",
      "bundler",
      "--target",
      "es2024",
      "--lib",
      "es2024,dom",
    ];
    const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
    const run = (): string => {
      try {
        return execFileSync(process.execPath, [compiler, ...options, ...modules, "--ignoreConfig", "program.ts"], {
          cwd: directory,
          encoding: "utf8",
        });
      } catch (error) {
        return (error as { readonly stdout: string }).stdout;
      }
    };
    expect(run()).toBe("");
    // The check sees a difference.
    writeFileSync(join(directory, "program.ts"), PROGRAM.replace('| "sql" | "columnDtypes"', '| "sql"'));
    expect(run()).toContain("error TS2345");
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
