/** The MCP Worker with the fixtures of the conformance suite in the place of our tools. It is never deployed. */
import { type RpcStub, WorkerEntrypoint } from "cloudflare:workers";
import { createMcp } from "../../../src/mcp/handler.ts";
import type { Ask, AskedProject, ForwardedRequest } from "../../../src/mcp/use-cases.ts";
import { conformanceServer } from "./fixtures.ts";

const mcp = createMcp((message) => console.error(message), conformanceServer);

export class Mcp extends WorkerEntrypoint {
  async serve(request: ForwardedRequest, project: AskedProject, ask: RpcStub<Ask>): Promise<Response> {
    const kept = ask.dup();
    return mcp(request, project, kept as unknown as Ask, () => kept[Symbol.dispose]());
  }
}

export default { fetch: () => new Response(null, { status: 404 }) } satisfies ExportedHandler;
