/** Golden questions asked in this process: the project's connection answers, or its seeds. */
import { ServiceError } from "../../src/service/failure.ts";
import { planStatement } from "../../src/service/planning.ts";
import { query } from "../../src/service/query.ts";
import { sessionFrom } from "../options.ts";
import { writeAnswer } from "../output/answer.ts";
import { describeError } from "../output/faults.ts";
import type { Model } from "../project/types.ts";
import type { GivenConnection } from "../source/connection.ts";
import { callContext, type LocalServices, localServices } from "../source/local-services.ts";
import { type Asked, type Bench, Refusal } from "./bench.ts";
import type { Answer } from "./compare.ts";
import { overSeeds, type SeededModel } from "./seeds.ts";

interface Parts {
  readonly services: LocalServices;
  readonly manifestText: string;
  readonly connection: GivenConnection;
  /** Present where `seeds/` stands in for the source. */
  readonly seeded?: SeededModel;
}

export function localBench(parts: Parts): Bench {
  return {
    answer: async (asked, session) => {
      try {
        return await answerTo(asked, sessionFrom(session ?? {}), parts);
      } catch (error) {
        if (!(error instanceof ServiceError) || describeError(error).code === 2) throw error;
        throw new Refusal(error.reason, error.message);
      }
    },
    close: () => parts.services.close(),
  };
}

export function seededBench(model: Pick<Model, "directory" | "manifestText">): Bench {
  const seeded = overSeeds(model.manifestText, model.directory);
  const connection = { source: "local_file", connectionInfo: { url: "/", format: "csv" } } as const;
  const services = localServices(model.directory);
  return localBench({ services, manifestText: seeded.manifestText, connection, seeded });
}

async function answerTo(asked: Asked, session: ReadonlyMap<string, string>, parts: Parts): Promise<Answer> {
  const { services, manifestText: manifestStr, connection, seeded } = parts;
  const closing: Promise<unknown>[] = [];
  const context = callContext({ session, defer: (work) => closing.push(work.catch(() => undefined)) });
  if (seeded !== undefined) {
    const planning = { operation: "explain", source: connection.source, manifestStr, ...asked } as const;
    const refusal = seeded.refusal(planStatement(services, context, planning).plan.reads());
    if (refusal !== undefined) throw new Refusal(undefined, `${refusal.slice(0, 1).toUpperCase()}${refusal.slice(1)}.`);
  }
  const { rows } = await query(services, context, { ...asked, ...connection, manifestStr });
  const bytes: Uint8Array[] = [];
  await writeAnswer(rows, "json", { isPlain: false, out: async (part) => void bytes.push(Buffer.from(part)) });
  await Promise.all(closing);
  const text = Buffer.concat(bytes).toString();
  const { columns, data } = JSON.parse(text) as { readonly columns: readonly string[]; readonly data: Answer["rows"] };
  return { columns, rows: data };
}
