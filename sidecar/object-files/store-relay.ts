/**
 * One call on files of a bucket: the objects that it names are looked up, counted and fetched into a directory of its own,
 * and then it is a call on files of that directory. The engine has no way to the store, and the directory ends with the call.
 */
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import type { CallOptions } from "../../src/connectors/connector.ts";
import { ConnectorFailure, cancelled } from "../../src/connectors/failure.ts";
import { ruledNeedOf } from "../../src/connectors/files/need.ts";
import type { ObjectStore } from "../../src/connectors/files/object-store.ts";
import type { BucketConnection } from "../../src/connectors/files/open-store.ts";
import type { FooterCache } from "../../src/connectors/files/parquet/footer-cache.ts";
import { folderPrefix } from "../../src/connectors/files/paths.ts";
import type { Relay } from "../../src/connectors/remote/host.ts";
import type { ConnectorCall } from "../../src/connectors/remote/protocol.ts";
import { identityOf } from "../../src/connectors/sources.ts";
import { within } from "../../src/connectors/watch.ts";
import type { RelayedAnswer, ReportAnswer } from "../../src/result/encode/frames/writer.ts";
import type { EnginePool } from "../engine-process/engine-pool.ts";
import { EngineRelay } from "../engine-process/engine-relay.ts";
import type { ByteBudget } from "./byte-budget.ts";
import { fetchFiles, type KnownFooters } from "./fetched-files.ts";
import { neededObjects } from "./needed-objects.ts";

export interface StoreFiles {
  readonly engines: EnginePool;
  readonly budget: ByteBudget;
  readonly footers: FooterCache;
  /** Exists; each call has its own directory below it. */
  readonly temporaryDirectory: string;
}

/** A store for one call, which lets go of its connections. */
export interface LentStore {
  readonly store: ObjectStore;
  readonly release: () => void;
}

/** Version texts of `metadata/version` (docs/spec/contract.md#metadata-of-each-source). */
const VERSIONS: Readonly<Record<BucketConnection["source"], string>> = {
  s3_file: "S3",
  minio_file: "Minio",
  gcs_file: "GCS",
};

/** Whether a row rule excludes rows of a file that the statement reads. */
function isRuled(call: ConnectorCall): boolean {
  if (call.name === "catalog") return false;
  return call.statement.reads.some(({ scans }) => ruledNeedOf(scans) !== undefined);
}

export class StoreRelay implements Relay {
  readonly #files: StoreFiles;
  readonly #connection: BucketConnection;
  readonly #store: ObjectStore;
  readonly #release: () => void;
  readonly #call: ConnectorCall;
  readonly #closing = new AbortController();
  readonly #bytes: ReturnType<ByteBudget["statement"]>;
  #gathering: Promise<unknown> = Promise.resolve();
  #directory: string | undefined;
  #engine: EngineRelay | undefined;
  #closed: Promise<void> | undefined;

  constructor(files: StoreFiles, connection: BucketConnection, { store, release }: LentStore, call: ConnectorCall) {
    this.#files = files;
    this.#connection = connection;
    this.#store = store;
    this.#release = release;
    this.#call = call;
    this.#bytes = files.budget.statement({ ruled: isRuled(call) });
  }

  async relay({ signal, timeoutMs, isolation }: CallOptions): Promise<RelayedAnswer | ReportAnswer> {
    const known = this.#withoutFiles();
    if (known !== undefined) return { kind: "report", report: known };
    const until = Date.now() + timeoutMs;
    const given = AbortSignal.any([signal, this.#closing.signal]);
    const late = () => new ConnectorFailure("STATEMENT_TIMEOUT", `The statement ran longer than ${timeoutMs} ms.`);
    const path = await within(
      { signal: given, milliseconds: timeoutMs },
      (ending) => (ending === "aborted" ? cancelled(given) : late()),
      (fetching) => {
        const gathering = this.#gather(fetching);
        this.#gathering = gathering.catch(() => undefined);
        return gathering;
      },
    );
    const { root } = this.#store;
    this.#engine = new EngineRelay(this.#files.engines, {
      connection: { url: this.#url, format: this.#connection.format, csv: this.#connection.csv },
      root: { path, configured: root, store: root },
      call: this.#call,
      identity: this.#identity,
    });
    if (given.aborted) throw cancelled(given);
    return this.#engine.relay({ signal: given, timeoutMs: Math.max(1, until - Date.now()), isolation });
  }

  /** Resolves when nothing is read any more and the directory is gone. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort(new ConnectorFailure("CANCELLED", "The call has ended."));
    await this.#gathering;
    this.#release();
    await this.#engine?.close();
    if (this.#directory !== undefined) {
      await rm(this.#directory, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
    }
    this.#bytes.giveBack();
  }

  /** The folder URL in its canonical spelling, which prefixes its objects. */
  get #url(): string {
    return `${this.#store.root}${folderPrefix(this.#store.root, this.#connection.url)}`;
  }

  /** A digest, because the identity contains secrets. */
  get #identity(): string {
    return createHash("sha256").update(identityOf(this.#connection)).digest("hex");
  }

  #withoutFiles(): unknown {
    if (this.#call.name !== "catalog" || this.#connection.format === "duckdb") return undefined;
    switch (this.#call.request.kind) {
      case "version":
        return VERSIONS[this.#connection.source];
      case "constraints":
      case "schemas":
        return [];
      default:
        return undefined;
    }
  }

  /** The directory with all that the call needs. */
  async #gather(signal: AbortSignal): Promise<string> {
    const { wanted, folders } = await neededObjects(this.#store, this.#connection, this.#call, signal);
    const made = await mkdtemp(join(this.#files.temporaryDirectory, "store-"));
    this.#directory = made;
    const directory = await realpath(made);
    for (const folder of folders) await mkdir(join(directory, folder), { recursive: true, mode: 0o700 });
    const { footers: cache } = this.#files;
    const identity = this.#identity;
    const footers: KnownFooters = {
      get: (object) => cache.get(identity, object),
      set: (object, footer) => cache.set(identity, object, footer),
    };
    await fetchFiles(wanted, { store: this.#store, directory, bytes: this.#bytes, footers }, signal);
    return directory;
  }
}
