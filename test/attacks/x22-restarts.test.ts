/** Processes that die again and again: the service goes on for as long as nobody ends it. */
import { describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { descendantsOf, isRunning, type RunningService, startService } from "../support/service.ts";

/** More than a service that counts to six would take. */
const DEATHS = 8;

const asks = ({ url }: RunningService): Promise<number> =>
  fetch(`${url}/v3/connector/local_file/metadata/tables`, {
    method: "POST",
    body: JSON.stringify({ connectionInfo: { url: "/tpch", format: "parquet" } }),
  }).then(
    ({ status }) => status,
    () => 0,
  );

describe("a process that dies is started again, however often", { timeout: 180_000 }, () => {
  it.each([
    ["the sidecar", "sidecar/main.ts"],
    ["workerd", "workerd.capnp"],
  ])("%s", async (_, part) => {
    const service = await startService({ RESTART_MAX_PAUSE_MS: "200" });
    const pidOf = (): number => descendantsOf(service.pid).find(({ command }) => command.includes(part))?.pid ?? 0;
    try {
      for (let death = 1; death <= DEATHS; death++) {
        await eventually(async () => expect(await asks(service), `before death ${death}`).toBe(200));
        const pid = pidOf();
        process.kill(pid, "SIGKILL");
        await eventually(() => expect(isRunning(pid)).toBe(false));
      }
      await eventually(async () => expect(await asks(service), "after the last death").toBe(200));
      expect(service.process.exitCode).toBe(null);
    } finally {
      await service.stop();
    }
  });
});
