/** Reads files of a bucket by DuckDB's WASM: each by ranges, as a statement needs them. */
import { once } from "../../once.ts";
import { hexText } from "../../result/text/hex.ts";
import type { Connector } from "../connector.ts";
import { ConnectorFailure } from "../failure.ts";
import type { ObjectStore, StoredObject } from "../files/object-store.ts";
import { type BucketConnection, openStore } from "../files/open-store.ts";
import { FooterTooLarge, ParquetFault } from "../files/parquet/fault.ts";
import { fetchFooter, LIKELY_FOOTER_BYTES } from "../files/parquet/fetch-footer.ts";
import { type Footer, readFooter } from "../files/parquet/footer.ts";
import type { FooterCache } from "../files/parquet/footer-cache.ts";
import { objectsAt } from "../files/paths.ts";
import { listedFormat, objectTables } from "../files/table-listing.ts";
import { identityOf } from "../sources.ts";
import { openWasm } from "./connector.ts";
import type { WasmEngine } from "./engine.ts";
import { needsSidecar } from "./needs-sidecar.ts";
import { SmallObjects } from "./small-objects.ts";
import type { FoundFile } from "./view.ts";

export interface BucketHost {
  readonly engine: WasmEngine;
  readonly footers: FooterCache;
  /** Also checks hosts. */
  readonly fetch: typeof fetch;
  /** See `WasmSettings`. */
  readonly defer?: (work: Promise<unknown>) => void;
}

/** Sends no request yet. Throws `NEEDS_SIDECAR` for databases. */
export function openBucketInWasm(
  connection: BucketConnection,
  { engine, fetch, footers, defer }: BucketHost,
): Connector {
  if (connection.format === "duckdb") throw needsSidecar("The files Worker attaches no databases.");
  const store = bounded(openStore(connection, asOften(fetch), { unpacks: true }));
  const identity = once(() => digestOf(connection));
  const found = (objects: readonly StoredObject[]): readonly FoundFile[] => {
    const whole = new SmallObjects().over(store);
    const reader = once(async (): Promise<FooterReader> => ({ store: whole, footers, owner: await identity() }));
    return objects.map((object) => foundIn(whole, object, reader));
  };
  const { url, format, csv } = connection;
  return openWasm({
    engine,
    identity,
    defer,
    format,
    csv,
    find: async (path, signal) => found(await objectsAt(store, path, signal)),
    list: async (filter, signal) => {
      const { tables } = await objectTables(store, { url, format: listedFormat(format) }, filter, signal);
      return tables.map(({ name, path, objects }) => ({ name, path, files: found(objects) }));
    },
  });
}

/** Maximum entries of a listing: each takes half a kilobyte. */
const MOST_LISTED = 10_000;

/** Rejects with `NEEDS_SIDECAR` if a listing does not fit into an isolate. */
function bounded(store: ObjectStore): ObjectStore {
  return {
    root: store.root,
    head: store.head.bind(store),
    read: store.read.bind(store),
    async *list(prefix, options) {
      let left = MOST_LISTED;
      for await (const entry of store.list(prefix, options)) {
        if (left-- === 0) {
          throw needsSidecar(`${store.root}${prefix} has more than ${MOST_LISTED} objects.`, {
            instead: "Name fewer of them",
          });
        }
        yield entry;
      }
    },
  };
}

/** Rejects with `NEEDS_SIDECAR` when the platform's limit of subrequests per request is reached. */
function asOften(fetch: BucketHost["fetch"]): BucketHost["fetch"] {
  return async (...asked) => {
    try {
      return await fetch(...asked);
    } catch (cause) {
      if (!(cause instanceof Error && cause.message.startsWith("Too many subrequests"))) throw cause;
      throw needsSidecar("The statement asks the store more often than a Worker may.", {
        instead: "Name fewer objects",
        cause,
      });
    }
  };
}

/** Identifies the connection with its secrets, and reveals none of them: for cached footers and for the owner of the engine. */
async function digestOf(connection: BucketConnection): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(identityOf(connection)));
  return hexText(new Uint8Array(digest));
}

function foundIn(store: ObjectStore, object: StoredObject, reader: () => Promise<FooterReader>): FoundFile {
  return {
    name: object.key,
    size: object.size,
    read: async (start, end, signal) => {
      const stream = await store.read(object, start, end, signal);
      return new Uint8Array(await new Response(stream).arrayBuffer());
    },
    footer: async (signal, mostBytes) => footerOf(await reader(), object, signal, mostBytes),
  };
}

interface FooterReader {
  readonly store: ObjectStore;
  readonly footers: FooterCache;
  readonly owner: string;
}

/** Rejects with `NEEDS_SIDECAR` if the footer is too large. */
async function footerOf(
  { store, footers, owner }: FooterReader,
  object: StoredObject,
  signal: AbortSignal,
  mostBytes: number,
): Promise<Footer> {
  const known = footers.get(owner, object);
  if (known !== undefined) return readFooter(known);
  try {
    const take = (more: number): void => {
      if (LIKELY_FOOTER_BYTES + more > mostBytes)
        throw new FooterTooLarge("Its footer is larger than there is room for.");
    };
    const stored = await fetchFooter(store, object, take, signal);
    const footer = readFooter(stored);
    footers.set(owner, object, stored);
    return footer;
  } catch (error) {
    if (error instanceof FooterTooLarge) {
      throw needsSidecar(`"${object.key}": ${error.message}`);
    }
    if (!(error instanceof ParquetFault)) throw error;
    const message = `"${store.root}${object.key}" cannot be read: ${error.message}`;
    throw new ConnectorFailure("FILE_INVALID", message, { cause: error });
  }
}
