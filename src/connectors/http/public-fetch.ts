/**
 * `fetch` for connectors in a Worker. Placement has checked the host of a connection; this function also checks addresses in
 * responses (a next page, a link to rows). The sidecar has `sidecar/guarded-fetch.ts`.
 */
import { canonicalHost, hostScope } from "../../guard/egress.ts";
import { ConnectorFailure } from "../failure.ts";

/** `publicFetch` for local development (`ALLOW_PRIVATE_HOSTS`): also allows HTTP, and any host except metadata services. */
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

/** Allows only HTTPS to public hosts, and no redirects. Rejects with `ConnectorFailure` (`EGRESS_DENIED`). */
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
