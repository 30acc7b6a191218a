/** Plans what no caller has asked for, to see whether it can be planned. */
import { BindingContext } from "../binding/context.ts";
import { bindWholeQuery } from "../binding/query.ts";
import { typeOfColumn, typeOfPath } from "../expand/calculated.ts";
import { name, selectFrom } from "../expand/select.ts";
import type { PlannerLimits } from "../limits.ts";
import { lowerQuery } from "../lowering/lower.ts";
import type { Target } from "../lowering/target.ts";
import type { Manifest, Model } from "../manifest/manifest.ts";
import { integer } from "../syntax/build.ts";
import { print } from "../syntax/printer.ts";
import { NOWHERE } from "../syntax/spans.ts";
import type { Expression, Query } from "../syntax/tree.ts";
import type { Problems } from "./problems.ts";

export interface TrialSettings {
  readonly target: Target;
  readonly limits: PlannerLimits;
  readonly unknownFunctions: "allow" | "warn" | "refuse";
}

/** What planning costs by its sizes, in units of `Problems`. */
const COST = { plan: 60, expansion: 20, join: 20 } as const;

export class Trials {
  readonly manifest: Manifest;
  readonly problems: Problems;
  readonly target: Target;
  readonly #settings: TrialSettings;

  constructor(manifest: Manifest, problems: Problems, settings: TrialSettings) {
    this.manifest = manifest;
    this.problems = problems;
    this.target = settings.target;
    this.#settings = settings;
  }

  /** Runs `work` with a context of its own; `size` is the length of the text it is about. False after a fault. */
  run(object: string, size: number, work: (context: BindingContext) => void): boolean {
    const done = this.problems.attempt(object, () => {
      const context = this.context(new Map());
      try {
        work(context);
      } finally {
        this.problems.spend(COST.plan + size + context.expansions * COST.expansion + context.joins * COST.join);
      }
      return true;
    });
    return done === true;
  }

  /** Plans `query`; as what `modeller` computes, who may name hidden columns of the model too. False after a fault. */
  plan(object: string, size: number, query: () => Query, modeller?: Model): boolean {
    return this.run(object, size, (context) => {
      const bind = () => bindWholeQuery(query(), context);
      const bound = modeller === undefined ? bind() : context.asRule(modeller, bind);
      const lowered = lowerQuery(bound.query, context, this.target);
      print(lowered.query, this.target.print, { origins: [], limits: this.#settings.limits });
    });
  }

  context(session: ReadonlyMap<string, string>): BindingContext {
    const { limits, unknownFunctions } = this.#settings;
    return new BindingContext(
      this.manifest,
      { limits, unknownFunctions, timeZone: "UTC" },
      { typeOfColumn, typeOfPath },
      { session, accessControl: "standard" },
    );
  }
}

/** `SELECT column FROM table`; without a column, a query that reads none. */
export function selectOf(table: string, column?: string): Query {
  const expression: Expression =
    column === undefined ? integer(1, { span: NOWHERE }) : { kind: "column", parts: [name(column)], span: NOWHERE };
  return selectFrom([{ kind: "item", expression, alias: undefined, span: NOWHERE }], {
    kind: "table",
    name: [name(table)],
    alias: undefined,
    span: NOWHERE,
  });
}
