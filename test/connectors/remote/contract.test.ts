import { connectTo, DUCKDB_STATEMENTS, playground } from "../../sidecar/duckdb/fixtures.ts";
import { describeConnector } from "../contract.ts";
import { binding, client } from "./fakes.ts";

describeConnector("DuckDB behind a binding", async () => {
  const ground = playground();
  return {
    statements: DUCKDB_STATEMENTS,
    open: async () => client(binding(() => connectTo(ground))),
    close: async () => ground.remove(),
  };
});
