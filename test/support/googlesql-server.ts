/**
 * The reference evaluator of GoogleSQL, from what `npm run engines` has installed: a process on loopback that is asked by gRPC.
 * It keeps nothing. Nothing of it survives `stop`, or the test process.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Client, credentials, loadPackageDefinition, type ServiceClientConstructor } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { freePort, guardedScript, stopGuarded } from "./guarded-process.ts";

const ROOT = fileURLToPath(new URL("../../.siskin/googlesql/", import.meta.url));
const SERVER = join(ROOT, "server");
const PATIENCE_MS = 60_000;
const MAX_MESSAGE = 512 * 1024 * 1024;

/** Whether `npm run engines` has installed it. */
export const hasGoogleSql = (): boolean => existsSync(SERVER);

/** Version of the package that contains the evaluator. */
export const googleSqlVersion = (): string =>
  `GoogleSQL of ZetaSQL's npm package ${readFileSync(join(ROOT, "version"), "utf8")}`;

/** For the name of a suite that cannot run. */
export const WITHOUT_GOOGLESQL = "not run: npm run engines has not installed GoogleSQL's evaluator";

export interface GoogleSqlServer {
  /** A method of its service: the answer, or an Error with the evaluator's words. */
  readonly call: (method: string, request: object) => Promise<Readonly<Record<string, unknown>>>;
  readonly stop: () => Promise<void>;
}

type Method = (request: object, options: object, done: (error: Error | null, answer: object) => void) => void;

/** Half a second on a quiet machine. */
export async function startGoogleSql(): Promise<GoogleSqlServer> {
  const home = mkdtempSync(join(tmpdir(), "siskin-googlesql-"));
  const remove = () => rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  const port = await freePort();
  const server = spawn("/bin/sh", ["-c", guardedScript("KILL"), "sh", home, SERVER, "127.0.0.1", String(port)], {
    cwd: home,
    env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C.UTF-8", TZ: "UTC" },
    stdio: ["pipe", "ignore", "ignore"],
  });
  const options = {
    "grpc.max_receive_message_length": MAX_MESSAGE,
    "grpc.max_send_message_length": MAX_MESSAGE,
    "grpc.enable_http_proxy": 0,
  };
  const client = new (serviceOf(join(ROOT, "protos")))(`127.0.0.1:${port}`, credentials.createInsecure(), options);
  const stop = async (): Promise<void> => {
    client.close();
    await stopGuarded(server, remove);
  };
  try {
    await new Promise<void>((done, fail) => {
      client.waitForReady(Date.now() + PATIENCE_MS, (error) => (error ? fail(error) : done()));
    });
  } catch (error) {
    await stop();
    throw error;
  }
  const methods = client as unknown as Readonly<Record<string, Method>>;
  return {
    call: (method, request) =>
      new Promise((done, fail) => {
        methods[method]?.call(client, request, { deadline: Date.now() + PATIENCE_MS }, (error, answer) =>
          error === null ? done(answer as Readonly<Record<string, unknown>>) : fail(error),
        );
      }),
    stop,
  };
}

function serviceOf(protos: string): typeof Client {
  const definition = loadSync(join(protos, "local_service.proto"), {
    includeDirs: [protos],
    keepCase: true,
    oneofs: true,
    longs: String,
    enums: String,
    bytes: Buffer,
  });
  const { zetasql } = loadPackageDefinition(definition) as unknown as {
    readonly zetasql: { readonly local_service: { readonly ZetaSqlLocalService: ServiceClientConstructor } };
  };
  return zetasql.local_service.ZetaSqlLocalService as unknown as typeof Client;
}
