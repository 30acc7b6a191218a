/**
 * Passes messages of the Model Context Protocol between a host that speaks over standard input and output, and a service over HTTP: a
 * line of JSON is a message on one side, a request or an event on the other. Nothing is kept but the revision that was agreed on.
 */

export interface BridgeOptions {
  /** The address of the project. */
  readonly url: string;
  /** A key or a token. */
  readonly token: string | undefined;
  readonly fetch: typeof fetch;
  /** Takes one line, without its end. */
  readonly write: (line: string) => void;
}

interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: {
    readonly name?: unknown;
    readonly uri?: unknown;
    readonly requestId?: unknown;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
}

const REVISION = "io.modelcontextprotocol/protocolVersion";
/** Errors of JSON-RPC. */
const PARSE_ERROR = -32_700;
const INTERNAL_ERROR = -32_603;

export class Bridge {
  readonly #options: BridgeOptions;
  /** Requests that run, by their id. */
  readonly #running = new Map<string | number, AbortController>();
  /** Agreed on by `initialize`, in revisions that have it. */
  #revision: string | undefined;

  constructor(options: BridgeOptions) {
    this.#options = options;
  }

  /** Resolves when the message is answered. Never rejects. */
  async take(line: string): Promise<void> {
    if (line.trim() === "") return;
    let message: Message;
    try {
      message = JSON.parse(line) as Message;
      if (typeof message !== "object" || message === null) throw new TypeError("no object");
    } catch {
      this.#fail(null, PARSE_ERROR, "The line is no JSON-RPC message.");
      return;
    }
    if (message.method === "notifications/cancelled") this.#cancel(message.params?.requestId);
    const { id } = message;
    const stop = new AbortController();
    if (id !== undefined && id !== null) this.#running.set(id, stop);
    try {
      await this.#send(message, line, stop.signal);
    } catch (error) {
      // The protocol has no answer to a request that its host has cancelled.
      if (!stop.signal.aborted && id !== undefined) {
        const reason = error instanceof Error ? error.message : String(error);
        this.#fail(id, INTERNAL_ERROR, `The service cannot be reached: ${reason}`);
      }
    } finally {
      if (id !== undefined && id !== null) this.#running.delete(id);
    }
  }

  /** The host has gone: statements at sources end. */
  close(): void {
    for (const stop of this.#running.values()) stop.abort();
  }

  #cancel(id: unknown): void {
    if (typeof id === "string" || typeof id === "number") this.#running.get(id)?.abort();
  }

  async #send(message: Message, body: string, signal: AbortSignal): Promise<void> {
    const { fetch, url } = this.#options;
    const response = await fetch(url, { method: "POST", headers: this.#headers(message), body, signal });
    const type = response.headers.get("content-type") ?? "";
    if (type.startsWith("text/event-stream") && response.body !== null) {
      for await (const data of eventsOf(response.body)) this.#pass(message, data);
      return;
    }
    const text = await response.text();
    if (text.includes('"jsonrpc"')) this.#pass(message, text);
    else if (!response.ok && message.id !== undefined)
      this.#fail(message.id, INTERNAL_ERROR, refusalIn(text, response));
  }

  #headers({ method, params }: Message): Record<string, string> {
    const given = params?._meta?.[REVISION];
    const revision = typeof given === "string" ? given : this.#revision;
    const name = params?.name ?? params?.uri;
    const { token } = this.#options;
    return {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(revision !== undefined && { "mcp-protocol-version": revision }),
      ...(method !== undefined && { "mcp-method": method }),
      ...(typeof name === "string" && { "mcp-name": name }),
    };
  }

  #pass({ method }: Message, text: string): void {
    const answer = JSON.parse(text) as { readonly result?: { readonly protocolVersion?: unknown } };
    const revision = answer.result?.protocolVersion;
    if (method === "initialize" && typeof revision === "string") this.#revision = revision;
    // One message has one line.
    this.#options.write(JSON.stringify(answer));
  }

  #fail(id: string | number | null, code: number, message: string): void {
    this.#options.write(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } }));
  }
}

/** Errors of the service before the protocol: an unknown project, no credentials. */
function refusalIn(text: string, { status }: Response): string {
  try {
    const { message, metadata } = JSON.parse(text) as { message?: string; metadata?: { hint?: string } };
    if (message !== undefined) return `${message}${metadata?.hint === undefined ? "" : ` ${metadata.hint}`}`;
  } catch {
    // The status says it.
  }
  return `The service answered with status ${status}.`;
}

/** Data of the events of a stream; comments are left out. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const events = text.split(/\r?\n\r?\n/);
    text = events.pop() ?? "";
    for (const event of events) {
      const data = event
        .split(/\r?\n/)
        .filter((line) => line.startsWith("data:"))
        .map((line) => line.slice("data:".length).trimStart());
      if (data.length > 0) yield data.join("\n");
    }
  }
}
