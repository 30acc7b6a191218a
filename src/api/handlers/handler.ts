/** The interface of a route's handler, and the steps that handlers share. */
import type { DataSource } from "../../service/data-sources.ts";
import { ServiceError } from "../../service/failure.ts";
import type { PlannerWarning } from "../../service/services.ts";
import type { Exchange } from "../exchange.ts";
import type { ParameterReader } from "../parameters.ts";
import type { RouteMatch } from "../route.ts";
import { warningsHeader } from "../warnings-header.ts";

/**
 * Runs `work`, which takes one of the isolate's request slots after reading its request, and releases the slot at the end. A
 * streamed answer releases it by `release`.
 */
export async function withPlace(
  exchange: Exchange,
  work: (release: () => void) => Promise<Response>,
): Promise<Response> {
  const release = (): void => exchange.place?.release();
  try {
    const response = await work(release);
    if (!exchange.streaming) release();
    return response;
  } catch (error) {
    release();
    throw error;
  }
}

/** The data source in the path. An unknown one is reported together with all other problems, and is `undefined` until then. */
export function dataSourceOf(match: RouteMatch, reader: ParameterReader): DataSource | undefined {
  const source = reader.dataSource(match.path.data_source ?? "");
  match.exchange.dataSource = source;
  return source;
}

/** Call it after the request was read, which throws when the data source is unknown. */
export function known(source: DataSource | undefined): DataSource {
  if (source === undefined) throw new ServiceError("INTERNAL", "A wrong data source was not reported.");
  return source;
}

/** Adds the warnings about unknown names in the request before the others. */
export function warningHeaders(
  exchange: Exchange,
  warnings: readonly PlannerWarning[],
  sql?: string,
): Readonly<Record<string, string>> {
  const header = warningsHeader([...exchange.remarks, ...warnings], sql, (text) => exchange.redactor.redactName(text));
  return header === undefined ? {} : { "x-warnings": header };
}
