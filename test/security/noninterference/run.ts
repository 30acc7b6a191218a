/** Seeds, one after the other: each chooses a rule, a source and a statement. */
import { Random } from "../../support/random-query.ts";
import { Judge, type Judgement, type Tampering } from "./judge.ts";
import { RULE_KINDS } from "./rules.ts";
import { type RandomStatement, randomStatement } from "./statements.ts";
import type { Target, Targets } from "./worlds.ts";

export interface Counts {
  answered: number;
  refused: number;
  failed: number;
}

export interface Finding {
  readonly seed: number;
  readonly engine: string;
  readonly rule: string;
  readonly question: string;
  readonly detail: string;
}

export interface Run {
  readonly first: number;
  statements: number;
  readonly total: Counts;
  readonly engines: Map<string, Counts>;
  /** By rule and engine, and by construct and engine. */
  readonly rules: Map<string, Map<string, number>>;
  readonly constructs: Map<string, Map<string, number>>;
  readonly findings: Finding[];
}

interface Case {
  readonly seed: number;
  readonly target: Target;
  readonly rule: string;
  readonly statement: RandomStatement;
}

/** Every DuckDB statement has an engine of its own, which takes longer than most statements on PostgreSQL. */
const SHARE_OF_FILES = 0.04;

function caseOf(seed: number, { postgres, files }: Targets): Case {
  // Neighbouring seeds begin alike; multiplied by a prime they do not.
  const random = new Random(Math.imul(seed, 0x9e3779b1));
  const target = random.pick(random.chance(SHARE_OF_FILES) ? files : postgres);
  const rule = random.pick(Object.keys(RULE_KINDS));
  return { seed, target, rule, statement: randomStatement(random) };
}

export interface Asking {
  readonly first: number;
  readonly statements: number;
  readonly tampering?: Tampering;
  /** Whether to end before all are asked; looked at after each `atOnce` statements. */
  readonly enough?: (run: Run) => boolean;
  readonly atOnce?: number;
}

/**
 * The seeds of one target one after the other, those of several beside each other; files are one target here. DuckDB 1.4 was
 * seen to wait for ever where many instances of one process are opened at once; requests open one in a process of its own.
 */
export async function runSeeds(
  targets: Targets,
  { first, statements, tampering, enough, atOnce = 100 }: Asking,
): Promise<Run> {
  const judges = new Map(
    [...targets.postgres, ...targets.files].map((target) => [target, new Judge(target, tampering)]),
  );
  const run: Run = {
    first,
    statements: 0,
    total: { answered: 0, refused: 0, failed: 0 },
    engines: new Map(),
    rules: new Map(),
    constructs: new Map(),
    findings: [],
  };
  while (run.statements < statements && enough?.(run) !== true) {
    const length = Math.min(atOnce, statements - run.statements);
    const cases = Array.from({ length }, (_, index) => caseOf(first + run.statements + index, targets));
    const lanes = Map.groupBy(cases, ({ target }) =>
      targets.files.includes(target) && !targets.postgres.includes(target) ? "files" : target,
    );
    const judgements = new Map<Case, Judgement>();
    const lane = async (own: readonly Case[]): Promise<void> => {
      for (const each of own) {
        const judge = judges.get(each.target) as Judge;
        judgements.set(each, await judge.judge(each.statement, each.rule));
      }
    };
    await Promise.all([...lanes.values()].map(lane));
    for (const each of cases) note(run, each, judgements.get(each) as Judgement);
  }
  return run;
}

function note(run: Run, { seed, target, rule, statement }: Case, { outcome, difference }: Judgement): void {
  run.statements++;
  run.total[outcome]++;
  const counts = run.engines.get(target.engine) ?? { answered: 0, refused: 0, failed: 0 };
  counts[outcome]++;
  run.engines.set(target.engine, counts);
  const group = target.engine.replace(/^PostgreSQL, .*/, "PostgreSQL");
  count(run.rules, rule, group);
  for (const construct of statement.constructs) count(run.constructs, construct, group);
  if (difference === undefined) return;
  const question = statement.question.sql ?? JSON.stringify(statement.question.cube);
  run.findings.push({ seed, engine: target.engine, rule, question, detail: difference });
}

function count(counts: Map<string, Map<string, number>>, key: string, engine: string): void {
  const row = counts.get(key) ?? new Map<string, number>();
  row.set(engine, (row.get(engine) ?? 0) + 1);
  counts.set(key, row);
}

/** The command that judges one seed alone. */
export function rerun(seed: number): string {
  return `NONINTERFERENCE_SEED=${seed} NONINTERFERENCE_STATEMENTS=1 npx vitest run test/security/noninterference`;
}

export function told({ seed, engine, rule, question, detail }: Finding): string {
  return `${rerun(seed)}\n${engine}, rule: ${rule}\n${question}\n${detail}`;
}
