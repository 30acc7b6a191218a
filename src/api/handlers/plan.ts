/** `POST …/dry-plan`, `POST …/{data_source}/dry-plan` and `…/cube/dry-plan`: the planned SQL as a JSON string. */
import type { output, ZodMiniType } from "zod/mini";
import { dryPlan } from "../../service/plan.ts";
import type { Question } from "../../service/planning.ts";
import { readRequest } from "../request.ts";
import { jsonResponse } from "../responses.ts";
import type { Handler } from "../route.ts";
import { cubeBody, dryPlanBody, type Schema } from "../schemas.ts";
import { dataSourceOf, known, warningHeaders, withPlace } from "./handler.ts";

export const handleDryPlan = planHandler(dryPlanBody, ({ sql, parameters }) => ({
  sql,
  parameters: parameters ?? undefined,
}));

/** Takes a structured query instead of SQL (docs/decisions/0006-own-routes.md). */
export const handleCubeDryPlan = planHandler(cubeBody, ({ cube, parameters }) => ({
  cube,
  parameters: parameters ?? undefined,
}));

function planHandler<Body extends ZodMiniType<{ readonly manifestStr: string }>>(
  schema: Schema<Body>,
  questionIn: (body: output<Body>) => Question,
): Handler {
  return (match) =>
    withPlace(match.exchange, async () => {
      const { exchange } = match;
      const forSource = match.path.data_source !== undefined;
      const { parameters, body, context } = await readRequest(match, schema, (reader) => ({
        source: forSource ? dataSourceOf(match, reader) : undefined,
      }));
      const question = questionIn(body);
      const answer = dryPlan(exchange.options.services, context, {
        ...question,
        source: forSource ? known(parameters.source) : undefined,
        manifestStr: body.manifestStr,
      });
      return jsonResponse(answer.sql, warningHeaders(exchange, answer.warnings, question.sql));
    });
}
