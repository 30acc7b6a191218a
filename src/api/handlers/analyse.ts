/**
 * `GET` and `POST /analysis/sql` and `/analysis/sqls`. Existing clients send the body with GET
 * (docs/spec/contract.md#analysis-of-sql).
 */
import { analyse } from "../../service/analyse.ts";
import { readRequest } from "../request.ts";
import { jsonResponse } from "../responses.ts";
import type { Handler } from "../route.ts";
import { analysisBatchBody, analysisBody } from "../schemas.ts";
import { warningHeaders, withPlace } from "./handler.ts";

export const handleAnalyseSql: Handler = (match) =>
  withPlace(match.exchange, async () => {
    const { exchange } = match;
    const { body, context } = await readRequest(match, analysisBody, () => undefined);
    const { sql, manifestStr } = body;
    const parameters = body.parameters ?? undefined;
    const answer = analyse(exchange.options.services, context, { manifestStr, sqls: [sql], parameters, listed: false });
    return jsonResponse(answer.records[0], warningHeaders(exchange, answer.warnings));
  });

export const handleAnalyseSqls: Handler = (match) =>
  withPlace(match.exchange, async () => {
    const { exchange } = match;
    const { body, context } = await readRequest(match, analysisBatchBody, () => undefined);
    const answer = analyse(exchange.options.services, context, { ...body, listed: true });
    return jsonResponse(answer.records, warningHeaders(exchange, answer.warnings));
  });
