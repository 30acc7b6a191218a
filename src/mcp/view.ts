/** The view of a result, for hosts with the extension MCP Apps: one HTML file, which the API reads from the files of its pages. */
import type { ReadResourceResult, Resource } from "@modelcontextprotocol/server";
import type { Session } from "./use-cases.ts";

export const VIEW_URI = "ui://siskin/result.html";
const MIME_TYPE = "text/html;profile=mcp-app";

export const VIEW_RESOURCE: Resource = {
  uri: VIEW_URI,
  name: "result",
  title: "Result",
  description: "Shows the rows of query and query_cube as a table or a chart.",
  mimeType: MIME_TYPE,
};

/** The view loads nothing and asks nobody, so it names no host. Undefined where the service has no view. */
export async function readView({ ask }: Session): Promise<ReadResourceResult | undefined> {
  const response = await ask("view", undefined, {});
  if (!response.ok) return undefined;
  const content = { uri: VIEW_URI, mimeType: MIME_TYPE, text: await response.text() };
  return { contents: [{ ...content, _meta: { ui: { csp: {}, prefersBorder: true } } }] };
}
