/** Replaces a dialect that a Worker was built without (`npm run deploy -- --dialects …`). */
import { PlannerError } from "../diagnostics.ts";

function absent(): never {
  throw new PlannerError("NOT_IMPLEMENTED", "the deployment has no dialect for the data source", {
    hint: "It was built without its dialect: `npm run deploy -- --dialects …`.",
  });
}

export {
  absent as athenaTarget,
  absent as bigqueryTarget,
  absent as cannerTarget,
  absent as clickhouseTarget,
  absent as databricksTarget,
  absent as dorisTarget,
  absent as duckdbTarget,
  absent as mssqlTarget,
  absent as mysqlTarget,
  absent as oracleTarget,
  absent as postgresTarget,
  absent as sparkTarget,
  absent as redshiftTarget,
  absent as snowflakeTarget,
  absent as trinoTarget,
};
