/** Types of the used parts of the driver and its internals (`driver.ts`): it has none of its own. */
declare module "oracledb" {
  export interface DbType {
    readonly name: string;
  }

  export interface Metadata {
    /** The server's spelling. */
    readonly dbColumnName: string;
    readonly dbType: DbType;
    readonly dbTypeName: string;
    readonly byteSize?: number;
    readonly precision?: number;
    readonly scale?: number;
  }

  export interface ResultSet {
    readonly metaData: readonly Metadata[];
    /** So many at most, and none behind the last. */
    getRows(count: number): Promise<unknown[][]>;
    close(): Promise<void>;
  }

  export interface ExecuteOptions {
    readonly resultSet: true;
    readonly outFormat: number;
    readonly prefetchRows: number;
    readonly keepInStmtCache: boolean;
    readonly fetchTypeHandler: (column: Metadata) => { readonly type: DbType } | undefined;
  }

  export interface Connection {
    readonly oracleServerVersion: number;
    execute(
      sql: string,
      binds: readonly never[],
      options: ExecuteOptions | Record<string, never>,
    ): Promise<{ readonly resultSet?: ResultSet }>;
    /** Parses and looks names up. */
    getStatementInfo(sql: string): Promise<{ readonly metaData?: readonly Metadata[] }>;
    /** Ends what runs: its call fails then. */
    break(): Promise<void>;
    rollback(): Promise<void>;
    ping(): Promise<void>;
  }

  export interface ConnectionAttributes {
    readonly user: string;
    readonly password: string;
    readonly connectString: string;
    readonly stmtCacheSize: number;
    readonly sslServerDNMatch: boolean;
    readonly sslServerCertDN?: string;
    readonly driverName: string;
    readonly machine: string;
    readonly osUser: string;
    readonly program: string;
    readonly terminal: string;
  }

  interface OracleDb {
    readonly DB_TYPE_VARCHAR: DbType;
    readonly DB_TYPE_NVARCHAR: DbType;
    readonly DB_TYPE_RAW: DbType;
    readonly OUT_FORMAT_ARRAY: number;
    getConnection(attributes: ConnectionAttributes): Promise<Connection>;
  }

  const oracledb: OracleDb;
  export default oracledb;
}

declare module "oracledb/lib/thin/sqlnet/ntTcp.js" {
  const NetworkTransport: {
    readonly prototype: {
      connected: boolean;
      stream: import("node:stream").Duplex;
      ntConnect(address: {
        readonly host: string;
        readonly hostname: string;
        readonly port: number;
        readonly protocol: string;
      }): Promise<void>;
    };
  };
  export default NetworkTransport;
}

declare module "oracledb/lib/thin/sqlnet/networkSession.js" {
  const networkSession: {
    readonly NetworkSession: {
      readonly prototype: {
        readonly sAtts: { readonly networkCompressionEnabled?: boolean };
        _processPacket(packet: unknown): void;
        disconnect(type?: number): void;
      };
    };
  };
  export default networkSession;
}

declare module "oracledb/lib/impl/datahandlers/buffer.js" {
  const buffers: {
    readonly BaseBuffer: {
      readonly prototype: {
        readonly caps?: { readonly dbTzOffset: number | null; readonly dbTzRegion: string | null };
        parseOracleDate(bytes: Uint8Array, isLocal?: boolean, isOfDatabase?: boolean): unknown;
      };
    };
  };
  export default buffers;
}
