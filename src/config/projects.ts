/** Settings of projects and of browsers that ask the API (docs/guide/projects.md). */
import * as z from "zod/mini";
import { isSecure } from "../secure-url.ts";
import { flag, list, optional, type Setting, standard } from "./setting.ts";

/** `https://app.example.com`, without path; one wildcard would open the API to every page. */
const origins = () =>
  z.pipe(
    list(),
    z.transform((entries: string[], context) => {
      entries.forEach((entry, index) => {
        if (isOrigin(entry)) return;
        const message = `entry ${index + 1} is no origin, such as https://app.example.com`;
        context.issues.push({ code: "custom", message, input: undefined });
      });
      return entries;
    }),
  ) as unknown as z.ZodMiniType<readonly string[]>;

function isOrigin(text: string): boolean {
  try {
    const { origin, protocol } = new URL(text);
    return origin === text && (protocol === "https:" || protocol === "http:");
  } catch {
    return false;
  }
}

export const projectSettings = {
  PROJECTS: standard(
    () => z.enum(["off", "files", "kv", "r2"]),
    "off",
    "Where the operator's projects are read from: a directory (`PROJECTS_DIRECTORY` of the supervisor), or the binding `PROJECT_STORE`, a KV namespace or an R2 bucket.",
  ),
  PROJECTS_OPEN: standard(
    flag,
    false,
    "With `AUTH=none`: serve projects under other host names than loopback ones, too, to whoever asks.",
  ),
  ALLOWED_ORIGINS: standard(
    origins,
    [],
    "Origins of web pages that may ask the API from a browser (CORS): `https://app.example.com`. None without it.",
  ),
  MCP_RESOURCE: optional(
    () => z.url(),
    "For agents with `AUTH=jwt`: the public address of `/mcp`, such as `https://sql.example.com/mcp`, which `JWT_AUDIENCE` lists, too ([agents.md](../guide/agents.md)).",
  ),
  MCP_SCOPES: standard(
    list,
    ["siskin:query"],
    "Scopes that agents are told to ask the issuer for. A token needs `siskin:query`; some issuers add a prefix to what is asked for.",
  ),
  EXPLORER: optional(
    () => z.enum(["on", "off"]),
    "Whether the pages are served: `/explore`, which shows a project's model and asks it, `/docs` with forms, and the guides. Without the setting they are, with `AUTH=none` under loopback host names only.",
  ),
  EXPLORER_HISTORY: standard(
    () => z.enum(["on", "off"]),
    "on",
    "Whether the page keeps the questions of a person in that person's browser; it never keeps rows or credentials.",
  ),
  EXPLORER_CLIENT_ID: optional(
    () => z.string().check(z.minLength(1)),
    "For `AUTH=jwt`: the page signs people in at `JWT_ISSUER` as this public client, by an authorization code with PKCE. Its redirect address ends with `/explore` ([explore.md](../guide/explore.md)).",
  ),
  EXPLORER_SCOPES: standard(list, ["openid"], "Scopes that the page asks the issuer for."),
} as const satisfies Readonly<Record<string, Setting>>;

interface Values {
  readonly PROJECTS: "off" | "files" | "kv" | "r2";
  readonly PROJECTS_OPEN: boolean;
  readonly AUTH: string;
  readonly MCP_RESOURCE: string | undefined;
  readonly JWT_AUDIENCE: readonly string[];
  readonly JWT_ISSUER: string | undefined;
  readonly EXPLORER_CLIENT_ID: string | undefined;
}

/** One sentence per contradiction. */
export function projectProblems(settings: Values, environment: Readonly<Record<string, unknown>>): string[] {
  const { PROJECTS: kind, PROJECTS_OPEN: isOpen, AUTH: auth } = settings;
  const problems: string[] = [];
  if ((kind === "kv" || kind === "r2") && typeof environment["PROJECT_STORE"] !== "object") {
    problems.push(`PROJECTS is ${kind}, and there is no binding PROJECT_STORE`);
  }
  if (kind === "files" && typeof environment["PROJECT_FILES"] !== "object") {
    problems.push("PROJECTS is files, and there is no binding PROJECT_FILES: PROJECTS_DIRECTORY is not set");
  }
  problems.push(...resourceProblems(settings), ...signInProblems(settings));
  if (isOpen && auth !== "none") problems.push("PROJECTS_OPEN is for AUTH=none");
  return problems;
}

function resourceProblems({ MCP_RESOURCE: resource, JWT_AUDIENCE, AUTH }: Values): string[] {
  if (resource === undefined) return [];
  if (AUTH !== "jwt") return ["MCP_RESOURCE is for AUTH=jwt"];
  const problems: string[] = [];
  const { pathname, search, hash } = new URL(resource);
  if (pathname !== "/mcp" || search !== "" || hash !== "") problems.push("MCP_RESOURCE must end with /mcp");
  if (!isSecure(resource)) problems.push("MCP_RESOURCE must be https unless it is a loopback address");
  if (!JWT_AUDIENCE.includes(resource)) problems.push("JWT_AUDIENCE must list MCP_RESOURCE");
  return problems;
}

/** The page finds the issuer's addresses below `JWT_ISSUER`, so that has to be an address. */
function signInProblems({ EXPLORER_CLIENT_ID, AUTH, JWT_ISSUER = "" }: Values): string[] {
  if (EXPLORER_CLIENT_ID === undefined) return [];
  if (AUTH !== "jwt") return ["EXPLORER_CLIENT_ID is for AUTH=jwt"];
  const isAddress = URL.canParse(JWT_ISSUER) && isSecure(JWT_ISSUER);
  return isAddress ? [] : ["EXPLORER_CLIENT_ID needs a JWT_ISSUER that is an https address, or a loopback one"];
}

/**
 * Why projects may not be served at an address that others reach: without authentication the API knows loopback only by the request's
 * Host, which a caller on the network can forge.
 */
export function reachableProjectProblems({
  PROJECTS,
  PROJECTS_OPEN,
  AUTH,
}: Pick<Values, "PROJECTS" | "PROJECTS_OPEN" | "AUTH">): string[] {
  if (PROJECTS === "off" || AUTH !== "none" || PROJECTS_OPEN) return [];
  return ["PROJECTS with AUTH=none is for loopback addresses alone: set AUTH, or PROJECTS_OPEN=true"];
}
