/** `POST …/{data_source}/model-substitute`: the SQL over models as a JSON string. */
import { modelSubstitute } from "../../service/model-substitute.ts";
import { type ConnectionFields, connectionInfoOf } from "../connection-fields.ts";
import { readRequest } from "../request.ts";
import { jsonResponse } from "../responses.ts";
import type { Handler } from "../route.ts";
import { substituteBody } from "../schemas.ts";
import { dataSourceOf, known, warningHeaders, withPlace } from "./handler.ts";

export const handleModelSubstitute: Handler = (match) =>
  withPlace(match.exchange, async () => {
    const { exchange } = match;
    const { services, headersAre } = exchange.options;
    const { parameters, body, context } = await readRequest(match, substituteBody, (reader) => ({
      source: dataSourceOf(match, reader),
      catalog: reader.nameDefault("userCatalog", headersAre),
      schema: reader.nameDefault("userSchema", headersAre),
    }));
    const answer = await modelSubstitute(services, context, {
      source: known(parameters.source),
      sql: body.sql,
      manifestStr: body.manifestStr,
      connectionInfo: isConnected(body) ? connectionInfoOf(body, "substitute", services) : undefined,
      catalog: parameters.catalog,
      schema: parameters.schema,
    });
    return jsonResponse(answer.sql, warningHeaders(exchange, answer.warnings, body.sql));
  });

/** Both fields are optional (docs/decisions/0012-planning-without-a-source.md). */
function isConnected({ connectionInfo, connectionFilePath }: ConnectionFields): boolean {
  return (connectionInfo ?? connectionFilePath ?? undefined) !== undefined;
}
