/** `POST …/explain` and `POST …/{data_source}/explain`: the plan as an object. */
import { explain } from "../../service/explain.ts";
import { readRequest } from "../request.ts";
import { jsonResponse } from "../responses.ts";
import type { Handler } from "../route.ts";
import { dryPlanBody } from "../schemas.ts";
import { warningRecords } from "../warnings-header.ts";
import { dataSourceOf, known, warningHeaders, withPlace } from "./handler.ts";

export const handleExplain: Handler = (match) =>
  withPlace(match.exchange, async () => {
    const { exchange } = match;
    const forSource = match.path.data_source !== undefined;
    const { parameters, body, context } = await readRequest(match, dryPlanBody, (reader) => ({
      source: forSource ? dataSourceOf(match, reader) : undefined,
    }));
    const explained = explain(exchange.options.services, context, {
      source: forSource ? known(parameters.source) : undefined,
      sql: body.sql,
      parameters: body.parameters ?? undefined,
      manifestStr: body.manifestStr,
    });
    const answer = {
      plannedSql: explained.plannedSql ?? null,
      dialectSql: explained.dialectSql,
      columns: explained.columns,
      reads: explained.reads.map(({ model, columns, physical }) => ({ model, columns, physical: physical ?? null })),
      lineage: explained.lineage,
      descriptions: explained.descriptions,
      ...(explained.descriptionsOmitted > 0 && { descriptionsOmitted: explained.descriptionsOmitted }),
      warnings: warningRecords([...exchange.remarks, ...explained.warnings], body.sql, (text) =>
        exchange.redactor.redactName(text),
      ),
      rowRules: explained.rowRules,
      session: explained.session,
    };
    return jsonResponse(answer, warningHeaders(exchange, explained.warnings, body.sql));
  });
