/** The API with projects in memory, callers by key, and the real planner. */
import { createHash } from "node:crypto";
import { planCube, readManifestText } from "../../src/planner/index.ts";
import { ProjectLibrary } from "../../src/projects/library.ts";
import type { OperatorConnection } from "../../src/service/services.ts";
import { planningApp, type TestApp, type TestAppOptions, testAuthenticator } from "../api/test-app.ts";
import type { Script } from "../service/in-memory.ts";
import { type MemoryStore, memoryStore } from "./memory-store.ts";

export interface ProjectApp extends TestApp {
  readonly store: MemoryStore;
  /** Milliseconds since 1970, for the library. */
  readonly clock: { now: number };
  /** POST or, without a body, GET below `/v3/projects`, with a key. */
  ask(key: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

export type Keys = Readonly<Record<string, Record<string, unknown>>>;

/** `keys`: the caller's settings by the text of its key, which is also its name. */
export function projectApp(keys: Keys, options: TestAppOptions & { readonly script?: Script } = {}): ProjectApp {
  const store = memoryStore();
  const clock = { now: 1_700_000_000_000 };
  const connections = new Map<string, OperatorConnection>();
  const apiKeys = Object.fromEntries(
    Object.entries(keys).map(([key, settings]) => [
      key,
      { digests: [createHash("sha256").update(key).digest("hex")], ...settings },
    ]),
  );
  const app = planningApp({
    connections,
    projects: new ProjectLibrary({
      store,
      load: (text) => {
        const loaded = readManifestText(text, 16 * 1024 * 1024);
        return loaded.ok ? loaded : { ok: false, problem: loaded.error.message };
      },
      maxManifestBytes: 16 * 1024 * 1024,
      kept: { bytes: 16 * 1024 * 1024, entries: 64 },
      remark: () => undefined,
      now: () => clock.now,
      waitMs: 50,
    }),
    ...options,
    api: {
      ...(Object.keys(keys).length > 0 && {
        authenticator: testAuthenticator({ AUTH: "keys", API_KEYS: JSON.stringify(apiKeys) }),
      }),
      ...options.api,
    },
  });
  Object.assign(app.services.planner, { planCube });
  connections.set("warehouse", {
    source: "postgres",
    hidden: { password: "connection-password" },
    prepared: app.services.sources.prepare("postgres", { host: "warehouse" }),
  });
  return {
    ...app,
    store,
    clock,
    ask: (key, path, body, headers = {}) => {
      const sent = { Authorization: `Bearer ${key}`, ...headers };
      const url = path === "" ? "/v3/projects" : `/v3/projects/${path}`;
      return body === undefined ? app.fetch(url, { headers: sent }) : app.post(url, body, sent);
    },
  };
}
