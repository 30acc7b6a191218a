/** Tools, prompts and resources of the names that the conformance suite calls, on the MCP Worker's own handler. */
import { ProtocolError, Server, type ServerContext } from "@modelcontextprotocol/server";
import type { ServerOf } from "../../../src/mcp/handler.ts";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

type Result = Record<string, unknown>;
type Run = (context: ServerContext, given: Record<string, unknown>) => Result | Promise<Result>;

const text = (words: string): Result => ({ type: "text", text: words });
const content = (...parts: Result[]): Result => ({ content: parts });
const resource = (uri: string, mimeType: string, words: string): Result => ({
  type: "resource",
  resource: { uri, mimeType, text: words },
});
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

const asksUser = (message: string, name: string, type = "string"): Result => ({
  method: "elicitation/create",
  params: {
    mode: "form",
    message,
    requestedSchema: { type: "object", properties: { [name]: { type } }, required: [name] },
  },
});
const asksModel = (question: string): Result => ({
  method: "sampling/createMessage",
  params: { messages: [{ role: "user", content: text(question) }], maxTokens: 100 },
});
const ASKS_ROOTS: Result = { method: "roots/list", params: {} };

const inputRequired = (inputRequests: Result, requestState?: string): Result => ({
  resultType: "input_required",
  inputRequests,
  ...(requestState !== undefined && { requestState }),
});

/** The state of a round, with a signature. */
async function sealed(state: string): Promise<string> {
  return `${state}.${await signatureOf(state)}`;
}

async function opened(context: ServerContext): Promise<string> {
  const given = context.mcpReq.requestState<string>() ?? "";
  const [state = "", signature] = given.split(".");
  if (signature !== (await signatureOf(state))) throw new ProtocolError(-32602, "The state is not ours.");
  return state;
}

async function signatureOf(state: string): Promise<string> {
  const hash = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", new TextEncoder().encode("of this test"), hash, false, ["sign"]);
  const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(state)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Asks in the first round, and repeats the answers in the second. */
function asking(requests: Result, isSealed = false): Run {
  return async ({ mcpReq, ...context }) => {
    const answers = mcpReq.inputResponses ?? {};
    const missing = Object.keys(requests).filter((name) => !isAnswer(answers[name], requests[name] as Result));
    if (missing.length > 0) return inputRequired(requests, isSealed ? await sealed("first") : undefined);
    if (isSealed) await opened({ mcpReq, ...context } as ServerContext);
    return content(text(`state-ok ${JSON.stringify(answers)}`));
  };
}

/** The client's answer is of the form that was asked for. */
function isAnswer(answer: unknown, { method, params }: Result): boolean {
  if (typeof answer !== "object" || answer === null) return false;
  if (method === "roots/list") return "roots" in answer;
  if (method !== "elicitation/create") return "content" in answer;
  const { content: given } = answer as { readonly content?: unknown };
  const { requestedSchema } = params as { readonly requestedSchema: { readonly required: readonly string[] } };
  return (
    typeof given === "object" && given !== null && requestedSchema.required.every((name) => Object.hasOwn(given, name))
  );
}

const elicits =
  (params: Result): Run =>
  async ({ mcpReq }) => {
    const answer = await mcpReq.send({ method: "elicitation/create", params } as never);
    return content(text(JSON.stringify(answer)));
  };

const missingCapability = (requiredCapabilities: Result): ProtocolError =>
  new ProtocolError(-32021, "A capability of the client is missing.", { requiredCapabilities });

const capabilitiesOf = ({ mcpReq }: ServerContext): Record<string, unknown> =>
  ((mcpReq.envelope as Record<string, unknown> | undefined)?.["io.modelcontextprotocol/clientCapabilities"] ??
    {}) as Record<string, unknown>;

const TOOLS: Readonly<Record<string, Run>> = {
  test_simple_text: () => content(text("A simple text.")),
  test_image_content: () => content({ type: "image", data: PIXEL, mimeType: "image/png" }),
  test_audio_content: () => content({ type: "audio", data: SILENCE, mimeType: "audio/wav" }),
  test_embedded_resource: () => content(resource("test://embedded-resource", "text/plain", "An embedded resource.")),
  test_multiple_content_types: () =>
    content(
      text("Several types:"),
      { type: "image", data: PIXEL, mimeType: "image/png" },
      resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ),
  test_error_handling: () => ({
    ...content(text("This tool intentionally returns an error for testing")),
    isError: true,
  }),
  test_tool_with_progress: async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken ?? 0;
    for (const progress of [0, 50, 100]) {
      await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
      await pause();
    }
    return content(text("done"));
  },
  test_tool_with_logging: async ({ mcpReq }) => {
    for (const data of ["started", "working", "ended"]) {
      await mcpReq.notify({ method: "notifications/message", params: { level: "info", data } });
      await pause();
    }
    return content(text("done"));
  },
  test_logging_tool: () => content(text("Nothing was logged.")),
  test_missing_capability: (context) => {
    if (!("sampling" in capabilitiesOf(context))) throw missingCapability({ sampling: {} });
    return content(text("The client samples."));
  },
  test_streaming_elicitation: async (context, given) => {
    const token = context.mcpReq._meta?.progressToken ?? 0;
    await context.mcpReq.notify({ method: "notifications/progress", params: { progressToken: token, progress: 1 } });
    return asking({ user_name: asksUser("What is your name?", "name") })(context, given);
  },
  test_sampling: async ({ mcpReq }) =>
    content(text(JSON.stringify(await mcpReq.send(asksModel("A question?") as never)))),
  test_elicitation: elicits({
    message: "Answer, please.",
    requestedSchema: { type: "object", properties: { response: { type: "string" } }, required: ["response"] },
  }),
  test_input_required_result_elicitation: asking({ user_name: asksUser("What is your name?", "name") }),
  test_input_required_result_sampling: asking({ capital_question: asksModel("What is the capital of France?") }),
  test_input_required_result_list_roots: asking({ client_roots: ASKS_ROOTS }),
  test_input_required_result_request_state: asking({ confirm: asksUser("Please confirm", "ok", "boolean") }, true),
  test_input_required_result_tampered_state: asking({ confirm: asksUser("Please confirm", "ok", "boolean") }, true),
  test_input_required_result_multiple_inputs: asking(
    {
      user_name: asksUser("What is your name?", "name"),
      greeting: asksModel("Write a greeting."),
      client_roots: ASKS_ROOTS,
    },
    true,
  ),
  test_input_required_result_multi_round: async (context) => {
    const { inputResponses } = context.mcpReq;
    if (inputResponses === undefined) {
      return inputRequired({ step1: asksUser("Step 1: What is your name?", "name") }, await sealed("1"));
    }
    const round = await opened(context);
    return round === "1"
      ? inputRequired({ step2: asksUser("Step 2: What is your favourite colour?", "color") }, await sealed("2"))
      : content(text("All rounds are done."));
  },
  test_input_required_result_capabilities: (context) => {
    const declared = capabilitiesOf(context);
    const requests = {
      ...("elicitation" in declared && { name: asksUser("What is your name?", "name") }),
      ...("sampling" in declared && { greeting: asksModel("Write a greeting.") }),
      ...("roots" in declared && { roots: ASKS_ROOTS }),
    };
    return Object.keys(requests).length === 0 ? content(text("Nothing to ask.")) : inputRequired(requests);
  },
};

