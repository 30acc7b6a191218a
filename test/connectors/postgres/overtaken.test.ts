/** A cancel request that comes to the server before its statement does: the statement ends all the same. */
import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { startTcpServer, type TcpServer } from "../../support/tcp.ts";
import { patient, plain } from "../contract.ts";
import { openFromNode, type PostgresFixture, startPostgresFixture } from "./fixture.ts";

/** How long what the client sends is under way; what has been sent arrives, whatever becomes of the client. */
const DELAY_MS = 300;

let fixture: PostgresFixture;
let slow: TcpServer;

beforeAll(async () => {
  fixture = await startPostgresFixture();
  slow = await startTcpServer((socket) => {
    const { host, port } = fixture.database;
    const server = connect(port, host);
    // The first connection carries the statement, those after it the requests to cancel it.
    const delay = slow.connections() === 1 ? DELAY_MS : 0;
    server.on("error", () => {});
    socket.on("data", (bytes) => setTimeout(() => server.write(bytes), delay));
    socket.on("close", () => setTimeout(() => server.end(), delay));
    server.pipe(socket);
  });
});
afterAll(async () => {
  await slow.close();
  await fixture.database.stop();
});

it("ends the statement", async () => {
  const { user, password, database } = fixture.database;
  const connector = await openFromNode({
    ...{ host: slow.host, port: slow.port, user, password, database },
    kwargs: { sslmode: "disable" },
  });
  const controller = new AbortController();
  const asked = connector.query(plain("SELECT count(*) FROM generate_series(1, 1000000000000) AS t(overtaken)"), {
    ...patient(),
    signal: controller.signal,
  });
  controller.abort(new Error("gone"));
  await expect(asked).rejects.toMatchObject({ reason: "CANCELLED" });
  await connector.close();
  const running = async (): Promise<number> => {
    const { rows } = await fixture.observer.query(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid() AND query LIKE '%overtaken%'",
    );
    return rows[0].n as number;
  };
  // Nothing that was under way is so any more.
  await new Promise((resolve) => setTimeout(resolve, 2 * DELAY_MS));
  await eventually(async () => expect(await running()).toBe(0));
});
