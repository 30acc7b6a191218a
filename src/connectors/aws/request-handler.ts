/**
 * Network access for clients of the AWS SDK: by the `fetch` of the runtime, only to the connection's hosts, and with a size limit
 * for responses (`http/request.ts`). It never retries: the caller knows which requests are safe to repeat.
 */
import { type HttpSource, request } from "../http/request.ts";

/** The used members of the SDK's request. */
interface AwsRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | string[] | null>>;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface AwsResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
}

/** The SDK's interface of a request handler. */
interface AwsRequestHandler {
  handle(request: AwsRequest, options?: { readonly abortSignal?: unknown }): Promise<{ response: AwsResponse }>;
  httpHandlerConfigs(): Record<string, never>;
  updateHttpClientConfig(): void;
}

const MAX_ANSWER = 16 * 1024 * 1024;

export function awsRequestHandler(fetch: typeof globalThis.fetch, origins: readonly string[]): AwsRequestHandler {
  const source: HttpSource = {
    fetch,
    origins,
    maxBytes: MAX_ANSWER,
    // Refusals are responses whose body contains the reason; other statuses do not come from the service.
    isAnswer: (status) => status === 200 || status === 400 || status === 403 || status === 500,
    quotesRefusals: true,
  };
  return {
    async handle({ protocol, hostname, port, path, query = {}, method, headers, body }, options) {
      const address = new URL(`${protocol}//${hostname}${port === undefined ? "" : `:${port}`}${path}`);
      for (const [name, value] of Object.entries(query)) {
        for (const each of Array.isArray(value) ? value : [value]) address.searchParams.append(name, each ?? "");
      }
      const { host: _host, "content-length": _length, ...rest } = headers;
      const signal = options?.abortSignal;
      const answer = await request(source, address.href, {
        method,
        headers: rest,
        body: body as BodyInit | null,
        ...(signal !== undefined && { signal: signal as AbortSignal }),
      });
      return {
        response: {
          statusCode: answer.status,
          headers: Object.fromEntries(answer.headers),
          body: new Uint8Array(await answer.arrayBuffer()),
        },
      };
    },
    httpHandlerConfigs: () => ({}),
    updateHttpClientConfig: () => undefined,
  };
}
