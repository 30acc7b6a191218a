/**
 * One row per data source: the parser of its connection, its placement, and its capabilities; and the choice of the connector. This
 * module imports no driver, because the API Worker, which plans, must start without drivers
 * (docs/decisions/0053-the-api-starts-without-drivers.md#decision). `open-here.ts` imports them.
 */
import type * as z from "zod/mini";
import type { DataSource, Variant } from "../planner/plan.ts";
import { CAPABILITIES } from "./capabilities.ts";
import { athenaConnectionShape, canonicalAthenaConnection, parseAthenaConnection } from "./connection/athena.ts";
import {
  bigQueryConnectionShape,
  canonicalBigQueryConnection,
  parseBigQueryConnection,
} from "./connection/bigquery.ts";
import { cannerConnectionShape, canonicalCannerConnection, parseCannerConnection } from "./connection/canner.ts";
import {
  canonicalClickHouseConnection,
  clickHouseConnectionShape,
  parseClickHouseConnection,
} from "./connection/clickhouse.ts";
import { type CanonicalConnection, connectionIdentity, type ParsedConnection } from "./connection/connection.ts";
import type { ConnectionInfo } from "./connection/connection-info.ts";
import {
  canonicalDatabricksConnection,
  databricksConnectionShape,
  parseDatabricksConnection,
} from "./connection/databricks.ts";
import { canonicalDorisConnection, dorisConnectionShape, parseDorisConnection } from "./connection/doris.ts";
import { parseDuckDbConnection } from "./connection/duckdb.ts";
import { canonicalGcsFileConnection, gcsFileConnectionShape, parseGcsFileConnection } from "./connection/gcs-file.ts";
import { canonicalFileConnection, fileConnectionShape, parseLocalFileConnection } from "./connection/local-file.ts";
import {
  canonicalMinioFileConnection,
  minioFileConnectionShape,
  parseMinioFileConnection,
} from "./connection/minio-file.ts";
import { canonicalMsSqlConnection, mssqlConnectionShape, parseMsSqlConnection } from "./connection/mssql.ts";
import {
  canonicalMySqlConnection,
  isServedByPlanetScale,
  mysqlConnectionShape,
  parseMySqlConnection,
} from "./connection/mysql.ts";
import { canonicalOracleConnection, oracleConnectionShape, parseOracleConnection } from "./connection/oracle.ts";
import {
  canonicalPostgresConnection,
  isServedByNeon,
  parsePostgresConnection,
  postgresConnectionShape,
} from "./connection/postgres.ts";
import {
  canonicalRedshiftConnection,
  parseRedshiftConnection,
  redshiftConnectionShape,
} from "./connection/redshift.ts";
import { canonicalS3FileConnection, parseS3FileConnection, s3FileConnectionShape } from "./connection/s3-file.ts";
import {
  canonicalSnowflakeConnection,
  parseSnowflakeConnection,
  snowflakeConnectionShape,
} from "./connection/snowflake.ts";
import { canonicalSparkConnection, parseSparkConnection, sparkConnectionShape } from "./connection/spark.ts";
import { canonicalTrinoConnection, parseTrinoConnection, trinoConnectionShape } from "./connection/trino.ts";
import type { Capabilities, Connector, OpenOptions } from "./connector.ts";
import { elsewhereIfLacking } from "./elsewhere.ts";
import { ConnectorFailure } from "./failure.ts";
import { msSqlVariant } from "./mssql-level.ts";
import { variantOf } from "./mysql/variant.ts";
import {
  type Placement,
  type PlacementRules,
  placeAthena,
  placeBigQuery,
  placeBucket,
  placeCanner,
  placeDoris,
  placeFiles,
  placeHttp,
  placeMsSql,
  placeMySql,
  placeOracle,
  placePostgres,
  placeRedshift,
  placeSnowflake,
  placeSpark,
} from "./placement.ts";

export type OpenConnector = (connection: ConnectionInfo, options: OpenOptions) => Promise<Connector>;

/** The ways from an API Worker to sources: it contains no driver itself. */
export interface ConnectorEnvironment extends Pick<PlacementRules, "allowPrivateHosts"> {
  /** Opens a connector in the Worker of the connectors. */
  readonly worker: OpenConnector;
  /** Opens a connector in the files Worker, if it is bound. */
  readonly files?: OpenConnector;
  readonly sidecar?: OpenConnector;
}

