import type { PostgresConnection } from "../connection/postgres.ts";
import type { Connector } from "../connector.ts";
import type { ConnectorHost, OpenOptions } from "../sources.ts";
/** Connects before it resolves. Fails with `ConnectorFailure`. */
export declare function openPostgres(connection: PostgresConnection, host: ConnectorHost, options: OpenOptions): Promise<Connector>;
