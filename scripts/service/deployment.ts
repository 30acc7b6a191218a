/** Checks the configuration of a deployment before anything is uploaded. */
import type { Unstable_Config as WranglerConfig } from "wrangler";
import { reachableProjectProblems } from "../../src/config/projects.ts";
import { readWorkerSettings } from "../../src/config.ts";
import { readNamedConnections } from "../../src/connectors/named.ts";

/** Settings that grant access: anyone who can read wrangler.toml, the dashboard or a build log would have them. */
const SECRETS = [
  "SIDECAR_SECRET",
  "CACHE_SECRET",
  "CACHE_SECRET_PREVIOUS",
  "CONNECTIONS",
] as const satisfies readonly (keyof ReturnType<typeof settingsOf>)[];

/** Flags that the Worker requires: without them, it does not detect aborts, and drivers do not load. */
const FLAGS = ["nodejs_compat", "enable_request_signal"];

type Deployed = Pick<
  WranglerConfig,
  | "vars"
  | "kv_namespaces"
  | "hyperdrive"
  | "compatibility_flags"
  | "vpc_services"
  | "ratelimits"
  | "analytics_engine_datasets"
  | "services"
> &
  Partial<Pick<WranglerConfig, "r2_buckets">>;

const settingsOf = (environment: Readonly<Record<string, unknown>>) => {
  const outcome = readWorkerSettings(environment);
  if (!outcome.ok) throw new Error("the settings have been judged before");
  return outcome.settings;
};

/** One sentence per problem or missing value; values are not repeated. */
export function deploymentProblems(config: Deployed, secrets: Readonly<Record<string, string>>): readonly string[] {
  const exposed = SECRETS.filter((name) => Object.hasOwn(config.vars, name));
  const flags = FLAGS.filter((flag) => !config.compatibility_flags.includes(flag));
  const environment = environmentOf(config, secrets);
  const outcome = readWorkerSettings(environment);
  return [
    ...exposed.map((name) => `${name} is a secret and stands in [vars]: put it into the file of secrets`),
    ...flags.map((flag) => `compatibility_flags lacks ${flag}`),
    ...(connectorsOf(config) === undefined
      ? [
          "there is no service CONNECTORS with the entrypoint Connectors: [[services]], or [[env.….services]] of an environment",
        ]
      : []),
    ...(config.services?.some(({ binding }) => binding === "MCP") && mcpWorkerOf(config) === undefined
      ? ["the service MCP has another entrypoint than Mcp"]
      : []),
    ...(config.services?.some(({ binding }) => binding === "FILES") && filesWorkerOf(config) === undefined
      ? ["the service FILES has another entrypoint than Files"]
      : []),
    ...(outcome.ok ? problemsTogether(config, environment) : outcome.problems),
  ];
}

/** The name of the Worker by which the API reaches sources. */
export function connectorsOf({ services = [] }: Pick<Deployed, "services">): string | undefined {
  return services.find(({ binding, entrypoint }) => binding === "CONNECTORS" && entrypoint === "Connectors")?.service;
}

/** The name of the Worker that speaks the Model Context Protocol, if the API is bound to one. */
export function mcpWorkerOf({ services = [] }: Pick<Deployed, "services">): string | undefined {
  return services.find(({ binding, entrypoint }) => binding === "MCP" && entrypoint === "Mcp")?.service;
}

/** The name of the Worker that reads files of buckets, if the API is bound to one. */
export function filesWorkerOf({ services = [] }: Pick<Deployed, "services">): string | undefined {
  return services.find(({ binding, entrypoint }) => binding === "FILES" && entrypoint === "Files")?.service;
}

/** Problems of settings in combination with bindings, once each setting is valid by itself. */
function problemsTogether(config: Deployed, environment: Readonly<Record<string, unknown>>): readonly string[] {
  const settings = settingsOf(environment);
  const namespace = config.kv_namespaces.find(({ binding }) => binding === "QUERY_CACHE");
  const named = readNamedConnections(settings.CONNECTIONS, environment, {
    sidecar: settings.SIDECAR_URL !== undefined,
    filesWorker: filesWorkerOf(config) !== undefined,
    allowPrivateHosts: settings.ALLOW_PRIVATE_HOSTS,
  });
  const problems: string[] = named.ok ? [] : [...named.problems];
  if (settings.ALLOW_PRIVATE_HOSTS) problems.push("ALLOW_PRIVATE_HOSTS is for local development");
  if (settings.CACHE_STORE === "kv" && namespace !== undefined && !namespace.id) {
    problems.push("the KV namespace QUERY_CACHE has no id: npx wrangler kv namespace create QUERY_CACHE");
  }
  if (settings.PROJECTS === "files") problems.push("PROJECTS=files is for one machine: use kv or r2");
  return [...problems, ...reachableProjectProblems(settings)];
}

/** The Worker's environment: variables, secrets, and bindings, whose contents Cloudflare provides. */
const environmentOf = (
  { vars, kv_namespaces, r2_buckets, hyperdrive }: Deployed,
  secrets: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> => ({
  ...vars,
  ...secrets,
  ...Object.fromEntries(kv_namespaces.map(({ binding }) => [binding, {}])),
  ...Object.fromEntries((r2_buckets ?? []).map(({ binding }) => [binding, {}])),
  ...Object.fromEntries(hyperdrive.map(({ binding }) => [binding, STAND_IN])),
});

/** The form of a Hyperdrive binding in a Worker. */
const STAND_IN = {
  connectionString: "postgresql://user:password@hyperdrive.local:5432/database",
  host: "hyperdrive.local",
  port: 5432,
  user: "user",
  password: "password",
  database: "database",
};

/** Optional parts that the deployment lacks. */
export function deploymentNotes(config: Deployed, secrets: Readonly<Record<string, string>>): readonly string[] {
  const { AUTH, SIDECAR_URL, CACHE_STORE, PROJECTS } = settingsOf(environmentOf(config, secrets));
  return [
    ...(AUTH === "none" ? ["AUTH is none: whoever reaches the Worker may ask. Put Access or a gateway in front."] : []),
    ...(SIDECAR_URL === undefined ? ["Without SIDECAR_URL, files and private hosts are refused."] : []),
    ...(PROJECTS !== "off" && mcpWorkerOf(config) === undefined
      ? ["Without a service bound as MCP, agents cannot ask: /mcp answers 404."]
      : []),
    ...(CACHE_STORE === "memory" ? ["CACHE_STORE is memory: each isolate has its own, for as long as it lives."] : []),
    ...(config.ratelimits.some(({ name }) => name === "RATE_LIMITER")
      ? []
      : ["Without a rate limiter bound as RATE_LIMITER, requests a minute are counted in each isolate."]),
    ...(config.analytics_engine_datasets.some(({ binding }) => binding === "METRICS")
      ? []
      : ["Without an Analytics Engine dataset bound as METRICS, the numbers are in the log alone."]),
  ];
}
