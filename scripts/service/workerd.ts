/** workerd, the runtime of Workers, without a development server around it: its configuration and its words. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename } from "node:path";
import { workerSettings } from "../../src/config.ts";
import type { WorkerName } from "./worker-bundle.ts";

export function workerdBinary(): string {
  const require = createRequire(import.meta.url);
  const { default: path } = createRequire(require.resolve("miniflare"))("workerd") as { readonly default: string };
  return path;
}

/** Cap'n Proto's text has JSON's escapes. */
export const quoted = (text: string): string => JSON.stringify(text);

export interface Compatibility {
  readonly date: string;
  readonly flags: readonly string[];
}

/**
 * The compatibility date and flags of a `wrangler.toml`, each on one line. Wrangler's own reader takes a second and 200 MB, which
 * `npm start` would hold for as long as it runs.
 */
export async function compatibilityOf(file: string): Promise<Compatibility> {
  const text = await readFile(file, "utf8");
  const valueOf = (name: string): string | undefined => new RegExp(`^${name} = (.+)$`, "m").exec(text)?.[1];
  const [date, flags] = [valueOf("compatibility_date"), valueOf("compatibility_flags")];
  if (date === undefined || flags === undefined) throw new Error(`${file} has no compatibility date or flags.`);
  return { date: JSON.parse(date) as string, flags: JSON.parse(flags) as readonly string[] };
}

export const compatibilityText = ({ date, flags }: Compatibility): string =>
  `compatibilityDate = ${quoted(date)}, compatibilityFlags = [${flags.map(quoted).join(", ")}]`;

export interface ServiceConfiguration {
  /** Names of the Workers' files beside the configuration. */
  readonly workers: Readonly<Record<WorkerName, string>>;
  /** The API is bound to a files Worker, which another process runs. */
  readonly hasFilesWorker?: boolean;
  /** `SIDECAR_URL` is https, and leads to the sidecar; otherwise `--external-addr=sidecar=…` does, without TLS. */
  readonly isSidecarSecure?: boolean;
  /** The API reads projects from the directory that `--directory-path=projects=…` gives. */
  readonly hasProjects?: boolean;
  readonly compatibility: Compatibility;
  /** Where the connectors may dial what callers name. */
  readonly networks: readonly Network[];
}

export type Network = "public" | "private" | "local";

/**
 * The API, the connectors and the MCP Worker as workerd runs them, in one process. Settings are the variables of that process: the file holds
 * no secret. The connectors dial what callers name, on the public network only, whatever their names resolve to. The API dials
 * nothing: bindings lead it to the connectors, the sidecar, the files Worker and the operator's provider of identities.
 * Addresses come with the command: `--socket-addr=http=…` for callers, `--socket-addr=metrics=…` for Prometheus, `--socket-addr=probe=unix:…` for the supervisor,
 * `--external-addr=sidecar=…`, `--external-addr=files=unix:…` and `--directory-path=explorer=…`. Nobody outside has a way to
 * the connectors or to the MCP Worker.
 */
