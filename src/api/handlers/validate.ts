/** `POST …/{data_source}/validate/{rule_name}`: 204 when the rule holds. */
import { validate } from "../../service/validate.ts";
import { connectionInfoOf } from "../connection-fields.ts";
import { readRequest } from "../request.ts";
import type { Handler } from "../route.ts";
import { validateBody } from "../schemas.ts";
import { dataSourceOf, known, warningHeaders, withPlace } from "./handler.ts";

export const handleValidate: Handler = (match) =>
  withPlace(match.exchange, async () => {
    const { exchange } = match;
    const { parameters, body, context } = await readRequest(match, validateBody, (reader) => ({
      source: dataSourceOf(match, reader),
    }));
    const answer = await validate(exchange.options.services, context, {
      rule: match.path.rule_name ?? "",
      source: known(parameters.source),
      manifestStr: body.manifestStr,
      connectionInfo: connectionInfoOf(body, "validate", exchange.options.services),
      parameters: body.parameters,
    });
    return new Response(null, { status: 204, headers: warningHeaders(exchange, answer.warnings) });
  });
