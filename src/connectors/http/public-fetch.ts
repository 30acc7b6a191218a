/**
 * `fetch` for connectors in a Worker. Placement has judged the host that a connection names; addresses that an answer names
 * later (a next page, a link to rows) come by here and nowhere else. The sidecar's is `sidecar/guarded-fetch.ts`.
 */
import { canonicalHost, hostScope } from "../../guard/egress.ts";
import { ConnectorFailure } from "../failure.ts";

/** Of a Worker for local development (`ALLOW_PRIVATE_HOSTS`): over HTTP as well, to any host but metadata services. As `publicFetch`. */
export function localFetch(by: typeof fetch): typeof fetch {
  return async (input, init) => {
    const { hostname } = new URL(input instanceof Request ? input.url : input);
    const host = canonicalHost(hostname);
    if (host === undefined || hostScope(host) === "metadata") {
      throw new ConnectorFailure("EGRESS_DENIED", `A Worker asks nothing of ${hostname}.`);
    }
    return by(input, { ...init, redirect: "manual" });
  };
}

/** Over HTTPS, to public hosts, and never after a redirect. Rejects with `ConnectorFailure` (`EGRESS_DENIED`). */
export function publicFetch(by: typeof fetch): typeof fetch {
  return async (input, init) => {
    const { protocol, hostname } = new URL(input instanceof Request ? input.url : input);
    const host = canonicalHost(hostname);
    if (protocol !== "https:" || host === undefined || hostScope(host) !== "public") {
      throw new ConnectorFailure("EGRESS_DENIED", `A Worker asks nothing of ${protocol}//${hostname}.`, {
        hint: "Sources are asked over HTTPS, at public hosts; a sidecar reaches others.",
      });
    }
    return by(input, { ...init, redirect: "manual" });
  };
}
