/**
 * Files of a bucket in this process. Each call fetches the objects that it needs into a directory of its own, as the sidecar does,
 * and DuckDB reads that directory. The directory ends with the rows of the call.
 */
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { guardedFetch, KeptConnections } from "../../sidecar/guarded-fetch.ts";
import { ByteBudget } from "../../sidecar/object-files/byte-budget.ts";
import { fetchFiles } from "../../sidecar/object-files/fetched-files.ts";
import { neededObjects } from "../../sidecar/object-files/needed-objects.ts";
import { CAPABILITIES } from "../../src/connectors/capabilities.ts";
import type { CatalogAnswers, CatalogRequest } from "../../src/connectors/catalog/types.ts";
import type { CallOptions, Connector, DryRunReport, Statement } from "../../src/connectors/connector.ts";
import type { ObjectStore } from "../../src/connectors/files/object-store.ts";
import { type BucketConnection, openStore } from "../../src/connectors/files/open-store.ts";
import { folderPrefix } from "../../src/connectors/files/paths.ts";
import type { ConnectorCall } from "../../src/connectors/remote/protocol.ts";
import type { ResultStream } from "../../src/result/types.ts";

/** A person's disk holds the objects of one statement. */
const MOST_BYTES = 16 * 1024 ** 3;
/** Footers are read once for each call. */
const FORGETFUL = { get: () => undefined, set: () => undefined };

export interface BucketSettings {
  readonly allowedHosts: readonly string[];
  readonly memory: string;
  /** Exists. */
  readonly temporaryDirectory: string;
}

export class BucketConnector implements Connector {
  readonly capabilities = CAPABILITIES.duckdb;
  readonly #connection: BucketConnection;
  readonly #settings: BucketSettings;
  readonly #kept = new KeptConnections();
  readonly #store: ObjectStore;
  readonly #budget = new ByteBudget({ perStatement: MOST_BYTES, total: MOST_BYTES });
  readonly #engines: Connector[] = [];
  readonly #directories: string[] = [];

  constructor(connection: BucketConnection, settings: BucketSettings) {
    this.#connection = connection;
    this.#settings = settings;
    const { certificateAuthority } = connection;
    const { allowedHosts } = settings;
    const authorityMember = "sslrootcert";
    this.#store = openStore(
      connection,
      guardedFetch({ allowedHosts, certificateAuthority, authorityMember, kept: this.#kept }),
    );
  }

  async query(statement: Statement, options: CallOptions): Promise<ResultStream> {
    return (await this.#engineFor({ name: "query", statement }, options)).query(statement, options);
  }

  async dryRun(statement: Statement, options: CallOptions): Promise<DryRunReport> {
    return (await this.#engineFor({ name: "dry-run", statement }, options)).dryRun(statement, options);
  }

  async catalog<K extends CatalogRequest["kind"]>(
    request: Extract<CatalogRequest, { kind: K }>,
    options: CallOptions,
  ): Promise<CatalogAnswers[K]> {
    return (await this.#engineFor({ name: "catalog", request }, options)).catalog<K>(request, options);
  }

  async close(): Promise<void> {
    for (const engine of this.#engines.splice(0)) await engine.close();
    this.#kept.close();
    for (const directory of this.#directories.splice(0)) {
      await rm(directory, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
    }
  }

  async #engineFor(call: ConnectorCall, { signal }: CallOptions): Promise<Connector> {
    const { openDuckDb } = await import("../../sidecar/duckdb/connector.ts");
    const { FileRoot } = await import("../../sidecar/duckdb/file-root.ts");
    const directory = await realpath(await mkdtemp(join(this.#settings.temporaryDirectory, "bucket-")));
    this.#directories.push(directory);
    const bytes = this.#budget.statement();
    try {
      const { wanted, folders } = await neededObjects(this.#store, this.#connection, call, signal);
      for (const folder of folders) await mkdir(join(directory, folder), { recursive: true, mode: 0o700 });
      await fetchFiles(wanted, { store: this.#store, directory, bytes, footers: FORGETFUL }, signal);
    } finally {
      bytes.giveBack();
    }
    const { root } = this.#store;
    const { format, csv, url } = this.#connection;
    const fields = { url: `${root}${folderPrefix(root, url)}`, format, ...(csv !== undefined && { csv }) };
    const engine = await openDuckDb(fields, {
      root: new FileRoot(directory, root, root),
      memory: this.#settings.memory,
      threads: availableParallelism(),
      temporaryDirectory: this.#settings.temporaryDirectory,
    });
    this.#engines.push(engine);
    return engine;
  }
}
