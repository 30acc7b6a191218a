/** The setting `ROW_RULES`: the sources on which forms that keep row rules are accepted without a proof. */
import * as z from "zod/mini";
import { list } from "./setting.ts";

/**
 * Sources that have a form without a proof, all servers or some (other builds and earlier releases of ClickHouse, MySQL, Spark and
 * Trino); a test compares them with the planner's targets.
 */
export const BEST_EFFORT_SOURCES = [
  "athena",
  "bigquery",
  "canner",
  "clickhouse",
  "databricks",
  "doris",
  "mssql",
  "mysql",
  "oracle",
  "redshift",
  "snowflake",
  "spark",
  "trino",
] as const;

export type BestEffortSource = (typeof BEST_EFFORT_SOURCES)[number];

const isSource = (text: string): text is BestEffortSource => BEST_EFFORT_SOURCES.some((source) => source === text);

/** `besteffort`, or `proven,snowflake:besteffort`: an entry without a source is for all of them, and a later one wins. */
export const rowRules = () =>
  z.pipe(
    list(),
    z.transform((entries: string[], context): readonly BestEffortSource[] => {
      const accepted = new Set<BestEffortSource>();
      entries.forEach((entry, index) => {
        const [source, mode] = entry.includes(":") ? entry.split(/:(.*)/s) : [undefined, entry];
        const problem =
          mode !== "proven" && mode !== "besteffort"
            ? "must be proven, besteffort, or either behind the name of a source and a colon"
            : source !== undefined && !isSource(source)
              ? `must name one of ${BEST_EFFORT_SOURCES.join(", ")}`
              : undefined;
        if (problem !== undefined) {
          context.issues.push({ code: "custom", message: `entry ${index + 1} ${problem}`, input: undefined });
          return;
        }
        for (const each of BEST_EFFORT_SOURCES) {
          if (source !== undefined && each !== source) continue;
          if (mode === "besteffort") accepted.add(each);
          else accepted.delete(each);
        }
      });
      return [...accepted];
    }),
  ) as unknown as z.ZodMiniType<readonly BestEffortSource[]>;
