/** Writes `docs/reference/configuration.md` from the settings schemas, so that page and code always agree. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as z from "zod/mini";
import { type Setting, sidecarSettings, supervisorSettings, workerSettings } from "../src/config.ts";

interface Described {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
}

const INTRODUCTION = `# Configuration

<!-- Written by \`npm run configuration\` from src/config.ts; a test keeps it current. -->

Settings are environment variables: of the Worker as \`vars\` and secrets (\`wrangler secret put NAME\`), of the sidecar as
variables of its process. Those of the supervisor are variables of both images, \`npm start\`, \`npm run serve\` and
\`npm run sidecar\`. A setting with a wrong value stops the start with a sentence that names it; so does any other text
variable of the Worker, because a mistyped name would be ignored otherwise. Other processes have variables of other programs,
too: one that begins as settings do (\`POOL_\`, \`MAX_\` …), or is a slip away from a setting of at least 8 letters, stops
their start with near names; those that Kubernetes and Docker make for services do not. Sizes are in bytes and times in milliseconds
where the name says so.

\`npm start\` and \`wrangler dev\` serve local development and say \`AUTH=none\`; \`npm start\` also takes every setting of
the Worker and the sidecar from its own environment, for instance \`V2_PROFILE=modern npm start\`.
`;

/** The page as it must be in the repository. */
export function configurationPage(): string {
  return [
    INTRODUCTION,
    section("The API Worker", workerSettings),
    section("The sidecar", sidecarSettings),
    section("The supervisor", supervisorSettings),
    `## Together

* \`SIDECAR_URL\` and \`SIDECAR_SECRET\` go together, and the sidecar has the same \`SIDECAR_SECRET\`. To change it: give the
  sidecar the new one as \`SIDECAR_SECRET\` and the old one as \`SIDECAR_SECRET_PREVIOUS\`, then the Worker the new one, then
  take the old one away.
* What is for one \`AUTH\` (\`API_KEYS\`; \`JWT_…\`, \`CLAIM_PROPERTIES\`) stops the start under another: [callers.md](callers.md).
* \`SIDECAR_URL\` must be \`https\` unless it is a loopback address: request bodies carry the passwords of data sources.
`,
  ].join("\n");
}

function section(title: string, settings: Readonly<Record<string, Setting>>): string {
  const rows = Object.entries(settings).map(([name, { schema, standard, description }]) => {
    const values = valuesOf(z.toJSONSchema(schema(), { io: "input", unrepresentable: "any" }) as Described);
    return `| \`${name}\` | ${values} | ${standard === undefined ? "required" : textOf(standard.value)} | ${description} |`;
  });
  return [`## ${title}`, "", "| Setting | Values | Default | Meaning |", "|---|---|---|---|", ...rows, ""].join("\n");
}

function valuesOf({ type, enum: words, format, minimum, maximum, minLength }: Described): string {
  if (words?.includes("true")) return "`true`, `false`";
  if (words !== undefined) return words.map((word) => `\`${word}\``).join(", ");
  if (type === "integer") return `${minimum} to ${maximum === Number.MAX_SAFE_INTEGER ? "2^53 − 1" : maximum}`;
  if (format === "uri") return "a URL";
  return minLength === undefined ? "text" : `text of at least ${minLength} characters`;
}

function textOf(value: unknown): string {
  if (value === undefined) return "not set";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(",");
  if (typeof value !== "number") return `\`${String(value)}\``;
  const mebibytes = value / (1024 * 1024);
  return mebibytes >= 1 && Number.isInteger(mebibytes) ? `${value} (${mebibytes} MiB)` : String(value);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL("../docs/reference/configuration.md", import.meta.url), configurationPage());
}