export function serviceConfiguration(options: ServiceConfiguration): string {
  const {
    workers,
    hasFilesWorker = false,
    isSidecarSecure = false,
    hasProjects = false,
    compatibility,
    networks,
  } = options;
  // An "external" service looks at its own scheme, never at that of the address that is fetched, and one with "https" and without
  // a certificate's host, which no word of the command can give, speaks plain HTTP. A network does what the address says.
  const sidecar = isSidecarSecure
    ? `network = (allow = ["public", "private", "local"], tlsOptions = (trustBrowserCas = true))`
    : "external = (http = ())";
  const settings = Object.keys(workerSettings).map(
    (name) => `(name = ${quoted(name)}, fromEnvironment = ${quoted(name)})`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (services = .services, sockets = .sockets);

const services :List(Workerd.Service) = [
    (name = "nowhere", network = (allow = [])),
    ${sources(networks)},
    (name = "identity provider", network = (
      allow = ["public", "private", "local"], tlsOptions = (trustBrowserCas = true),
    )),
    (name = "sidecar", ${sidecar}),
    (name = "probe", worker = .probe),
    (name = "connectors", worker = .connectors),
    (name = "mcp", worker = .mcp),${hasFilesWorker ? '\n    (name = "files", external = (http = ())),' : ""}${
      hasProjects ? '\n    (name = "projects", disk = (writable = false)),' : ""
    }
    (name = "explorer", disk = (writable = false)),
    (name = "api", worker = .api),
];

const sockets :List(Workerd.Socket) = [
    (name = "http", http = (), service = "api"),
    (name = "probe", http = (), service = "probe"),
    (name = "metrics", http = (), service = (name = "api", entrypoint = "metrics")),
];

# All Workers of a process share its event loop: this one's answer shows that the loop turns, and writes no line into the log.
const probe :Workerd.Worker = (
  modules = [(name = "probe.js", esModule = "export default { fetch: () => new Response() };")],
  ${compatibilityText(compatibility)},
  globalOutbound = "nowhere",
);

const connectors :Workerd.Worker = (
  modules = [(name = "connectors.js", esModule = embed ${quoted(workers.connectors)})],
  ${compatibilityText(compatibility)},
  globalOutbound = "sources",
);

const mcp :Workerd.Worker = (
  modules = [(name = "mcp.js", esModule = embed ${quoted(workers.mcp)})],
  ${compatibilityText(compatibility)},
  globalOutbound = "nowhere",
);

const api :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed ${quoted(workers.api)})],
  ${compatibilityText(compatibility)},
  globalOutbound = "nowhere",
  bindings = [
    (name = "CONNECTORS", service = (name = "connectors", entrypoint = "Connectors")),
    (name = "MCP", service = (name = "mcp", entrypoint = "Mcp")),${
      hasFilesWorker ? '\n    (name = "FILES", service = "files"),' : ""
    }
    (name = "SIDECAR", service = "sidecar"),${
      hasProjects ? '\n    (name = "PROJECT_FILES", service = "projects"),' : ""
    }
    (name = "EXPLORER_FILES", service = "explorer"),
    (name = "IDENTITY_PROVIDER", service = "identity provider"),
    ${settings.join(",\n    ")},
  ],
);
`;
}

export interface FilesConfiguration {
  /** Names of its files beside the configuration, the script first. */
  readonly files: readonly [script: string, ...modules: string[]];
  readonly compatibility: Compatibility;
  readonly networks: readonly Network[];
}

/**
 * The files Worker in a process of its own: a statement that holds its engine holds nobody else. Whoever can open its socket,
 * `--socket-addr=files=unix:…`, is answered as the API is, so the socket is in a directory of the user's alone. It has no
 * settings but this one, which `deploy` refuses.
 */
export function filesConfiguration({ files, compatibility, networks }: FilesConfiguration): string {
  const [script, ...modules] = files;
  const embedded = [
    `(name = "files-worker.js", esModule = embed ${quoted(script)})`,
    ...modules.map((file) => `(name = ${quoted(basename(file))}, wasm = embed ${quoted(file)})`),
  ];
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (services = .services, sockets = .sockets);

const services :List(Workerd.Service) = [
    ${sources(networks)},
    (name = "files", worker = .files),
];

const sockets :List(Workerd.Socket) = [(name = "files", http = (), service = (name = "files", entrypoint = "Files"))];

const files :Workerd.Worker = (
  modules = [
    ${embedded.join(",\n    ")},
  ],
  ${compatibilityText(compatibility)},
  globalOutbound = "sources",
  bindings = [(name = "ALLOW_PRIVATE_HOSTS", fromEnvironment = "ALLOW_PRIVATE_HOSTS")],
);
`;
}

const sources = (networks: readonly Network[]): string =>
  `(name = "sources", network = (allow = [${networks.map(quoted).join(", ")}], tlsOptions = (trustBrowserCas = true)))`;
