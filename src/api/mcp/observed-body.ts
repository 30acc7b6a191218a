/** An answer of the MCP Worker as the API's: its log line is written when its body ends, whoever ends it. */
import type { Exchange } from "../exchange.ts";

/** `gone` is called when the client closes the stream. */
export function observed(exchange: Exchange, { status, headers, body }: Response, gone: () => void): Response {
  const head = { status, headers: new Headers(headers) };
  const isStream = headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (body === null || !isStream) return new Response(body, head);
  exchange.streaming = true;
  const reader = body.getReader();
  const end = (ended?: "cancelled" | "failed"): void => {
    if (ended !== undefined) exchange.outcome = { ...exchange.outcome, ended };
    exchange.finish();
  };
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
        end();
      } catch (error) {
        controller.error(error);
        end("failed");
      }
    },
    async cancel(reason) {
      gone();
      end("cancelled");
      await reader.cancel(reason);
    },
  });
  return new Response(stream, head);
}
