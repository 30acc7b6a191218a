import { describeConnector } from "../../connectors/contract.ts";
import { connectTo, DUCKDB_STATEMENTS, playground } from "./fixtures.ts";

describeConnector("DuckDB in this process", async () => {
  const ground = playground();
  return {
    statements: DUCKDB_STATEMENTS,
    open: () => connectTo(ground),
    close: async () => ground.remove(),
  };
});
