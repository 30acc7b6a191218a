/** The driver of PostgreSQL without the service: the least that a query of one row can take on this machine. */
import pg from "pg";

interface DriverLoad {
  readonly connectionString: string;
  readonly sql: string;
  readonly connections: number;
  readonly milliseconds: number;
  readonly warmUpMs: number;
}

/** Answers per second, each connection asking again as soon as it has its answer. */
export async function driverPerSecond(given: DriverLoad): Promise<number> {
  const { connectionString, sql, connections, milliseconds, warmUpMs } = given;
  const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString }));
  await Promise.all(clients.map((client) => client.connect()));
  const begin = performance.now() + warmUpMs;
  const end = begin + milliseconds;
  let answers = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < end) {
        await client.query(sql);
        if (performance.now() >= begin) answers++;
      }
      await client.end();
    }),
  );
  return answers / (milliseconds / 1000);
}
