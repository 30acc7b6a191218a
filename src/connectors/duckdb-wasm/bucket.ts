/** Files of a bucket by DuckDB's WASM: each is read by ranges, as a statement comes to them. */
import type { Connector } from "../connector.ts";
import { ConnectorFailure } from "../failure.ts";
import type { ObjectStore, StoredObject } from "../files/object-store.ts";
import { type BucketConnection, openStore } from "../files/open-store.ts";
import { objectsAt } from "../files/paths.ts";
import { type FoundFile, openWasm } from "./connector.ts";
import type { WasmEngine } from "./engine.ts";

export interface BucketHost {
  readonly engine: WasmEngine;
  /** Judges hosts by itself. */
  readonly fetch: typeof fetch;
}

/** Asks nothing yet. */
export function openBucketInWasm(connection: BucketConnection, { engine, fetch }: BucketHost): Connector {
  const store = openStore(connection, fetch);
  return openWasm({
    engine,
    find: async (path, signal) => {
      const objects = await objectsAt(store, path, signal);
      const partitioned = objects.find(({ key }) => key.slice(0, key.lastIndexOf("/") + 1).includes("="));
      if (partitioned !== undefined) {
        throw new ConnectorFailure(
          "NEEDS_SIDECAR",
          `The files Worker reads no columns of "${partitioned.key}"'s path.`,
          {
            hint: "Configure a sidecar (SIDECAR_URL).",
          },
        );
      }
      return objects.map((object) => foundIn(store, object));
    },
  });
}

function foundIn(store: ObjectStore, object: StoredObject): FoundFile {
  return {
    name: object.key,
    size: object.size,
    read: async (start, end, signal) => {
      const stream = await store.read(object, start, end, signal);
      return new Uint8Array(await new Response(stream).arrayBuffer());
    },
  };
}
