/** The long runs whose results are committed as pages, and what each depends on. */

export interface EvidenceRun {
  /** A sentence without its full stop. */
  readonly proves: string;
  /** The page that the run writes, or writes its tables into. */
  readonly page: string;
  /** The script of package.json, and its arguments. */
  readonly script: string;
  readonly words?: readonly string[];
  /** Time on two quiet cores, where it was measured. */
  readonly takes: string;
  /** Paths of the code that the page is about. */
  readonly code: readonly string[];
}

const NOT_MEASURED = "not measured";
const PLANNER = "src/planner";
const CONNECTORS = "src/connectors";

export const RUNS = {
  parity: {
    proves: "Every engine gives the same rows for the same SQL, or refuses it",
    page: "docs/evidence/parity.md",
    script: "parity",
    takes: NOT_MEASURED,
    code: [PLANNER, CONNECTORS, "test/corpus"],
  },
  refusals: {
    proves: "How many of the corpus's queries each source refuses, and why",
    page: "docs/evidence/refusals.md",
    script: "refusals",
    takes: "1 min",
    code: [PLANNER, "test/corpus"],
  },
  generated: {
    proves: "Random queries and statements give PostgreSQL's rows on every engine, or are refused",
    page: "docs/evidence/generated.md",
    script: "generated",
    takes: NOT_MEASURED,
    code: [PLANNER, "test/parity/random"],
  },
  properties: {
    proves: "200,000 random models, rules and queries agree with an oracle that knows no planner",
    page: "docs/evidence/properties.md",
    script: "properties:long",
    takes: NOT_MEASURED,
    code: [PLANNER, "test/properties"],
  },
  noninterference: {
    proves: "Excluded rows change no character of any answer",
    page: "docs/evidence/noninterference.md",
    script: "noninterference:long",
    takes: NOT_MEASURED,
    code: ["src/planner/access", "src/planner/expand", "src/planner/lowering", "src/service"],
  },
  fences: {
    proves: "Callers' expressions never run on rows that a rule excludes",
    page: "docs/reference/access-rules.md",
    script: "fences",
    takes: "30 min",
    code: ["src/planner/access", "src/planner/expand", "src/planner/dialects"],
  },
  barriers: {
    proves: "The forms of best effort keep callers' expressions off excluded rows on the engines that run here",
    page: "docs/evidence/best-effort.md",
    script: "barriers",
    takes: "15 min",
    code: ["src/planner/expand", "test/security/fences"],
  },
  plannedBarriers: {
    proves: "The planner prints the forms of best effort so that they keep callers' expressions off excluded rows",
    page: "docs/evidence/best-effort.md",
    script: "barriers:planned",
    takes: "40 min",
    code: ["src/planner/access", "src/planner/expand", "src/planner/lowering", "src/planner/dialects"],
  },
  barriersCost: {
    proves: "The time and the bytes that the forms of best effort cost over millions of rows",
    page: "docs/evidence/best-effort.md",
    script: "barriers:cost",
    takes: "15 min",
    code: ["src/planner/expand", "test/security/fences"],
  },
  ruleCounts: {
    proves: "How many of the corpus's queries each source answers over row rules, with which guarantee",
    page: "docs/reference/access-rules.md",
    script: "rule-counts",
    takes: "1 min",
    code: ["src/planner", "test/corpus"],
  },
  fuzz: {
    proves: "A million generated texts end in a plan or one typed error, within the budgets",
    page: "docs/evidence/fuzzing.md",
    script: "fuzz:long",
    takes: "10 min",
    code: [PLANNER],
  },
  attacks: {
    proves: "Each attack that once succeeded succeeds on the old commit alone",
    page: "docs/evidence/attacks.md",
    script: "attacks",
    words: ["--write"],
    takes: NOT_MEASURED,
    code: ["test/attacks", "src", "sidecar"],
  },
  storm: {
    proves: "Statements that crash, fill and hold DuckDB harm no other statement",
    page: "docs/evidence/storm.md",
    script: "storm",
    takes: "10 min",
    code: ["sidecar/engine-process", "sidecar/duckdb"],
  },
  soak: {
    proves: "The whole service answers rightly for half an hour of aborts, time-outs and restarts, and leaks nothing",
    page: "docs/evidence/reliability.md",
    script: "soak",
    takes: "30 min",
    code: ["src/service", "src/api", CONNECTORS, "sidecar", "supervisor"],
  },
  memory: {
    proves: "The processes of `npm start` keep their memory under mixed questions; the page names its minutes",
    page: "docs/evidence/memory.md",
    script: "soak:memory",
    takes: "20 min",
    code: ["src/service", "src/api", CONNECTORS, "sidecar", "supervisor", "scripts/service"],
  },
  imports: {
    proves: "Measures of imported models have the numbers of MetricFlow and of Cube",
    page: "docs/evidence/imports.md",
    script: "same-numbers",
    takes: "7 min",
    code: ["cli/import", "test/same-numbers"],
  },
  bench: {
    proves: "The time and memory of plans, requests, rows and new isolates",
    page: "docs/evidence/benchmarks.md",
    script: "bench",
    takes: NOT_MEASURED,
    code: ["src", "sidecar", "bench"],
  },
  plannerSizes: {
    proves: "How many lines the dialects have, beside the goals, and how large the planner's bundle is",
    page: "docs/evidence/planner-sizes.md",
    script: "planner-sizes",
    takes: "10 s",
    code: [PLANNER],
  },
  planningSpeed: {
    proves:
      "A warm plan takes as long as before the planner was held to PostgreSQL's answers, or the page says why not",
    page: "docs/evidence/planning-speed.md",
    script: "planning-speed",
    takes: "5 min",
    code: [PLANNER],
  },
  page: {
    proves:
      "The page is seen, takes keys and answers soon, and a million rows do not fill a browser; it takes the guide's pictures",
    page: "docs/evidence/page.md",
    script: "page",
    takes: "1 min",
    code: ["src/explorer"],
  },
  clients: {
    proves: "The clients work on every version of Node and Python that they support",
    page: "docs/evidence/clients.md",
    script: "clients",
    takes: "20 min",
    code: ["clients", "test/clients"],
  },
  superset: {
    proves: "Superset lists data sets and charts have the service's numbers over the SQLAlchemy dialect",
    page: "docs/evidence/superset.md",
    script: "superset",
    takes: "6 min",
    code: ["clients/python", "test/clients/superset"],
  },
} as const satisfies Readonly<Record<string, EvidenceRun>>;
