/** The service with its files Worker over a fake bucket, asked over HTTP. */
import { type S3Server, startS3Server } from "./s3-server.ts";
import { startWorker } from "./worker.ts";

export interface FilesService {
  /** The service's answer to a query over the model `t`, which is the object `table`. */
  ask(sql: string, table: string, columns: Readonly<Record<string, string>>): Promise<FilesAnswer>;
  close(): Promise<void>;
}

export interface FilesAnswer {
  readonly status: number;
  readonly data: unknown;
  readonly reason: unknown;
}

export async function startFilesService(objects: Readonly<Record<string, Uint8Array>>): Promise<FilesService> {
  const server: S3Server = await startS3Server({ region: "eu-west-1" });
  for (const [name, content] of Object.entries(objects)) server.objects.set(name, content);
  const worker = await startWorker({ AUTH: "none" }, { store: `http://${server.endpoint}` });
  return {
    ask: async (sql, table, columns) => {
      const declared = Object.entries(columns).map(([name, type]) => ({ name, type }));
      const manifest = {
        catalog: "c",
        schema: "s",
        models: [{ name: "t", tableReference: { table }, columns: declared }],
      };
      const asked = worker.post("/v3/connector/s3_file/query", {
        sql,
        manifestStr: Buffer.from(JSON.stringify(manifest)).toString("base64"),
        connectionInfo: {
          bucket: server.bucket,
          region: "eu-west-1",
          access_key: server.keys.access,
          secret_key: server.keys.secret,
          url_style: "path",
        },
      });
      try {
        const answer = await asked;
        const body = (await answer.json()) as { data?: unknown; metadata?: { reason?: unknown } };
        return { status: answer.status, data: body.data, reason: body.metadata?.reason };
      } catch (error) {
        // An engine that breaks down behind the first rows ends the connection.
        return { status: 0, data: undefined, reason: String(error) };
      }
    },
    close: () => server.close(),
  };
}
