/** md5 on MySQL: it was refused for all servers, although MariaDB and MySQL before 9.6 have it. */
import { expect, it } from "vitest";
import { loadManifest, plan } from "../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";

const columns = [{ name: "s", type: "VARCHAR" }];
const MANIFEST = { catalog: "c", schema: "s", models: [{ name: "t", tableReference: { table: "t" }, columns }] };

it("names the servers that have md5 in the refusal", () => {
  const loaded = loadManifest(Buffer.from(JSON.stringify(MANIFEST)).toString("base64"), 1024 * 1024);
  if (!loaded.ok) throw loaded.error;
  const outcome = plan({
    sql: "SELECT md5(s) FROM t",
    manifest: loaded.value,
    source: "mysql",
    session: new Map(),
    options: { limits: DEFAULT_LIMITS, unknownFunctions: "warn", accessControl: "standard" },
  });
  const servers = outcome.ok ? [] : (outcome.error.liftedBy ?? []);
  expect(servers.map(({ product }) => product)).toEqual(["mysql", "mariadb"]);
});
