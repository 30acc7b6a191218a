/** Members that a request to a project may not bring, and the context of the request. */
import type { Caller } from "../guard/caller.ts";
import { listLiteralOf, literalOf } from "../guard/property-literal.ts";
import { ServiceError } from "../service/failure.ts";
import type { UsedProject } from "../service/projects/open.ts";
import type { CallContext } from "../service/services.ts";
import type { Exchange } from "./exchange.ts";
import { RequestProblems } from "./problems.ts";

/** Members that a project brings itself. */
const FIXED = [
  "manifestStr",
  "connectionInfo",
  "connectionFilePath",
  "manifest_str",
  "connection_info",
  "connection_file_path",
];

/** Throws `PROJECT_FIXES_THIS`. */
export function refuseFixedMembers(body: Readonly<Record<string, unknown>>): void {
  const given = FIXED.find((name) => Object.hasOwn(body, name) && body[name] !== null && body[name] !== undefined);
  if (given === undefined) return;
  throw new ServiceError("PROJECT_FIXES_THIS", `The project brings its own manifest and connection: remove ${given}.`, {
    ownWords: true,
  });
}

/** Values that rules read come from credentials or the operator. Throws `PROJECT_FIXES_THIS`. */
export function refuseFixed(
  { pointer: { callerProperties } }: UsedProject,
  { body, header }: { readonly body: ReadonlyMap<string, string>; readonly header: ReadonlyMap<string, string> },
): void {
  const refused = [...body.keys(), ...header.keys()].find((name) => !callerProperties.includes(name));
  if (refused === undefined) return;
  const settable = callerProperties.length === 0 ? "none" : callerProperties.join(", ");
  throw new ServiceError("PROJECT_FIXES_THIS", "Session properties of a project come from your credentials.", {
    metadata: { hint: `Requests may set ${settable}.` },
    ownWords: true,
  });
}

/** Part of the context that a project decides. The limits are the smaller of the caller's and the project's. */
export function contextIn(
  { name, pointer }: UsedProject,
  { limits }: Pick<Caller, "limits">,
  { timeZone }: Pick<CallContext, "timeZone">,
): Pick<CallContext, "project" | "connections" | "ownConnections" | "most" | "timeZone"> {
  const rows = lower(limits.rows, pointer.limits.rows);
  const bytes = lower(limits.bytes, pointer.limits.bytes);
  return {
    project: name,
    connections: new Set([pointer.connection]),
    ownConnections: false,
    most: { ...limits, ...(rows !== undefined && { rows }), ...(bytes !== undefined && { bytes }) },
    timeZone: timeZone ?? pointer.timeZone,
  };
}

const lower = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);

const MOST_PROPERTIES = 100;

/**
 * The session that another caller would have: the operator's properties, and these in the place of the caller's own. Throws
 * `VIEW_AS_NOT_ALLOWED`, `RequestProblems`.
 */
export function viewedSession(
  exchange: Exchange,
  caller: Caller,
  viewAs: unknown,
  operator: ReadonlyMap<string, string>,
): CallContext["session"] {
  const { authenticator, projectsOpen } = exchange.options;
  // Projects that are open to a network are open to callers who forge the name of a loopback host.
  const isLocal = projectsOpen !== true && isLoopback(exchange.url.hostname);
  const isWithoutNames = authenticator.scheme === "none" && !isLocal;
  if (caller.viewAs !== true || isWithoutNames) {
    const message = "Your credentials do not allow viewAs: it needs the scope siskin:view-as.";
    throw new ServiceError("VIEW_AS_NOT_ALLOWED", message, { ownWords: true });
  }
  const wrong = (loc: readonly string[], msg: string): RequestProblems =>
    new RequestProblems([{ type: "value_error", loc: ["body", "viewAs", ...loc], msg }]);
  if (typeof viewAs !== "object" || viewAs === null || Array.isArray(viewAs)) {
    throw wrong([], "Input should be an object of session properties and their values");
  }
  const entries = Object.entries(viewAs);
  if (entries.length > MOST_PROPERTIES) throw wrong([], `Input should have at most ${MOST_PROPERTIES} members`);
  const viewed = new Map<string, string>();
  for (const [name, value] of entries) {
    const literal = Array.isArray(value) ? listLiteralOf(value) : literalOf(value);
    const key = name.toLowerCase();
    if (literal === undefined || viewed.has(key)) {
      throw wrong([name.slice(0, 100)], "Input should be a text, a number, true, false or a list of texts, once");
    }
    viewed.set(key, literal);
  }
  exchange.audit?.views([...viewed.keys()]);
  return new Map([...viewed, ...operator]);
}

/** Names of this machine. A page of another site can lead to it only under that site's own name. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}
