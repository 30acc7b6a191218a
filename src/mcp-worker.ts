/**
 * The MCP Worker: speaks the Model Context Protocol for the API, which is bound to it. Wiring only. It is a separate Worker, because
 * the protocol's library takes longer to start than a first plan does. It has no binding, no setting and no credential: it learns what
 * the API's use cases answer for one caller.
 */
import { type RpcStub, WorkerEntrypoint } from "cloudflare:workers";
import { createMcp } from "./mcp/handler.ts";
import type { Ask, AskedProject, ForwardedRequest } from "./mcp/use-cases.ts";

const mcp = createMcp((message) => console.error(message));

/** Only service bindings that name it reach this class: routes lead to the default export. */
export class Mcp extends WorkerEntrypoint {
  async serve(request: ForwardedRequest, project: AskedProject, ask: RpcStub<Ask>): Promise<Response> {
    // The platform drops the function when this method returns, and a streamed answer still asks.
    const kept = ask.dup();
    return mcp(request, project, kept as unknown as Ask, () => kept[Symbol.dispose]());
  }
}

/** Answers requests over a route that somebody has assigned to this Worker. */
export default { fetch: () => new Response(null, { status: 404 }) } satisfies ExportedHandler;
