/** Valkey or Redis behind the sidecar. Imported where `CACHE_URL` is set. */
import { createClient, RESP_TYPES } from "@redis/client";
import type { CacheStore } from "../../src/cache/store.ts";

export interface RedisStoreOptions {
  /** The setting `CACHE_URL`; a secret where it holds a password. */
  readonly url: string;
  readonly connectTimeoutMs: number;
  /** Called when the connection comes up or is lost. The text contains no address and no password. */
  readonly onChange: (state: "connected" | "lost", because: string) => void;
}

export interface RedisStore extends CacheStore {
  close(): void;
}

/** No caller waits this long for an entry; a server that takes longer hangs. */
const COMMAND_TIMEOUT_MS = 5_000;
/** A connection without any traffic for this long, pings included, is reopened. */
const SILENCE_MS = 15_000;
const PING_MS = 5_000;
const RETRY_MS = { first: 100, longest: 5_000 };
/** Maximum commands waiting for a server that does not answer: further ones fail at once. */
const WAITING_COMMANDS = 256;

/** Connects in the background, and again whenever it has to: without a connection every command fails at once. */
export function redisStore({ url, connectTimeoutMs, onChange }: RedisStoreOptions): RedisStore {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    commandsQueueMaxLength: WAITING_COMMANDS,
    pingInterval: PING_MS,
    commandOptions: { timeout: COMMAND_TIMEOUT_MS },
    socket: {
      connectTimeout: connectTimeoutMs,
      socketTimeout: SILENCE_MS,
      reconnectStrategy: (retries) => Math.min(RETRY_MS.first * 2 ** retries, RETRY_MS.longest),
    },
  });
  const bytes = client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
  let state: "connected" | "lost" | undefined;
  const change = (to: "connected" | "lost", because = ""): void => {
    if (state === to) return;
    state = to;
    onChange(to, because);
  };
  client.on("ready", () => change("connected"));
  client.on("error", (error: unknown) => change("lost", nameOf(error)));
  // The client reconnects by itself; failures arrive as events.
  client.connect().catch(() => undefined);
  return {
    async get(key) {
      const value = await bytes.get(key);
      return value === null ? undefined : value;
    },
    async put(key, value, ttlSeconds) {
      const buffer = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      await client.set(key, buffer, { expiration: { type: "EX", value: ttlSeconds } });
    },
    close: () => client.destroy(),
  };
}

/** The kind of an error alone: its text may repeat the address. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
