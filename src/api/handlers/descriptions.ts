/** `GET …/{data_source}/functions`, `function/{function_name}`, `knowledge`: no body, no connection. */
import type { DataSource } from "../../service/data-sources.ts";
import { functions, knowledge } from "../../service/descriptions.ts";
import { ParameterReader } from "../parameters.ts";
import { RequestProblems } from "../problems.ts";
import { jsonResponse } from "../responses.ts";
import type { Handler, RouteMatch } from "../route.ts";
import { dataSourceOf, known } from "./handler.ts";

export const handleFunctions = described((source) => functions(source));

export const handleFunction = described((source, { path }) => functions(source, path.function_name ?? ""));

export const handleKnowledge = described((source) => knowledge(source));

function described(describe: (source: DataSource, match: RouteMatch) => Promise<unknown>): Handler {
  return async (match) => {
    const { exchange } = match;
    const reader = new ParameterReader(exchange.url.searchParams, exchange.request.headers);
    const source = dataSourceOf(match, reader);
    if (reader.problems.length > 0) throw new RequestProblems(reader.problems);
    return jsonResponse(await describe(known(source), match), CACHED);
  };
}

/** The content changes only with the version of the service. */
const CACHED = { "Cache-Control": "private, max-age=3600" };
