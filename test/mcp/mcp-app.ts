/** The API with projects in memory, bound to the MCP Worker's code in this process. */
import { createMcp, type ServerOf } from "../../src/mcp/handler.ts";
import { type Keys, type ProjectApp, projectApp } from "../projects/project-app.ts";

const REVISION = "2026-07-28";

export interface McpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of any method
  readonly result: any;
  // biome-ignore lint/suspicious/noExplicitAny: errors of any method
  readonly error: any;
}

export interface McpApp extends ProjectApp {
  call(key: string, method: string, params?: Record<string, unknown>, project?: string): Promise<McpAnswer>;
  /** The text and the structure of a tool's result. */
  tool(
    key: string,
    name: string,
    given?: Record<string, unknown>,
    project?: string,
  ): Promise<{ readonly text: string; readonly structured: Record<string, unknown>; readonly isError: boolean }>;
}

export function mcpApp(keys: Keys, options: Parameters<typeof projectApp>[1] = {}, serverOf?: ServerOf): McpApp {
  const mcp = createMcp(() => undefined, serverOf);
  const app = projectApp(keys, {
    ...options,
    api: { mcp: (request, project, ask) => mcp(request, project, ask, () => undefined), ...options.api },
  });
  const call: McpApp["call"] = async (key, method, params = {}, project = "/shop") => {
    const response = await app.fetch(`/mcp${project}`, { method: "POST", ...messageOf(key, method, params) });
    const text = await response.text();
    const body = text.startsWith("{") ? (JSON.parse(text) as { result?: unknown; error?: unknown }) : {};
    return { status: response.status, headers: response.headers, text, result: body.result, error: body.error };
  };
  return {
    ...app,
    call,
    tool: async (key, name, given = {}, project) => {
      const { result, text } = await call(key, "tools/call", { name, arguments: given }, project);
      if (result === undefined) throw new Error(text);
      return { text: result.content[0].text, structured: result.structuredContent, isError: result.isError === true };
    },
  };
}

/** Headers and body of a request of the newest revision. */
export function messageOf(
  key: string,
  method: string,
  params: Record<string, unknown> = {},
): { readonly headers: Record<string, string>; readonly body: string } {
  const name = params["name"] ?? params["uri"];
  return {
    headers: {
      ...(key !== "" && { Authorization: `Bearer ${key}` }),
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": REVISION,
      "mcp-method": method,
      ...(typeof name === "string" && { "mcp-name": name }),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": REVISION,
          "io.modelcontextprotocol/clientCapabilities": {},
          "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
        },
      },
    }),
  };
}
