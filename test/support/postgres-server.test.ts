import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { expect, it } from "vitest";

const STARTS_ONE = `
  import { startPostgresServer } from ${JSON.stringify(new URL("./postgres-server.ts", import.meta.url).href)};
  const { port, home } = await startPostgresServer();
  console.log(JSON.stringify({ port, home }));
  setInterval(() => {}, 1000);`;

it("a server ends with the process that started it, even when that is killed", async () => {
  const owner = spawn(process.execPath, ["--experimental-strip-types", "--input-type=module", "-e", STARTS_ONE], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const line = await new Promise<string>((resolve) => owner.stdout.setEncoding("utf8").once("data", resolve));
  const { port, home } = JSON.parse(line);
  const answers = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("connect", () => {
        socket.destroy();
        resolve(true);
      });
      socket.once("error", () => resolve(false));
    });
  expect([await answers(), existsSync(home)]).toEqual([true, true]);
  owner.kill("SIGKILL");
  await expect.poll(answers, { timeout: 30_000 }).toBe(false);
  await expect.poll(() => existsSync(home), { timeout: 30_000 }).toBe(false);
});
