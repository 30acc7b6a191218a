/**
 * Spark Connect's calls and messages, as `connect.proto` has them. The loader makes objects of them by its own rules: absent
 * messages are null, 64-bit integers are texts, and names are in camel case.
 */
import { fileURLToPath } from "node:url";
import type { ChannelCredentials, ChannelOptions, Client, ClientReadableStream, ClientUnaryCall } from "@grpc/grpc-js";
import { type CallOptions, loadPackageDefinition, type Metadata, type ServiceError } from "@grpc/grpc-js";
import { loadSync, type MessageTypeDefinition } from "@grpc/proto-loader";

/** Members of every request. */
export interface InSession {
  readonly sessionId: string;
  readonly userContext: { readonly userId: string; readonly userName: string };
  readonly clientType: string;
}

/** A requested relation: SQL, or a listing of the catalogue. */
export type Relation =
  | { readonly sql: { readonly query: string } }
  | {
      readonly catalog:
        | { readonly listCatalogs: object }
        | { readonly setCurrentCatalog: { readonly catalogName: string } }
        | { readonly listDatabases: object }
        | { readonly listTables: { readonly dbName: string } }
        | { readonly listColumns: { readonly tableName: string } };
    };

export interface Plan {
  readonly root: Relation;
}

export interface ExecutePlanResponse {
  readonly arrowBatch?: { readonly rowCount: string; readonly data: Uint8Array } | null;
  /** Sent by Spark 4, every two seconds. */
  readonly executionProgress?: { readonly numInflightTasks: string } | null;
}

export interface KeyValue {
  readonly key: string;
  readonly value?: string;
}

export interface ErrorDetails {
  readonly rootErrorIdx?: number;
  readonly errors: readonly {
    readonly errorTypeHierarchy: readonly string[];
    readonly message: string;
    readonly causeIdx?: number;
    readonly sparkThrowable?: {
      readonly errorClass?: string;
      readonly sqlState?: string;
      readonly queryContexts: readonly { readonly objectType: string; readonly startIndex: number }[];
    };
  }[];
}

/** Unary calls: requests without their common members, and responses. */
export interface UnaryCalls {
  AnalyzePlan: [
    { readonly schema: { readonly plan: Plan } } | { readonly sparkVersion: object },
    { readonly sparkVersion?: { readonly version: string } | null },
  ];
  Config: [
    {
      readonly operation:
        | { readonly set: { readonly pairs: readonly KeyValue[] } }
        | { readonly get: { readonly keys: readonly string[] } }
        | { readonly getOption: { readonly keys: readonly string[] } };
    },
    { readonly pairs: readonly KeyValue[] },
  ];
  Interrupt: [{ readonly interruptType: "INTERRUPT_TYPE_ALL" }, { readonly interruptedIds: readonly string[] }];
  ReleaseSession: [object, object];
  FetchErrorDetails: [{ readonly errorId: string }, ErrorDetails];
}

export type UnaryMethods = {
  readonly [M in keyof UnaryCalls]: (
    request: InSession & UnaryCalls[M][0],
    metadata: Metadata,
    callback: (error: ServiceError | null, answer: UnaryCalls[M][1] | undefined) => void,
  ) => ClientUnaryCall;
};

export interface SparkConnectClient extends Client, UnaryMethods {
  ExecutePlan(
    request: InSession & { readonly plan: Plan },
    metadata: Metadata,
    options: CallOptions,
  ): ClientReadableStream<ExecutePlanResponse>;
}

interface Service {
  new (address: string, credentials: ChannelCredentials, options: ChannelOptions): SparkConnectClient;
}

const definition = loadSync(fileURLToPath(new URL("connect.proto", import.meta.url)), {
  longs: String,
  enums: String,
  arrays: true,
  defaults: true,
});

/** A client of one channel, which connects with the first call. */
export const SparkConnectService = (
  loadPackageDefinition(definition) as unknown as {
    readonly spark: { readonly connect: { readonly SparkConnectService: Service } };
  }
).spark.connect.SparkConnectService;

/** Details of a failed call, by the engine's keys: `errorId`, `errorClass`, `sqlState`, `classes`. */
export function errorInfoOf(trailer: Buffer): Readonly<Record<string, string>> {
  const { details } = read<{ readonly details: readonly { readonly typeUrl: string; readonly value: Buffer }[] }>(
    "Status",
    trailer,
  );
  const info = details.find(({ typeUrl }) => typeUrl.endsWith("/google.rpc.ErrorInfo"));
  if (info === undefined) return {};
  return read<{ readonly metadata?: Readonly<Record<string, string>> }>("ErrorInfo", info.value).metadata ?? {};
}

function read<Message extends object>(name: string, bytes: Buffer): Message {
  return (definition[`spark.connect.${name}`] as MessageTypeDefinition<object, Message>).deserialize(bytes);
}
