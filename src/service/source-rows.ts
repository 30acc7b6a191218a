/** Runs a plan on its source. */
import { withTimes } from "../connectors/numbered-times.ts";
import { withReals } from "../connectors/rounded-reals.ts";
import { withIntervals } from "../connectors/time-lengths.ts";
import { statementOf } from "../planner/plan.ts";
import type { ResultStream } from "../result/types.ts";
import { answerStream } from "./answer-stream.ts";
import type { Call } from "./call.ts";
import type { Prepared } from "./prepared.ts";
import type { CallContext } from "./services.ts";

/** The rows of the source; `through` sees them before their columns get the caller's names. */
export async function rowsOf(
  { source: kind, connection, planned: { plan }, refuseAbove }: Prepared,
  { defer, most, phases }: Pick<CallContext, "defer" | "most" | "phases">,
  call: Call,
  through?: (rows: ResultStream) => ResultStream,
): Promise<ResultStream> {
  const { connector, options } = await call.open(connection, plan);
  phases.begin("firstRow");
  const { columns } = plan;
  const stream = withReals(await call.race(connector.query(statementOf(plan), options)), columns, kind);
  const source = withTimes(withIntervals(stream, columns), columns);
  return answerStream(source, { call, columns, refuseAbove, mostBytes: most.bytes, defer, through });
}
