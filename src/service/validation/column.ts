/** `column_is_valid`: the column can be planned, and the source accepts the plan. */

import { statementOf } from "../../planner/plan.ts";
import { inQuotes } from "../../planner/syntax/quoting.ts";
import { withCall } from "../call.ts";
import { prepareConnection } from "../connections.ts";
import { forServer } from "../for-server.ts";
import { type PlanningRequest, planStatement } from "../planning.ts";
import { textParameter } from "./parameters.ts";
import type { Rule } from "./rule.ts";

/** Parameters: `modelName`, `columnName`. */
export const columnIsValid: Rule = (services, context, request) =>
  withCall(services, context, "validate", async (call) => {
    const model = textParameter(request.parameters, "modelName");
    const column = textParameter(request.parameters, "columnName");
    const connection = prepareConnection(services, context, request.source, request.connectionInfo);
    const planning: PlanningRequest = {
      operation: "validate",
      source: request.source,
      sql: `SELECT ${inQuotes(column)} FROM ${inQuotes(model)} LIMIT 1`,
      manifestStr: request.manifestStr,
      warnings: connection.warnings,
      ownSql: true,
    };
    return forServer({
      services,
      call,
      connection,
      source: request.source,
      plan: (server) => planStatement(services, context, { ...planning, ...server }),
      ask: async (planned) => {
        call.sends({ planned });
        const { connector, options } = await call.open(connection, planned.plan);
        await call.race(connector.dryRun(statementOf(planned.plan), options));
        return { warnings: planned.warnings };
      },
    });
  });
