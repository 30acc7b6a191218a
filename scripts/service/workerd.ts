/** workerd, the runtime of Workers, without a development server around it: its configuration and its words. */
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { workerSettings } from "../../src/config.ts";
import type { WorkerName } from "./worker-bundle.ts";

export function workerdBinary(): string {
  const require = createRequire(import.meta.url);
  const { default: path } = createRequire(require.resolve("miniflare"))("workerd") as { readonly default: string };
  return path;
}

/** Descriptor 3 of the process, `--control-fd=3`: which socket listens where, until there are `count`. */
export function listening(control: Readable, count: number): Promise<ReadonlyMap<string, number>> {
  const ports = new Map<string, number>();
  return new Promise((resolve) => {
    createInterface({ input: control }).on("line", (line) => {
      const told = JSON.parse(line) as { readonly event: string; readonly socket?: string; readonly port: number };
      ports.set(told.socket ?? told.event, told.port);
      if (ports.size === count) resolve(ports);
    });
  });
}

/** Cap'n Proto's text has JSON's escapes. */
export const quoted = (text: string): string => JSON.stringify(text);

export interface Compatibility {
  readonly date: string;
  readonly flags: readonly string[];
}

/** What wrangler.toml says. */
export async function compatibilityOf(file: string): Promise<Compatibility> {
  // Only now: wrangler takes a second to load, which nobody who mistyped a port should wait for.
  const { unstable_readConfig } = await import("wrangler");
  const { compatibility_date: date = "", compatibility_flags: flags } = unstable_readConfig(
    { config: file },
    { hideWarnings: true },
  );
  return { date, flags };
}

export const compatibilityText = ({ date, flags }: Compatibility): string =>
  `compatibilityDate = ${quoted(date)}, compatibilityFlags = [${flags.map(quoted).join(", ")}]`;

export interface ServiceConfiguration {
  /** Names of the Workers' files beside the configuration. */
  readonly workers: Readonly<Record<WorkerName, string>>;
  /** Of the files Worker, its script first; undefined where it is not wanted. */
  readonly files?: readonly [script: string, ...modules: string[]] | undefined;
  readonly compatibility: Compatibility;
  /** Where the connectors may dial what callers name. */
  readonly networks: readonly ("public" | "private" | "local")[];
}

/**
 * Both Workers as workerd runs them. Settings are the variables of its process: nothing secret is in the file. What callers
 * name is dialled by the connectors, on the public network only, whatever their names resolve to; the API dials nothing: the
 * connectors, the sidecar and the operator's provider of identities are services of their own, reached by bindings.
 * `--socket-addr=http=…` says where it listens, `--external-addr=sidecar=…` where the sidecar does. Nobody outside has a way
 * to the connectors.
 */
export function serviceConfiguration({ workers, files, compatibility, networks }: ServiceConfiguration): string {
  const settings = Object.keys(workerSettings).map(
    (name) => `(name = ${quoted(name)}, fromEnvironment = ${quoted(name)})`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "nowhere", network = (allow = [])),
    (name = "sources", network = (allow = [${networks.map(quoted).join(", ")}], tlsOptions = (trustBrowserCas = true))),
    (name = "identity provider", network = (
      allow = ["public", "private", "local"], tlsOptions = (trustBrowserCas = true),
    )),
    (name = "sidecar", external = (http = ())),
    (name = "connectors", worker = .connectors),${files === undefined ? "" : '\n    (name = "files", worker = .files),'}
    (name = "api", worker = .api),
  ],
  sockets = [(name = "http", http = (), service = "api")],
);

const connectors :Workerd.Worker = (
  modules = [(name = "connectors.js", esModule = embed ${quoted(workers.connectors)})],
  ${compatibilityText(compatibility)},
  globalOutbound = "sources",
);

const api :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed ${quoted(workers.api)})],
  ${compatibilityText(compatibility)},
  globalOutbound = "nowhere",
  bindings = [
    (name = "CONNECTORS", service = (name = "connectors", entrypoint = "Connectors")),${
      files === undefined ? "" : '\n    (name = "FILES", service = (name = "files", entrypoint = "Files")),'
    }
    (name = "SIDECAR", service = "sidecar"),
    (name = "IDENTITY_PROVIDER", service = "identity provider"),
    ${settings.join(",\n    ")},
  ],
);
${files === undefined ? "" : filesWorker(files, compatibility)}`;
}

/** Its settings are none but this one, which `deploy` refuses. */
const filesWorker = ([script, ...modules]: readonly [string, ...string[]], compatibility: Compatibility): string => `
const files :Workerd.Worker = (
  modules = [
    (name = "files-worker.js", esModule = embed ${quoted(script)}),
    ${modules.map((file) => `(name = ${quoted(file.slice(file.lastIndexOf("/") + 1))}, wasm = embed ${quoted(file)})`).join(",\n    ")},
  ],
  ${compatibilityText(compatibility)},
  globalOutbound = "sources",
  bindings = [(name = "ALLOW_PRIVATE_HOSTS", fromEnvironment = "ALLOW_PRIVATE_HOSTS")],
);
`;