interface SourceRow<C extends ConnectionInfo> {
  readonly shape: () => z.ZodMiniType;
  readonly parse: (raw: unknown) => ParsedConnection<C>;
  readonly canonical: (connection: C) => CanonicalConnection;
  readonly capabilities: (connection: C) => Capabilities;
  readonly place: (connection: C, rules: PlacementRules) => Placement;
  /** The variant of a server by its version from the catalogue, for sources whose plans can depend on it. */
  readonly variant?: (version: string) => Variant | undefined;
  /** DuckDB runs its statements, in the files Worker or in the sidecar. */
  readonly hasOwnEngine?: true;
  /** Its metadata lists the datasets in `filterInfo.projects` (docs/spec/contract.md#metadata-of-bigquery). */
  readonly listsProjects?: true;
}

type Rows = { readonly [S in DataSource]: SourceRow<Extract<ConnectionInfo, { source: S }>> };

const SOURCES: Rows = {
  athena: {
    shape: athenaConnectionShape,
    parse: parseAthenaConnection,
    canonical: canonicalAthenaConnection,
    capabilities: () => CAPABILITIES.athena,
    place: placeAthena,
  },
  bigquery: {
    shape: bigQueryConnectionShape,
    parse: parseBigQueryConnection,
    canonical: canonicalBigQueryConnection,
    capabilities: () => CAPABILITIES.bigquery,
    place: placeBigQuery,
    listsProjects: true,
  },
  canner: {
    shape: cannerConnectionShape,
    parse: parseCannerConnection,
    canonical: canonicalCannerConnection,
    capabilities: () => CAPABILITIES.canner,
    place: placeCanner,
  },
  clickhouse: {
    shape: clickHouseConnectionShape,
    parse: parseClickHouseConnection,
    canonical: canonicalClickHouseConnection,
    capabilities: () => CAPABILITIES.clickhouse,
    place: placeHttp,
  },
  mssql: {
    shape: mssqlConnectionShape,
    parse: parseMsSqlConnection,
    canonical: canonicalMsSqlConnection,
    capabilities: () => CAPABILITIES.mssql,
    place: placeMsSql,
    variant: msSqlVariant,
  },
  mysql: {
    shape: mysqlConnectionShape,
    parse: parseMySqlConnection,
    canonical: canonicalMySqlConnection,
    capabilities: (connection) => (isServedByPlanetScale(connection) ? CAPABILITIES.planetscale : CAPABILITIES.mysql),
    place: placeMySql,
    variant: (version) => {
      const { product, version: parts, isItself } = variantOf(version);
      return isItself ? { product, version: parts } : undefined;
    },
  },
  oracle: {
    shape: oracleConnectionShape,
    parse: parseOracleConnection,
    canonical: canonicalOracleConnection,
    capabilities: () => CAPABILITIES.oracle,
    place: placeOracle,
  },
  postgres: {
    shape: postgresConnectionShape,
    parse: parsePostgresConnection,
    canonical: canonicalPostgresConnection,
    capabilities: (connection) => (isServedByNeon(connection) ? CAPABILITIES.neon : CAPABILITIES.postgres),
    place: placePostgres,
  },
  redshift: {
    shape: redshiftConnectionShape,
    parse: parseRedshiftConnection,
    canonical: canonicalRedshiftConnection,
    capabilities: () => CAPABILITIES.redshift,
    place: placeRedshift,
  },
  snowflake: {
    shape: snowflakeConnectionShape,
    parse: parseSnowflakeConnection,
    canonical: canonicalSnowflakeConnection,
    capabilities: () => CAPABILITIES.snowflake,
    place: placeSnowflake,
  },
  trino: {
    shape: trinoConnectionShape,
    parse: parseTrinoConnection,
    canonical: canonicalTrinoConnection,
    capabilities: () => CAPABILITIES.trino,
    place: placeHttp,
  },
  local_file: {
    shape: fileConnectionShape,
    parse: parseLocalFileConnection,
    canonical: canonicalFileConnection,
    capabilities: () => CAPABILITIES.duckdb,
    place: placeFiles,
    hasOwnEngine: true,
  },
  s3_file: {
    shape: s3FileConnectionShape,
    parse: parseS3FileConnection,
    canonical: canonicalS3FileConnection,
    capabilities: () => CAPABILITIES.duckdb,
    place: placeBucket,
    hasOwnEngine: true,
  },
  minio_file: {
    shape: minioFileConnectionShape,
    parse: parseMinioFileConnection,
    canonical: canonicalMinioFileConnection,
    capabilities: () => CAPABILITIES.duckdb,
    place: placeBucket,
    hasOwnEngine: true,
  },
  gcs_file: {
    shape: gcsFileConnectionShape,
    parse: parseGcsFileConnection,
    canonical: canonicalGcsFileConnection,
    capabilities: () => CAPABILITIES.duckdb,
    place: placeBucket,
    hasOwnEngine: true,
  },
  spark: {
    shape: sparkConnectionShape,
    parse: parseSparkConnection,
    canonical: canonicalSparkConnection,
    capabilities: () => CAPABILITIES.spark,
    place: placeSpark,
  },
  databricks: {
    shape: databricksConnectionShape,
    parse: parseDatabricksConnection,
    canonical: canonicalDatabricksConnection,
    capabilities: () => CAPABILITIES.databricks,
    place: placeHttp,
  },
  doris: {
    shape: dorisConnectionShape,
    parse: parseDorisConnection,
    canonical: canonicalDorisConnection,
    capabilities: () => CAPABILITIES.doris,
    place: placeDoris,
  },
  duckdb: {
    shape: fileConnectionShape,
    parse: parseDuckDbConnection,
    canonical: canonicalFileConnection,
    capabilities: () => CAPABILITIES.duckdb,
    place: placeFiles,
    hasOwnEngine: true,
  },
};

