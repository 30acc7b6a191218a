/** The PostgreSQL side of the contract suite, over whichever transport opens the connector. */
import type pg from "pg";
import type { Connector } from "../../../src/connectors/connector.ts";
import type { ConnectorHost } from "../../../src/connectors/sources.ts";
import { type TestDatabase } from "../../support/postgres.ts";
import type { ContractFixture, ContractStatements } from "../contract.ts";
export declare const NODE_HOST: ConnectorHost;
export declare const never: () => AbortSignal;
/** Over a socket from Node, with the parsed form of `raw`. */
export declare function openFromNode(raw: unknown, host?: ConnectorHost): Promise<Connector>;
export declare const POSTGRES_STATEMENTS: ContractStatements;
export interface PostgresFixture extends ContractFixture {
    readonly database: TestDatabase;
    readonly observer: pg.Client;
}
/**
 * A database whose own settings are all different from what the connector needs, so that a test fails when one of them
 * is not set for the statement.
 */
export declare function startPostgresFixture(open?: (database: TestDatabase) => Promise<Connector>): Promise<PostgresFixture>;
