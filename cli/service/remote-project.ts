/** A project of a running service, asked over HTTP. */
import { isSecure } from "../../src/secure-url.ts";
import { VERSION } from "../../src/version.ts";
import { UsageError } from "../exit.ts";
import { versionWarning } from "./version.ts";

export interface RemoteOptions {
  /** `https://host/v3/projects/name`. */
  readonly url: string;
  /** A key or a token. */
  readonly token: string | undefined;
}

/** The service refuses the question itself: it was understood, and its answer is the reason. */
export interface RemoteRefusal {
  readonly reason: string;
  readonly message: string;
}

export interface RemoteAnswer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

const PROJECT = /^(.*)\/v3\/projects\/[a-z0-9-]{1,63}$/;
const TIME_MS = 300_000;
const LARGEST_ANSWER = 256 * 1024 * 1024;

/** Reasons that concern the caller, the project or the service. The question was not judged. */
const ENVIRONMENT: ReadonlySet<string> = new Set([
  "CREDENTIALS_MISSING",
  "CREDENTIALS_INVALID",
  "CREDENTIALS_EXPIRED",
  "CLAIM_REQUIRED",
  "PROJECT_NOT_FOUND",
  "PROJECT_BROKEN",
  "PROJECT_FIXES_THIS",
  "VIEW_AS_NOT_ALLOWED",
]);

interface Received {
  readonly status: number;
  readonly text: string;
  readonly warnings: string;
}

export class RemoteProject {
  readonly #url: string;
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;

  /** Throws `UsageError`. */
  constructor({ url, token }: RemoteOptions) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw new UsageError(SHAPE);
    const { username, password, search, hash, pathname, origin } = new URL(url);
    if (username !== "" || password !== "") {
      throw new UsageError(
        "--url holds a password: other users see arguments. Set SISKIN_TOKEN, or name a file by --key.",
      );
    }
    const [, prefix] = PROJECT.exec(pathname.replace(/\/$/, "")) ?? [];
    if (prefix === undefined || search !== "" || hash !== "") throw new UsageError(SHAPE);
    if (!isSecure(url)) {
      throw new UsageError("--url must be https unless it is a loopback address: the service gets the key.");
    }
    this.#url = origin + pathname.replace(/\/$/, "");
    this.#base = origin + prefix;
    this.#headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  }

  /** A warning if the service has another minor version. Throws `UsageError` for another major version. */
  async versionWarning(): Promise<string | undefined> {
    const { status, text } = await this.#fetch(`${this.#base}/openapi.json`, { headers: this.#headers });
    return versionWarning(VERSION, status === 200 ? versionIn(text) : undefined);
  }

  /** Throws `UsageError` where the service could not judge the question. */
  async ask(
    operation: "query" | "cube",
    body: Readonly<Record<string, unknown>>,
  ): Promise<RemoteAnswer | RemoteRefusal> {
    const { status, text, warnings } = await this.#fetch(`${this.#url}/${operation}`, {
      method: "POST",
      headers: { ...this.#headers, "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify(body),
    });
    const answer = parsed(text);
    if (status === 200) {
      if (warnings.includes('"LIMIT_APPLIED"')) {
        return {
          reason: "LIMIT_APPLIED",
          message: "The service lowered the LIMIT of the question: the rows are not all.",
        };
      }
      const { columns, data } = answer;
      if (Array.isArray(columns) && Array.isArray(data))
        return { columns: columns.map(String), rows: data as RemoteAnswer["rows"] };
      throw new UsageError(
        "The service's answer has no columns and data: is --url the address of a project of Siskin?",
      );
    }
    const metadata = (answer["metadata"] ?? {}) as Readonly<Record<string, unknown>>;
    const { reason } = metadata;
    const message = typeof answer["message"] === "string" ? answer["message"] : `HTTP ${status}`;
    if (typeof reason !== "string")
      throw new UsageError(`The service answered with status ${status}: ${shortened(message)}`);
    if (ENVIRONMENT.has(reason) || status === 429 || status >= 500) {
      const hint = typeof metadata["hint"] === "string" ? ` ${metadata["hint"]}` : "";
      throw new UsageError(`${reason}: ${shortened(message)}${hint}`);
    }
    return { reason, message: shortened(message) };
  }

  async #fetch(url: string, init: RequestInit): Promise<Received> {
    try {
      // A redirect would hand the questions, and on the same host the key, to an address that nobody named.
      const response = await fetch(url, { ...init, redirect: "error", signal: AbortSignal.timeout(TIME_MS) });
      const warnings = response.headers.get("x-warnings") ?? "";
      return { status: response.status, text: await textOf(response), warnings };
    } catch (error) {
      if (error instanceof UsageError) throw error;
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const words = cause instanceof Error ? cause.message : String(cause);
      throw new UsageError(`The service at ${this.#base} cannot be asked: ${words}.`);
    }
  }
}

const SHAPE = "--url must be the address of a project, such as https://sql.example.com/v3/projects/sales.";

async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > LARGEST_ANSWER)
      throw new UsageError("The service's answer is larger than 256 MiB: ask for fewer rows.");
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch {
    // A proxy answers with a page of its own, and a broken stream with a part of an answer.
  }
  return {};
}

function versionIn(text: string): string | undefined {
  const info = parsed(text)["info"];
  const version = typeof info === "object" && info !== null && "version" in info ? info.version : undefined;
  return typeof version === "string" ? version.slice(0, 40) : undefined;
}

const shortened = (text: string): string => (text.length <= 1000 ? text : `${text.slice(0, 999)}…`);
