/**
 * The Worker of the connectors: environment → host → answer, for the API Worker, which is bound to it. Wiring only. It is a
 * separate Worker, so that an API that only plans starts without drivers, whatever the number of sources
 * (docs/decisions/0053-the-api-starts-without-drivers.md#decision).
 */
import { connect } from "cloudflare:sockets";
import { WorkerEntrypoint } from "cloudflare:workers";
import { serveBinding } from "./connectors/bound-worker/far-end.ts";
import { publicFetch } from "./connectors/http/public-fetch.ts";
import { openHere } from "./connectors/open-here.ts";
import { platformDial } from "./connectors/socket/platform-dial.ts";

/** Only service bindings that name it reach this class: routes lead to the default export. */
export class Connectors extends WorkerEntrypoint<Readonly<Record<string, unknown>>> {
  override fetch(request: Request): Promise<Response> {
    const lent = {
      // The platform's `fetch` does not work as a method of another object.
      fetch: publicFetch((input, init) => fetch(input, init)),
      dial: platformDial(connect),
    };
    return serveBinding(request, {
      open: (connection, { signal, connectTimeoutMs }) =>
        openHere(connection, { ...lent, connectTimeoutMs }, { signal }),
      bindings: this.env,
      log: (line) => console.log(line),
      defer: (work) => this.ctx.waitUntil(work),
    });
  }
}

/** Answers requests over a route that somebody has assigned to this Worker. */
export default { fetch: () => new Response(null, { status: 404 }) } satisfies ExportedHandler;
