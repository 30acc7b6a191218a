/** `GET` and `POST /analysis/sql` and `/analysis/sqls`. Existing clients send the body with GET (contract §10.1). */
import { analyse } from "../../service/analyse.ts";
import { readRequest } from "../request.ts";
import { jsonResponse } from "../responses.ts";
import { analysisBatchBody, analysisBody } from "../schemas.ts";
import { type Handler, withPlace } from "./handler.ts";

export const handleAnalyseSql: Handler = (match) =>
  withPlace(match.exchange, async () => {
    const { body } = await readRequest(match, analysisBody, () => undefined);
    const { sql, manifestStr } = body;
    const [records] = analyse(match.exchange.options.services, { manifestStr, sqls: [sql], listed: false });
    return jsonResponse(records);
  });

export const handleAnalyseSqls: Handler = (match) =>
  withPlace(match.exchange, async () => {
    const { body } = await readRequest(match, analysisBatchBody, () => undefined);
    return jsonResponse(analyse(match.exchange.options.services, { ...body, listed: true }));
  });
