/**
 * The query cache in headers: the request's directives and the answer's report (docs/spec/contract.md#cache-headers, RFC 9111, RFC
 * 9211).
 */
import type { CacheReport, CacheRequest } from "../service/cached-query.ts";

/** The caller's parameters and `Cache-Control`; undefined without `cacheEnable`. */
export function cacheRequestOf(
  parameters: { readonly enable: boolean; readonly override: boolean },
  cacheControl: string | null,
): CacheRequest | undefined {
  if (!parameters.enable) return undefined;
  const { override } = parameters;
  let maxAge: number | undefined;
  let noStore = false;
  for (const directive of (cacheControl ?? "").toLowerCase().split(",")) {
    const [name = "", value = ""] = directive.split("=").map((part) => part.trim().replace(/^"(.*)"$/, "$1"));
    if (name === "no-store") noStore = true;
    // An entry cannot be revalidated with the source, so the query runs again.
    else if (name === "no-cache") maxAge = 0;
    else if (name === "max-age" && /^\d{1,10}$/.test(value))
      maxAge = Math.min(maxAge ?? Number.POSITIVE_INFINITY, Number(value));
  }
  return { override, maxAge, noStore };
}

/** One word for the request log. */
export function cacheOutcome(report: CacheReport): string {
  if (report.kind === "hit") return report.collapsed ? "collapsed" : report.ttl < 0 ? "stale-hit" : "hit";
  return report.detail ?? report.because;
}

export function cacheHeaders(report: CacheReport | undefined): Readonly<Record<string, string>> {
  if (report === undefined) return { "X-Cache-Hit": "false" };
  if (report.kind === "hit") {
    const { createdAt, ttl, collapsed } = report;
    return {
      "X-Cache-Hit": "true",
      "X-Cache-Create-At": String(createdAt),
      "Cache-Status": collapsed ? "siskin; fwd=miss; collapsed" : `siskin; hit; ttl=${ttl}`,
    };
  }
  const { because, detail, replaced } = report;
  return {
    "X-Cache-Hit": "false",
    "Cache-Status": `siskin; fwd=${because}${detail === undefined ? "" : `; detail=${detail}`}`,
    ...(replaced !== undefined && {
      "X-Cache-Create-At": String(replaced.createdAt),
      "X-Cache-Override": "true",
      "X-Cache-Override-At": String(replaced.at),
    }),
  };
}
