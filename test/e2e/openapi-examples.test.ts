/** Every example of the OpenAPI document, sent to the service that `npm start` starts: the answers are those shown. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isJson } from "../../src/api/openapi/json-schema.ts";
import { type RunningService, startService } from "../support/service.ts";

type Json = Readonly<Record<string, unknown>>;

let service: RunningService;
let paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
let parameters: Readonly<Record<string, Json>>;
beforeAll(async () => {
  service = await startService();
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Json;
  paths = document["paths"] as typeof paths;
  parameters = (document["components"] as Json)["parameters"] as typeof parameters;
});
afterAll(() => service.stop());

/** The value at a path of members, where there is one. */
const at = (value: unknown, ...members: readonly string[]): unknown =>
  members.reduce<unknown>((inner, name) => (isJson(inner) ? inner[name] : undefined), value);

describe("the examples of the OpenAPI document", () => {
  it("are answered as they say", async () => {
    const examples = new Map(Object.values(parameters).map(({ name, example }) => [String(name), example]));
    let asked = 0;
    for (const [path, item] of Object.entries(paths).filter(([path]) => path.startsWith("/v3/"))) {
      const served = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(examples.get(name)));
      for (const [method, operation] of Object.entries(item)) {
        // A body is sent by POST; GET with a body is for clients that already do so.
        if (method === "get" && operation["requestBody"] !== undefined) continue;
        const body = at(operation, "requestBody", "content", "application/json", "example");
        expect(operation["requestBody"] === undefined, `${path} has an example`).toBe(body === undefined);
        const response = await fetch(service.url + served, {
          method: method.toUpperCase(),
          ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
        });
        const text = await response.text();
        const shown = at(operation, "responses", "200", "content", "application/json", "example");
        const answer = response.status === 204 ? undefined : (JSON.parse(text) as unknown);
        expect(response.ok, `${path}: ${text.slice(0, 300)}`).toBe(true);
        if (path.endsWith("/functions")) expect(answer).toEqual(expect.arrayContaining(shown as unknown[]));
        // Descriptions of projects have digests in them, and a stored question is the operator's.
        else if (!path.endsWith("/knowledge") && !(method === "get" && path.startsWith("/v3/projects"))) {
          expect(answer, path).toEqual(shown);
        }
        asked++;
      }
    }
    expect(asked).toBe(28);
  });
});
