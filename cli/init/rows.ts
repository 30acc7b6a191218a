/** Rows of a statement over a manifest that is being made. */
import { query } from "../../src/service/query.ts";
import type { Services } from "../../src/service/services.ts";
import type { GivenConnection } from "../source/connection.ts";
import { callContext } from "../source/local-services.ts";

export interface AskedSource {
  readonly services: Services;
  readonly connection: GivenConnection;
  readonly manifestStr: string;
}

/** All rows; the statement limits them. Throws `ServiceError`. */
export async function firstRows(
  { services, connection, manifestStr }: AskedSource,
  sql: string,
): Promise<readonly (readonly unknown[])[]> {
  const closing: Promise<unknown>[] = [];
  const context = callContext({ defer: (work) => closing.push(work.catch(() => undefined)) });
  const { rows } = await query(services, context, { sql, manifestStr, ...connection });
  const found: (readonly unknown[])[] = [];
  for await (const batch of rows.batches) found.push(...batch);
  await Promise.all(closing);
  return found;
}
