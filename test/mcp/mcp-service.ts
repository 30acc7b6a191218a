/** The whole service in plain workerd, with projects of a test: `npm start` with its own directory of projects. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { directoryStore } from "../../cli/projects/directory-store.ts";
import { push } from "../../cli/projects/push.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { type RunningService, startService } from "../support/service.ts";

export interface TestProject {
  readonly dataSource: DataSource;
  readonly connectionInfo: Readonly<Record<string, unknown>>;
  readonly manifest: object;
  readonly pointer?: object;
}

export interface McpService extends RunningService {
  close(): Promise<void>;
}

export async function startMcpService(
  projects: Readonly<Record<string, TestProject>>,
  variables: Readonly<Record<string, string>> = {},
): Promise<McpService> {
  const directory = mkdtempSync(join(tmpdir(), "siskin-mcp-"));
  const written = mkdtempSync(join(tmpdir(), "siskin-mcp-"));
  for (const [name, { dataSource, manifest, pointer = {} }] of Object.entries(projects)) {
    writeFileSync(join(written, `${name}.manifest.json`), JSON.stringify(manifest));
    const file = join(written, `${name}.json`);
    const whole = { version: 1, name, manifest: `${name}.manifest.json`, connection: name, ...pointer };
    writeFileSync(file, JSON.stringify(whole));
    await push(file, directoryStore(directory), dataSource);
  }
  const connections = Object.fromEntries(
    Object.entries(projects).map(([name, { dataSource, connectionInfo }]) => [name, { dataSource, connectionInfo }]),
  );
  const service = await startService({
    PROJECTS: "files",
    PROJECTS_DIRECTORY: directory,
    CONNECTIONS: JSON.stringify(connections),
    ALLOW_PRIVATE_HOSTS: "true",
    ...variables,
  });
  return {
    ...service,
    close: async () => {
      await service.stop();
      for (const each of [directory, written]) rmSync(each, { recursive: true, force: true });
    },
  };
}

export type Era = "modern" | "legacy";

/** The maker's client, of the newest revision or of the one before. */
export async function connected(
  url: string,
  era: Era,
  headers: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: era === "legacy" ? "legacy" : { pin: "2026-07-28" } } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}
