/** `tools/list` and `tools/call`. */
import {
  type CallToolRequestParams,
  type CallToolResult,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { nearestNames } from "../../planner/suggest.ts";
import { ToolFailure } from "../answers.ts";
import type { Session } from "../use-cases.ts";
import { VIEW_URI } from "../view.ts";
import { checkedArguments } from "./arguments.ts";
import { TOOLS } from "./tools.ts";

const ANNOTATIONS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

export async function listTools(session: Session): Promise<ListToolsResult> {
  const tools = await Promise.all(
    TOOLS.map(async ({ name, title, description, inputSchema, outputSchema, inputFor, hasView }) => ({
      name,
      title,
      description,
      inputSchema: (await inputFor?.(session)) ?? inputSchema,
      outputSchema,
      annotations: { title, ...ANNOTATIONS },
      ...(hasView === true && session.project.hasView && { _meta: { ui: { resourceUri: VIEW_URI } } }),
    })),
  );
  return { tools } as unknown as ListToolsResult;
}

export async function callTool(
  session: Session,
  { name, arguments: given }: CallToolRequestParams,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const tool = TOOLS.find((each) => each.name === name);
  if (tool === undefined) {
    const [near] = nearestNames(
      name.slice(0, 60),
      TOOLS.map((each) => each.name),
    );
    const hint = near === undefined ? "" : ` Did you mean ${near}?`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool of that name.${hint}`);
  }
  try {
    const { text, structured } = await tool.run(session, checkedArguments(given, tool.inputSchema), signal);
    return { content: [{ type: "text", text }], structuredContent: structured };
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    const { structured, message } = error;
    return { content: [{ type: "text", text: message }], structuredContent: { error: structured }, isError: true };
  }
}
