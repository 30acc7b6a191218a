/** Every benchmark, in the order of the page. Each is loaded by the process that runs it, and by no other. */
import type { Subject } from "./subject.ts";

export const SUBJECTS: Readonly<Record<string, () => Promise<Subject>>> = {
  planning: async () => (await import("./subjects/planning.ts")).planning,
  manifests: async () => (await import("./subjects/manifests.ts")).manifests,
  projects: async () => (await import("./subjects/projects.ts")).projects,
  agents: async () => (await import("./subjects/agents.ts")).agents,
  "cold-start": async () => (await import("./subjects/cold-start.ts")).coldStart,
  "bundle-size": async () => (await import("./subjects/bundle-size.ts")).bundleSize,
  drivers: async () => (await import("./subjects/drivers.ts")).drivers,
  "query-cache": async () => (await import("./subjects/query-cache.ts")).queryCache,
  requests: async () => (await import("./subjects/requests.ts")).requests,
  "pooled-queries": async () => (await import("./subjects/pooled-queries.ts")).pooledQueries,
  "streaming-memory": async () => (await import("./subjects/streaming-memory.ts")).streamingMemory,
  "linear-time": async () => (await import("./subjects/linear-time.ts")).linearTime,
  "file-engine": async () => (await import("./subjects/file-engine.ts")).fileEngine,
  buckets: async () => (await import("./subjects/buckets.ts")).buckets,
  "callers-in-turn": async () => (await import("./subjects/callers-in-turn.ts")).callersInTurn,
  encoding: async () => (await import("./subjects/encoding.ts")).encoding,
};
