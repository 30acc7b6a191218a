/** `POST …/dry-plan` and `POST …/{data_source}/dry-plan`: the planned SQL as a JSON string. */
import { dryPlan } from "../../service/plan.ts";
import { readRequest } from "../request.ts";
import { jsonResponse } from "../responses.ts";
import { dryPlanBody } from "../schemas.ts";
import { dataSourceOf, type Handler, known, warningHeaders, withPlace } from "./handler.ts";

export const handleDryPlan: Handler = (match) =>
  withPlace(match.exchange, async () => {
    const { exchange } = match;
    const forSource = match.path.data_source !== undefined;
    const { parameters, body, context } = await readRequest(exchange, dryPlanBody, (reader) => ({
      source: forSource ? dataSourceOf(match, reader) : undefined,
    }));
    const answer = await dryPlan(exchange.options.services, context, {
      source: forSource ? known(parameters.source) : undefined,
      sql: body.sql,
      manifestStr: body.manifestStr,
    });
    return jsonResponse(answer.sql, warningHeaders(exchange, answer.warnings, body.sql));
  });
