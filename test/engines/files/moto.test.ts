/** Buckets of moto, a second server of S3's protocol: without `.siskin/moto`, which `npm run engines` installs, this is reported as not run. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { setTimeout as after } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ObjectStore } from "../../../src/connectors/files/object-store.ts";
import { openStore } from "../../../src/connectors/files/open-store.ts";
import { parseConnection } from "../../../src/connectors/sources.ts";
import { drain, failureOf, patient } from "../../connectors/contract.ts";
import { statement } from "../../sidecar/duckdb/fixtures.ts";
import { connectorIn, type SidecarProcess, startSidecar } from "../../sidecar/process.ts";
import { freePort } from "../../support/service.ts";
import { describeStore, fillStore } from "./stores.ts";

const MOTO = fileURLToPath(new URL("../../../.siskin/moto/bin/moto_server", import.meta.url));

describe.skipIf(!existsSync(MOTO))("moto", () => {
  let server: ChildProcess;
  let endpoint: string;
  let sidecar: SidecarProcess;

  beforeAll(async () => {
    const port = await freePort();
    endpoint = `127.0.0.1:${port}`;
    server = spawn(MOTO, ["-H", "127.0.0.1", "-p", String(port)], { stdio: "ignore" });
    const put = async (path: string, body: Uint8Array | null): Promise<boolean> => {
      const address = path.split("/").map(encodeURIComponent).join("/");
      const asked = fetch(`http://${endpoint}/${address}`, { method: "PUT", body: body && Buffer.from(body) });
      return (await asked.catch(() => undefined))?.ok ?? false;
    };
    while (!(await put("lake", null))) {
      if (server.exitCode !== null) throw new Error("moto does not start.");
      await after(100);
    }
    await fillStore(async (key, content) => expect(await put(`lake/${key}`, content), key).toBe(true));
    sidecar = await startSidecar({ ALLOWED_HOSTS: "127.0.0.1" });
  });
  afterAll(async () => {
    server?.kill("SIGKILL");
    await sidecar?.stop();
  });

  const infoOf = (more: object = {}) => ({ endpoint, bucket: "lake", access_key: "any", secret_key: "any", ...more });

  function store(): ObjectStore {
    const { info } = parseConnection("minio_file", infoOf());
    if (info.source !== "minio_file") throw new Error("another source");
    return openStore(info, fetch);
  }

  async function ask(sql: string, paths: readonly string[], more: object = {}): Promise<unknown[]> {
    const connector = await connectorIn(sidecar, "minio_file", infoOf(more));
    try {
      return await drain(await connector.query(statement(sql, ...paths), patient()));
    } finally {
      await connector.close();
    }
  }

  describeStore(store, []);

  it("answers SQL over several objects", async () => {
    expect(await ask('SELECT sum(n)::bigint FROM "many/1?.csv"', ["many/1?.csv"])).toEqual([[145n]]);
  });

  it("tells a missing bucket and a missing object apart", async () => {
    const asked = (path: string, more: object) => failureOf(ask(`SELECT 1 FROM "${path}"`, [path], more));
    expect(await asked("many/0.csv", { bucket: "nothing" })).toMatchObject({ engineCode: "NoSuchBucket" });
    expect(await asked("nothing.csv", {})).toMatchObject({ reason: "FILE_NOT_FOUND" });
  });
});
