/** The protocol over one caller's use cases: a server of the maker's library for each request, and nothing kept between requests. */
import { createMcpHandler, type McpRequestContext, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import { completions } from "./completion.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import { BEAT_MS, isStream, withBeats } from "./late-answer.ts";
import { answerPrompt, PROMPTS } from "./prompt.ts";
import { listResources, RESOURCE_TEMPLATES, readResource } from "./resources.ts";
import { callTool, listTools } from "./tools/call.ts";
import type { Ask, AskedProject, ForwardedRequest, Session } from "./use-cases.ts";

/** `done` is called once, when the answer is complete or dropped. */
export type Mcp = (request: ForwardedRequest, project: AskedProject, ask: Ask, done: () => void) => Promise<Response>;

/** Makes the server of one request. Tests of the protocol have one with tools of fixed names. */
export type ServerOf = (session: Session) => Server;

const CACHED = { ttlMs: 300_000, cacheScope: "private" } as const;
const CAPABILITIES = { tools: {}, resources: {}, prompts: {}, completions: {} };

export function createMcp(report: (message: string) => void, serverOf: ServerOf = serverFor): Mcp {
  const handler = createMcpHandler((context) => serverOf(sessionOf(context)), {
    onerror: (error) => {
      // Refused requests are answered; only faults of the service are for the operator.
      if (error instanceof TypeError || error instanceof RangeError) report(error.message);
    },
    // A client whose header names another method than its body.
    maxSubscriptions: 0,
    keepAliveMs: BEAT_MS,
  });
  return async ({ method, url, headers, body }, project, ask, done) => {
    const stop = new AbortController();
    const request = new Request(url, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      ...(body !== undefined && { body }),
      signal: stop.signal,
    });
    const session: Session = { project, ask };
    try {
      if (request.headers.get("mcp-method") === "subscriptions/listen") return noSubscriptions(body, done);
      if (isBatch(body)) return noBatches(done);
      const authInfo = { token: "", clientId: "", scopes: [], extra: { session } };
      const answer = handler.fetch(request, { authInfo });
      const response = await withBeats(answer, request.headers.get("accept"), () => stop.abort());
      return ending(response, stop, done);
    } catch (error) {
      done();
      throw error;
    }
  };
}

/** The caller's requests are counted, and a batch of old revisions would be one request with thousands of calls. */
function noBatches(done: () => void): Response {
  done();
  const error = { code: ProtocolErrorCode.InvalidRequest, message: "Batches are not supported: send one message." };
  return Response.json({ jsonrpc: "2.0", id: null, error }, { status: 400 });
}

/** The first byte that is no blank begins a list. */
function isBatch(body: Uint8Array | undefined): boolean {
  const first = body?.find((byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d);
  return first === 0x5b;
}

/** The server has nothing that changes while a stream is open, and says so by its capabilities. */
function noSubscriptions(body: Uint8Array | undefined, done: () => void): Response {
  done();
  let id: unknown = null;
  try {
    ({ id } = JSON.parse(new TextDecoder().decode(body)) as { readonly id: unknown });
  } catch {
    // The answer to a text that is no message has no id.
  }
  const shown = typeof id === "string" || typeof id === "number" ? id : null;
  const error = { code: ProtocolErrorCode.MethodNotFound, message: "Method not found" };
  return Response.json({ jsonrpc: "2.0", id: shown, error }, { status: 404 });
}

function sessionOf({ authInfo }: McpRequestContext): Session {
  const session = authInfo?.extra?.["session"];
  if (session === undefined) throw new Error("A request has no session.");
  return session as Session;
}

function serverFor(session: Session): Server {
  const title = session.project.title ?? session.project.name;
  const server = new Server(
    { name: "siskin", title: `Siskin: ${title}`, version: "1" },
    {
      capabilities: CAPABILITIES,
      instructions: INSTRUCTIONS,
      cacheHints: {
        "tools/list": CACHED,
        "prompts/list": CACHED,
        "resources/list": CACHED,
        "resources/templates/list": CACHED,
        "resources/read": CACHED,
        "server/discover": CACHED,
      },
    },
  );
  server.setRequestHandler("tools/list", () => listTools(session));
  server.setRequestHandler("tools/call", ({ params }, { mcpReq }) => callTool(session, params, mcpReq.signal));
  server.setRequestHandler("resources/list", () => listResources(session));
  server.setRequestHandler("resources/templates/list", () => RESOURCE_TEMPLATES(session));
  server.setRequestHandler("resources/read", ({ params }) => readResource(session, params.uri));
  server.setRequestHandler("prompts/list", () => PROMPTS);
  server.setRequestHandler("prompts/get", ({ params }) => answerPrompt(session, params));
  server.setRequestHandler("completion/complete", ({ params }) => completions(session, params));
  return server;
}

/** Calls `done` when the body has been sent, and ends the request when its reader goes away. */
function ending(response: Response, stop: AbortController, done: () => void): Response {
  const { status, headers, body } = response;
  if (body === null || !isStream(response)) {
    done();
    return response;
  }
  const reader = body.getReader();
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done: isOver, value } = await reader.read();
        if (!isOver) return controller.enqueue(value);
        controller.close();
        done();
      } catch (error) {
        controller.error(error);
        done();
      }
    },
    async cancel(reason) {
      stop.abort();
      await reader.cancel(reason);
      done();
    },
  });
  return new Response(stream, { status, headers: new Headers(headers) });
}
