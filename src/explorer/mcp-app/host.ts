/** The host of the view, as the extension MCP Apps of 2026-01-26 has it: JSON-RPC by messages between the frame and its parent. */

const PROTOCOL = "2026-01-26";

/** The part of a host's context that the view reads. */
export interface HostContext {
  readonly theme?: unknown;
}

export interface HostEvents {
  readonly context: (context: HostContext) => void;
  /** Arguments of the call. */
  readonly input: (given: unknown) => void;
  /** Result of the call: `content`, `structuredContent`, `isError`. */
  readonly result: (result: unknown) => void;
  readonly cancelled: (reason: unknown) => void;
}

interface Message {
  readonly jsonrpc?: unknown;
  readonly id?: string | number;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
}

/** Messages hold nothing of the answer, so they may go to a parent of any origin; only the parent's own are read. */
const say = (message: object): void => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");

const INITIALIZE = 1;

export function connect({ context, input, result, cancelled }: HostEvents): void {
  const paramsOf = ({ params }: Message): Readonly<Record<string, unknown>> =>
    typeof params === "object" && params !== null ? (params as Readonly<Record<string, unknown>>) : {};
  addEventListener("message", ({ source, data }: MessageEvent<unknown>) => {
    if (source !== parent || typeof data !== "object" || data === null) return;
    const message = data as Message;
    if (message.jsonrpc !== "2.0") return;
    if (message.method === undefined) {
      if (message.id !== INITIALIZE || typeof message.result !== "object" || message.result === null) return;
      context((message.result as { readonly hostContext?: HostContext }).hostContext ?? {});
      say({ method: "ui/notifications/initialized", params: {} });
      return;
    }
    switch (message.method) {
      case "ui/notifications/tool-input":
        return input(paramsOf(message)["arguments"]);
      case "ui/notifications/tool-result":
        return result(paramsOf(message));
      case "ui/notifications/tool-cancelled":
        return cancelled(paramsOf(message)["reason"]);
      case "ui/notifications/host-context-changed":
        return context(paramsOf(message));
      default:
        if (message.id !== undefined) answer(message.id, message.method);
    }
  });
  say({
    id: INITIALIZE,
    method: "ui/initialize",
    params: { protocolVersion: PROTOCOL, appInfo: { name: "siskin-result", version: "1" }, appCapabilities: {} },
  });
}

/** A request of the host. */
function answer(id: string | number, method: unknown): void {
  const isKnown = method === "ping" || method === "ui/resource-teardown";
  say(isKnown ? { id, result: {} } : { id, error: { code: -32601, message: "Method not found" } });
}

/** Tells the host how much room the view takes. */
export function reportSize(element: Element): void {
  new ResizeObserver(() => {
    const { width, height } = element.getBoundingClientRect();
    say({
      method: "ui/notifications/size-changed",
      params: { width: Math.ceil(width), height: Math.ceil(height) },
    });
  }).observe(element);
}