/** Schemas of `connectionInfo`, for the API's description. */
export function connectionShapes(): Readonly<Record<string, () => z.ZodMiniType>> {
  return Object.fromEntries(Object.entries(SOURCES).map(([source, { shape }]) => [source, shape]));
}

export function isImplemented(source: string): source is DataSource {
  return Object.hasOwn(SOURCES, source);
}

/** Parses `connectionInfo`. Throws `INVALID_CONNECTION`. */
export function parseConnection(source: DataSource, raw: unknown): ParsedConnection<ConnectionInfo> {
  return rowOf(source).parse(raw);
}

/** See `CanonicalConnection`. */
export function canonicalConnection(connection: ConnectionInfo): CanonicalConnection {
  return rowOf(connection.source).canonical(connection);
}

/** See `connectionIdentity`. */
export function identityOf(connection: ConnectionInfo): string {
  return connectionIdentity(connection.source, canonicalConnection(connection));
}

/** Capabilities of the connection's connector, in any process. */
export function capabilitiesOf(connection: ConnectionInfo): Capabilities {
  return rowOf(connection.source).capabilities(connection);
}

/** The variant of a server of this version, if plans depend on it. Throws `ConnectorFailure` for a version that is too old. */
export function variantAt(source: DataSource, version: string): Variant | undefined {
  return rowOf(source).variant?.(version);
}

/** Whether metadata supports `filterInfo.projects`. */
export function listsProjects(source: DataSource): boolean {
  return rowOf(source).listsProjects === true;
}

/** Whether an engine of the service runs its statements, which calls with equal isolation keys may share (`isolation.ts`). */
export function hasOwnEngine(source: DataSource): boolean {
  return rowOf(source).hasOwnEngine === true;
}

/** The place that serves a connection, or the reason why none does. */
export function placement(connection: ConnectionInfo, rules: PlacementRules): Placement {
  return rowOf(connection.source).place(connection, rules);
}

/**
 * Opens a connector for one request in the place that serves the connection. Throws `ConnectorFailure`; the first call reports
 * problems on the way to the source.
 */
export async function openConnector(
  connection: ConnectionInfo,
  environment: ConnectorEnvironment,
  options: OpenOptions,
): Promise<Connector> {
  const { worker, files, sidecar } = environment;
  const where = placement(connection, {
    sidecar: sidecar !== undefined,
    filesWorker: files !== undefined,
    allowPrivateHosts: environment.allowPrivateHosts,
  });
  if (where.place === "refused") throw new ConnectorFailure(where.reason, where.message, { hint: where.hint });
  if (where.place === "sidecar") {
    if (sidecar === undefined) throw new ConnectorFailure("NEEDS_SIDECAR", "No sidecar is configured.");
    return sidecar(connection, options);
  }
  const hasOneEngine = where.place === "files" && files !== undefined;
  const first = await (hasOneEngine ? files : worker)(connection, options);
  return sidecar === undefined
    ? first
    : elsewhereIfLacking(first, () => sidecar(connection, options), { hasOneEngine });
}

/** The row, typed as accepting any connection: `parse` of the same source created it. */
function rowOf(source: DataSource): SourceRow<ConnectionInfo> {
  return SOURCES[source] as SourceRow<ConnectionInfo>;
}
