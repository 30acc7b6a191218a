/** Asks the three worlds the same, as a request does, and compares everything that comes back. */

import type { Connector } from "../../../src/connectors/connector.ts";
import { variantAt } from "../../../src/connectors/sources.ts";
import { Phases } from "../../../src/guard/phases.ts";
import * as planner from "../../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../../src/planner/limits.ts";
import type { Plan, VariantRange } from "../../../src/planner/plan.ts";
import type { Row } from "../../../src/result/types.ts";
import { ServiceError } from "../../../src/service/failure.ts";
import { KnownVariants } from "../../../src/service/known-variants.ts";
import { createManifestCache } from "../../../src/service/manifest-cache.ts";
import { query } from "../../../src/service/query.ts";
import type { CallContext, Planner, Services } from "../../../src/service/services.ts";
import { shopData } from "../access-world.ts";
import { encoded } from "../shop-over-http.ts";
import { RULE_KINDS, SESSION } from "./rules.ts";
import type { Question, RandomStatement } from "./statements.ts";
import { type Target, WORLDS } from "./worlds.ts";

/** The answer that a caller gets. */
interface Answer {
  readonly outcome: "answered" | "refused" | "failed";
  /** Status and body, as text. */
  readonly text: string;
}

export interface Judgement {
  /** That of the first world. */
  readonly outcome: Answer["outcome"];
  /** The first world and the one that differs from it, where one does. */
  readonly difference: string | undefined;
}

/** Changes a plan before it is run: nothing, unless a test wants to see that a hole shows. */
export type Tampering = (plan: Plan) => Plan;

export class Judge {
  readonly #target: Target;
  readonly #tampering: Tampering;
  readonly #manifests = new Map<string, string>();
  readonly #variants = new KnownVariants({ maxEntries: 8, milliseconds: 60_000 });

  constructor(target: Target, tampering: Tampering = (plan) => plan) {
    this.#target = target;
    this.#tampering = tampering;
  }

  async judge({ question, ordered }: RandomStatement, rule: string): Promise<Judgement> {
    const planned = this.#planner();
    const manifest = this.#manifest(rule);
    const answers: Answer[] = [];
    for (const world of WORLDS) {
      const asked = { manifest, ordered, planned, connector: this.#target.connectors[world] };
      answers.push(await this.#ask(question, asked));
    }
    const [first] = answers;
    const other = answers.findIndex(({ text }) => text !== first?.text);
    const difference =
      other < 0 ? undefined : `${WORLDS[0]}: ${first?.text}\n${WORLDS[other]}: ${answers[other]?.text}`;
    return { outcome: first?.outcome ?? "failed", difference };
  }

  #manifest(rule: string): string {
    let known = this.#manifests.get(rule);
    if (known === undefined) {
      const { shop } = this.#target;
      known = encoded(shopData(shop, shop.table, RULE_KINDS[rule]));
      this.#manifests.set(rule, known);
    }
    return known;
  }

  /** The worlds differ in nothing that a planner sees: one plan is the plan of all, for the servers that it is for. */
  #planner(): Planner {
    const known = new Map<VariantRange | undefined, planner.Outcome<Plan>>();
    const once = (variant: VariantRange | undefined, make: () => planner.Outcome<Plan>): planner.Outcome<Plan> => {
      let planned = known.get(variant);
      if (planned === undefined) {
        const outcome = make();
        planned = outcome.ok ? { ok: true, value: this.#tampering(outcome.value) } : outcome;
        known.set(variant, planned);
      }
      return planned;
    };
    return {
      ...planner,
      plan: (request) =>
        request.source === undefined ? planner.plan(request) : once(request.variant, () => planner.plan(request)),
      planCube: (request) =>
        request.source === undefined
          ? planner.planCube(request)
          : once(request.variant, () => planner.planCube(request)),
    };
  }

  async #ask(
    question: Question,
    asked: {
      readonly manifest: string;
      readonly ordered: boolean;
      readonly planned: Planner;
      readonly connector: Connector;
    },
  ): Promise<Answer> {
    const services: Services = {
      planner: asked.planned,
      manifests: MANIFESTS,
      sources: {
        prepare: () => ({
          warnings: [],
          identity: () => "the engine",
          variantAt: (version: string) => variantAt(this.#target.source, version),
          open: () => Promise.resolve(keptOpen(asked.connector)),
        }),
      },
      connections: new Map(),
      variants: this.#variants,
      limits: { applicationTimeoutMs: 120_000, statementTimeoutMs: 60_000, maxRows: undefined },
      planOptions: {
        limits: DEFAULT_LIMITS,
        unknownFunctions: "warn",
        accessControl: "standard",
        bestEffort: new Set(this.#target.bestEffort === true ? [this.#target.source] : []),
      },
    };
    const request = { source: this.#target.source, manifestStr: asked.manifest, connectionInfo: {}, ...question };
    try {
      const answer = await query(services, CONTEXT, request);
      const rows: Row[] = [];
      for await (const batch of answer.rows.batches) rows.push(...batch);
      const texts = rows.map(shown);
      const body = {
        columns: answer.rows.columns,
        rows: asked.ordered ? texts : texts.sort(),
        warnings: answer.warnings,
      };
      return { outcome: "answered", text: shown({ status: 200, ...body }) };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { reason, message, metadata, outcome } = error;
      const refused =
        outcome.phase !== "SQL_EXECUTION" &&
        !["SOURCE_ERROR", "SOURCE_INVALID_SQL", "STATEMENT_TIMEOUT"].includes(reason);
      return { outcome: refused ? "refused" : "failed", text: shown({ reason, message, metadata, ...outcome }) };
    }
  }
}

const MANIFESTS = createManifestCache({
  maxLength: 64 * 1024 * 1024,
  maxEntries: 1000,
  load: (text) => planner.loadManifest(text, 16 * 1024 * 1024),
});

const CONTEXT: CallContext = {
  signal: new AbortController().signal,
  defer: (work) => void work.catch(() => undefined),
  correlationId: "worlds",
  caller: "anonymous",
  session: SESSION,
  connections: "all",
  ownConnections: true,
  most: {},
  traceHeaders: {},
  phases: new Phases(),
  timeZone: undefined,
  statementTimeoutMs: undefined,
  strict: false,
  stars: "every column",
};

/** Connections of the test stay; a request closes its own. */
function keptOpen(connector: Connector): Connector {
  return {
    capabilities: connector.capabilities,
    query: (statement, options) => connector.query(statement, options),
    dryRun: (statement, options) => connector.dryRun(statement, options),
    catalog: (request, options) => connector.catalog(request, options),
    close: () => Promise.resolve(),
  };
}

function shown(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) => {
    if (typeof each === "bigint") return `${each}n`;
    if (each instanceof Uint8Array) return [...each];
    return typeof each === "number" && !Number.isFinite(each) ? `${each}` : each;
  });
}
