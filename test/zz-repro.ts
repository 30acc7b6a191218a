import { readdirSync } from "node:fs";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { startS3Server } from "./support/s3-server.ts";
const directory = process.argv[2] ?? "/tmp/tw";
const server = await startS3Server();
server.objects.set("small.csv", Buffer.from("n\n1\n2\n"));
const names = readdirSync(directory).filter((n) => n.endsWith(".wasm"));
const mf = new Miniflare(convertV4MiniflareOptions({
  host: "127.0.0.1", port: 0, cf: false,
  handleRuntimeStdio: (out: any, err: any) => { out.pipe(process.stdout); err.pipe(process.stderr); },
  workers: [{ name: "files", modulesRoot: directory,
    modules: [{ type: "ESModule", path: `${directory}/worker.js` }, ...names.map((n) => ({ type: "CompiledWasm", path: `${directory}/${n}` }))],
    compatibilityDate: "2026-09-01", compatibilityFlags: ["nodejs_compat", "enable_request_signal"] }] } as any));
const url = (await mf.ready).origin;
const pause = Number(process.argv[3] ?? 0);
for (let turn = 0; turn < 40; turn++) {
  const body = JSON.stringify({ connectionInfo: server.connectionInfo(), names: ["small.csv"], sql: 'SELECT sum(n) FROM "small.csv"', scans: [{ columns: ["n"], filters: [] }], timeoutMs: 20000, isolation: `turn ${turn % 3}` });
  const t = performance.now();
  try {
    const r = await fetch(url, { method: "POST", body, signal: AbortSignal.timeout(40000) });
    const text = await r.text();
    console.log(turn, Math.round(performance.now() - t), text.slice(-60));
  } catch (e) { console.log("FAILED", turn, Math.round(performance.now() - t), String(e), String((e as any).cause)); break; }
  if (pause) await new Promise((r) => setTimeout(r, pause));
}
await mf.dispose(); await server.close(); process.exit(0);
