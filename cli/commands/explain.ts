/** `siskin explain`: the plan of a statement as JSON. No source is contacted. */
import { explain } from "../../src/service/explain.ts";
import type { ExitCode } from "../exit.ts";
import { MODEL_OPTIONS, readArguments, SESSION_OPTIONS, sessionOf } from "../options.ts";
import { callContext } from "../source/local-services.ts";
import { manifestFor } from "../source/operator-rights.ts";
import type { Terminal } from "../terminal.ts";
import { openWorkspace, printWarnings, redacted, reportFailure } from "./context.ts";
import { textOf } from "./query.ts";

const OPTIONS = { ...MODEL_OPTIONS, ...SESSION_OPTIONS, source: { type: "string" } } as const;

export async function explainCommand(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const sql = textOf(positionals, terminal, "a statement");
  const { model, source, services } = openWorkspace(values, terminal);
  const session = sessionOf(values);
  try {
    const { warnings, ...explanation } = explain(services, callContext({ session }), {
      source,
      sql,
      manifestStr: manifestFor(model.manifestText, session, terminal),
    });
    printWarnings(warnings, terminal);
    await terminal.out(redacted(`${JSON.stringify(explanation, null, 2)}\n`));
    return 0;
  } catch (error) {
    return reportFailure(error, terminal, { text: sql, name: "query" });
  }
}