const message = (...parts: Result[]): Result => ({ messages: parts.map((part) => ({ role: "user", content: part })) });

const PROMPTS: Readonly<Record<string, { readonly names: readonly string[]; readonly run: Run }>> = {
  test_simple_prompt: { names: [], run: () => message(text("A simple prompt.")) },
  test_prompt_with_arguments: {
    names: ["arg1", "arg2"],
    run: (_context, { arg1, arg2 }) => message(text(`arg1='${String(arg1)}', arg2='${String(arg2)}'`)),
  },
  test_prompt_with_embedded_resource: {
    names: ["resourceUri"],
    run: (_context, { resourceUri }) =>
      message(resource(String(resourceUri), "text/plain", "Embedded."), text("Read it.")),
  },
  test_prompt_with_image: {
    names: [],
    run: () => message({ type: "image", data: PIXEL, mimeType: "image/png" }, text("Look at it.")),
  },
  test_input_required_result_prompt: {
    names: [],
    run: ({ mcpReq }) =>
      mcpReq.inputResponses === undefined
        ? inputRequired({ user_context: asksUser("What context should the prompt use?", "context") })
        : message(text(JSON.stringify(mcpReq.inputResponses))),
  },
};

function resourceAt(uri: string): Result {
  const own = (mimeType: string, more: Result): Result => ({ contents: [{ uri, mimeType, ...more }] });
  if (uri === "test://static-text")
    return own("text/plain", { text: "This is the content of the static text resource." });
  if (uri === "test://static-binary") return own("image/png", { blob: PIXEL });
  if (uri === "test://watched-resource") return own("text/plain", { text: "Watched." });
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id !== undefined) return own("application/json", { text: JSON.stringify({ id, data: `Data for ID: ${id}` }) });
  throw new ProtocolError(-32602, "Resource not found", { uri });
}

const CACHED = { ttlMs: 60_000, cacheScope: "private" } as const;

export const conformanceServer: ServerOf = () => {
  const server = new Server(
    { name: "fixtures", version: "1" },
    {
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} },
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
  const schema = { type: "object" } as const;
  const tools = Object.keys(TOOLS).map((name) => ({ name, description: `The fixture ${name}.`, inputSchema: schema }));
  server.setRequestHandler("tools/list", () => ({ tools }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const run = TOOLS[params.name];
    if (run === undefined) throw new ProtocolError(-32602, "There is no tool of that name.");
    return (await run(context, params.arguments ?? {})) as never;
  });
  server.setRequestHandler("prompts/list", () => ({
    prompts: Object.entries(PROMPTS).map(([name, { names }]) => ({
      name,
      description: `The fixture ${name}.`,
      arguments: names.map((each) => ({ name: each, description: each, required: true })),
    })),
  }));
  server.setRequestHandler("prompts/get", async ({ params }, context) => {
    const prompt = PROMPTS[params.name];
    if (prompt === undefined) throw new ProtocolError(-32602, "There is no prompt of that name.");
    return (await prompt.run(context, params.arguments ?? {})) as never;
  });
  server.setRequestHandler("resources/list", () => ({
    resources: ["static-text", "static-binary", "watched-resource"].map((name) => ({
      uri: `test://${name}`,
      name,
      description: `The fixture ${name}.`,
      mimeType: name === "static-binary" ? "image/png" : "text/plain",
    })),
  }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [{ uriTemplate: "test://template/{id}/data", name: "template", mimeType: "application/json" }],
  }));
  server.setRequestHandler("resources/read", ({ params }) => resourceAt(params.uri) as never);
  server.setRequestHandler("completion/complete", () => ({ completion: { values: [], total: 0, hasMore: false } }));
  return server;
};
