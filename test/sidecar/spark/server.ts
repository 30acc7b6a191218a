/**
 * A FAKE Spark Connect server: its calls over gRPC, and no engine. It keeps settings as it is told, answers a statement with
 * `numbers`, and whatever a test has said instead. The same connector runs on a real one in `test/engines/spark.test.ts`.
 */
import { fileURLToPath } from "node:url";
import {
  loadPackageDefinition,
  Metadata,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceClientConstructor,
  type ServiceError,
  status,
} from "@grpc/grpc-js";
import { loadSync, type MessageTypeDefinition } from "@grpc/proto-loader";
import { int64 } from "@uwdata/flechette";
import { arrow } from "../../support/spark-arrow.ts";

/** A request, in the words of the protocol. */
export interface Asked {
  readonly method: string;
  readonly sessionId: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly authorization: string | undefined;
}

export type Execute = (call: ServerWritableStream<object, object>) => Promise<void> | void;

export interface FakeSpark {
  readonly port: number;
  /** Newest last. */
  readonly asked: readonly Asked[];
  /** Answers statements until it is replaced. */
  execute: Execute;
  /** Default settings, and settings that clients have set. */
  readonly settings: Map<string, string>;
  /** Answers or errors of other calls, in place of Spark's. */
  readonly answers: Map<string, object | Error>;
  /** Calls that are never answered. */
  readonly silent: Set<string>;
  close(): Promise<void>;
}

const definition = loadSync(fileURLToPath(new URL("../../../sidecar/spark/connect.proto", import.meta.url)), {
  longs: String,
  enums: String,
});
const { service } = (
  loadPackageDefinition(definition) as unknown as {
    readonly spark: { readonly connect: { readonly SparkConnectService: ServiceClientConstructor } };
  }
).spark.connect.SparkConnectService;

export async function startFakeSpark(credentials = ServerCredentials.createInsecure()): Promise<FakeSpark> {
  const server = new Server();
  const asked: Asked[] = [];
  const settings = new Map<string, string>();
  const fake = { execute: numbers(3), answers: new Map<string, object | Error>(), silent: new Set<string>() };
  const note = (method: string, call: { readonly request: unknown; readonly metadata: Metadata }): void => {
    const request = call.request as Asked["request"];
    const [authorization] = call.metadata.get("authorization").map(String);
    asked.push({ method, sessionId: String(request["sessionId"]), request, authorization });
  };
  const config = ({ operation }: { readonly operation?: ConfigOperation }): object => {
    for (const { key, value } of operation?.set?.pairs ?? []) settings.set(key, value);
    const keys = operation?.get?.keys ?? operation?.getOption?.keys ?? [];
    return { pairs: keys.map((key) => ({ key, value: settings.get(key) })) };
  };
  const unary = (method: string) => (call: ServerUnaryCall<object, object>, answer: Answer) => {
    note(method, call);
    if (fake.silent.has(method)) return;
    const usual = method === "Config" ? config(call.request) : { sparkVersion: { version: "4.0.1" } };
    const given = fake.answers.get(method) ?? usual;
    if (given instanceof Error) answer(given);
    else answer(null, given);
  };
  server.addService(service, {
    ...Object.fromEntries(
      ["AnalyzePlan", "Config", "Interrupt", "ReleaseSession", "FetchErrorDetails"].map((name) => [name, unary(name)]),
    ),
    ExecutePlan: async (call: ServerWritableStream<object, object>) => {
      note("ExecutePlan", call);
      await fake.execute(call);
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", credentials, (error, bound) => (error ? reject(error) : resolve(bound)));
  });
  return Object.assign(fake, {
    port,
    asked,
    settings,
    close: async () => server.forceShutdown(),
  });
}

interface ConfigOperation {
  readonly set?: { readonly pairs: readonly { readonly key: string; readonly value: string }[] };
  readonly get?: { readonly keys: readonly string[] };
  readonly getOption?: { readonly keys: readonly string[] };
}
type Answer = (error: Error | null, answer?: object) => void;

export const batch = (data: Uint8Array): object => ({ arrowBatch: { rowCount: "0", data } });

/** `count` rows of one bigint column `n`, a message each. */
export function numbers(count: number): Execute {
  return (call) => {
    call.write({});
    if (count === 0) call.write(batch(arrow({ n: [[], int64()] })));
    for (let n = 1; n <= count; n++) call.write(batch(arrow({ n: [[BigInt(n)], int64()] })));
    call.end();
  };
}

/** A call that fails as an engine fails it; `info` is what its trailer says, `details` what it tells when asked. */
export function engineError(message: string, info: Readonly<Record<string, string>>): ServiceError {
  const write = (name: string, value: object): Buffer =>
    (definition[`spark.connect.${name}`] as MessageTypeDefinition<object, object>).serialize(value);
  const value = write("ErrorInfo", { metadata: info });
  const details = [{ typeUrl: "type.googleapis.com/google.rpc.ErrorInfo", value }];
  const metadata = new Metadata();
  metadata.set("grpc-status-details-bin", write("Status", { details }));
  return callError(status.INTERNAL, message, metadata);
}

export function callError(code: status, details: string, metadata = new Metadata()): ServiceError {
  return Object.assign(new Error(details), { code, details, metadata });
}
