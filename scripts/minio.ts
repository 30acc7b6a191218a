/** `npm run minio`: a MinIO on loopback whose bucket has the files of `examples/`, for README's "Ask a bucket". */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { AwsClient } from "aws4fetch";
import { builtMinio } from "./engines/minio.ts";

export const MINIO_DIRECTORY = fileURLToPath(new URL("../.siskin/minio", import.meta.url));
const EXAMPLES = fileURLToPath(new URL("../examples/tpch", import.meta.url));

export interface Minio {
  readonly endpoint: string;
  readonly keys: { readonly access_key: string; readonly secret_key: string };
  /** Creates the bucket if `key` is absent. */
  put(bucket: string, key?: string, content?: Uint8Array): Promise<void>;
  stop(): Promise<void>;
}

const READY_MS = 30_000;

/** Stopping it deletes its data. */
export async function startMinio(port: number): Promise<Minio> {
  const data = mkdtempSync(join(tmpdir(), "siskin-minio-"));
  const endpoint = `127.0.0.1:${port}`;
  const keys = { access_key: "minioadmin", secret_key: "minioadmin" };
  const child = spawn(builtMinio(MINIO_DIRECTORY), ["server", "--quiet", "--address", endpoint, data], {
    env: {
      PATH: process.env["PATH"],
      HOME: data,
      MINIO_ROOT_USER: keys.access_key,
      MINIO_ROOT_PASSWORD: keys.secret_key,
      MINIO_BROWSER: "off",
      MINIO_UPDATE: "off",
      MINIO_CI_CD: "1",
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
    rmSync(data, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once("exit", () => child.kill("SIGKILL"));
  const until = Date.now() + READY_MS;
  while (!(await isReady(endpoint))) {
    if (Date.now() > until || child.exitCode !== null) {
      await stop();
      throw new Error("MinIO does not start.");
    }
    await after(100);
  }
  const client = new AwsClient({
    accessKeyId: keys.access_key,
    secretAccessKey: keys.secret_key,
    service: "s3",
    region: "us-east-1",
    retries: 0,
  });
  const put: Minio["put"] = async (bucket, key = "", content) => {
    const path = key.split("/").map(encodeURIComponent).join("/");
    const body = content === undefined ? null : Buffer.from(content);
    const { ok, status } = await client.fetch(`http://${endpoint}/${bucket}/${path}`, { method: "PUT", body });
    if (!ok) throw new Error(`MinIO answers ${status} to PUT ${bucket}/${key}.`);
  };
  return { endpoint, keys, put, stop };
}

async function isReady(endpoint: string): Promise<boolean> {
  try {
    return (await fetch(`http://${endpoint}/minio/health/ready`)).ok;
  } catch {
    return false;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const minio = await startMinio(9000);
  await minio.put("lake");
  for (const name of readdirSync(EXAMPLES).filter((file) => file.endsWith(".parquet"))) {
    await minio.put("lake", `tpch/${name}`, readFileSync(join(EXAMPLES, name)));
  }
  console.log(`MinIO runs at ${minio.endpoint}; its bucket "lake" has the files of examples/tpch. Ctrl-C ends it.`);
  process.once("SIGINT", () => void minio.stop().then(() => process.exit(0)));
}
