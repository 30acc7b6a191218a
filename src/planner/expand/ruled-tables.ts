/**
 * Replaces every ruled table of an expanded statement with a query that applies the rules. The whole statement decides
 * whether these queries need fences (docs/reference/access-rules.md).
 */
import type { Harmless } from "../access/harmless.ts";
import { firstUnlisted } from "../access/plain-sent.ts";
import { cannotRaise, firstRaising } from "../access/raising.ts";
import { PlannerError, unsupported } from "../diagnostics.ts";
import type { Model } from "../manifest/model.ts";
import type { RowGuarantee } from "../plan.ts";
import { transformTable } from "../syntax/rewrite.ts";
import { NOWHERE } from "../syntax/spans.ts";
import type { Expression, PrintableRelation, Query, RuledTable, Span, TableExpression } from "../syntax/tree.ts";
import { type SyntaxNode, someNode, walk } from "../syntax/walk.ts";
import type { Fence, FenceKind, RowRulesMode } from "./expansion-target.ts";
import { fenced } from "./fence.ts";
import { selectFrom } from "./select.ts";

type Tables = ReadonlyMap<PrintableRelation, TableExpression>;

/** A statement whose models are expanded, and the models that it reads. */
export interface RuledStatement {
  readonly query: Query;
  readonly tables: Tables;
  readonly models: readonly Model[];
  /** The ruled table that refusals of the statement name; `undefined`: it has none. */
  readonly firstRuled: RuledTable | undefined;
  /** The caller's conditions beside rules, each by itself and by its lowered form. */
  readonly pushed: { readonly get: (condition: SyntaxNode) => Expression | undefined } | undefined;
}

/** The tables of a statement without ruled ones. */
export interface AppliedRules {
  readonly tables: Tables;
  readonly rowRules: RowGuarantee;
  /** The expressions that can fail are put under the truth of the rules (`lowering/guards`). */
  readonly guardsExpressions: boolean;
  /** Throws `SentMayFail` if the lowered statement has no fences but holds more than what is known never to fail on the source. */
  readonly checkSent: (lowered: Query) => void;
  /**
   * Throws `SentMayFail` if a condition that was put beside a rule behind a barrier is lowered to one that is not known never to fail.
   * `lowered` is the statement before the steps of whole statements, which put TRUE and FALSE for conditions and do no more to them.
   */
  readonly checkPushed: (lowered: Query) => void;
}

export function applyRules(statement: RuledStatement, fence: Fence, mode: RowRulesMode = PROVEN): AppliedRules {
  const { firstRuled: first } = statement;
  if (first === undefined)
    return {
      tables: statement.tables,
      rowRules: "none",
      guardsExpressions: false,
      checkSent: () => {},
      checkPushed: () => {},
    };
  const chosen = chosenFence(statement, first, fence, mode);
  const { rowRules } = chosen;
  const tables = new Map<PrintableRelation, TableExpression>();
  const apply = (table: TableExpression): TableExpression => (table.kind === "ruled" ? queryOf(table, chosen) : table);
  for (const [relation, table] of statement.tables) tables.set(relation, transformTable(table, { table: apply }));
  const checkSent = (lowered: Query): void => {
    if (rowRules === "plain") refuseUnlisted(lowered, first, fence);
  };
  const checkPushed = (lowered: Query): void => {
    if (rowRules === "besteffort" && chosen.pushes) refuseUnlistedPushed(lowered, statement, first, fence);
  };
  return { tables, rowRules, guardsExpressions: chosen.kind === "conditional", checkSent, checkPushed };
}

function queryOf({ items, from, where, pushed, alias, span }: RuledTable, chosen: ChosenFence): TableExpression {
  const { kind, guardsColumns, pushes } = chosen;
  const rows = { items, from, rules: where, pushed: pushes ? pushed : [], guardsColumns };
  const query = kind === "none" ? selectFrom(items, from, { where }) : fenced(rows, kind);
  return { kind: "derived", query, lateral: false, alias, span };
}

interface ChosenFence {
  readonly kind: FenceKind | "none";
  readonly guardsColumns: boolean;
  /** The caller's conditions that cannot raise are beside the rules, too. */
  readonly pushes: boolean;
  readonly rowRules: RowGuarantee;
}

function chosenFence(statement: RuledStatement, first: RuledTable, fence: Fence, mode: RowRulesMode): ChosenFence {
  const { harmless: engine, otherwise, whenRaising } = fence;
  const barrier = mode.bestEffort ? fence.bestEffort : undefined;
  const setting = fence.bestEffort !== undefined;
  if (otherwise === "refuse" && barrier === undefined) throw unread(first, setting);
  const column = (): boolean => true;
  const own = modellersOwn(engine);
  const mayFail = statement.models.find(({ data }) => data.readMayFail);
  const raising = firstRaising(statement.query, { engine, column });
  const raises =
    raising !== undefined ||
    mayFail !== undefined ||
    [...statement.tables.values()].some((each) => !cannotRaise(each, { engine: own, column }));
  const proven = raises || mode.doubted ? whenRaising : otherwise;
  if (proven !== "refuse") {
    const fencedAs = mode.unproven && barrier !== undefined ? "besteffort" : "fenced";
    const rowRules = proven !== "none" ? fencedAs : raises ? "none" : "plain";
    return { kind: proven, guardsColumns: false, pushes: true, rowRules };
  }
  if (barrier === undefined) throw unfenced(first, { raising, mayFail, setting });
  if (barrier.barrier === "conditional") {
    refuseUnguardable(statement, first, own);
    return { kind: "conditional", guardsColumns: false, pushes: false, rowRules: "besteffort" };
  }
  const guardsColumns = barrier.guardsColumns === true;
  return { kind: barrier.barrier, guardsColumns, pushes: !mode.doubted, rowRules: "besteffort" };
}

/**
 * Refuses what IF over the truth of a rule cannot hold, because it is computed within a table or by the rule itself. The refusals of the
 * expressions are in `lowering/guards`.
 */
function refuseUnguardable({ models, tables }: RuledStatement, first: RuledTable, engine: Harmless | undefined): void {
  for (const { name, data } of models) {
    if (!data.readMayFail && data.refSql === undefined) continue;
    const kind = data.readMayFail ? "whose readMayFail is set" : "which is a refSql";
    const what = `an expression that can fail, in a statement that reads "${name}", ${kind}, and "${first.model}", which has row rules`;
    throw unsupported(what, first.named, "Read models of stored tables alone, or select plain columns.");
  }
  const column = (): boolean => true;
  for (const table of tables.values()) {
    walk(table, (node) => {
      if (node.kind === "ruled" && !node.where.every((rule) => cannotRaise(rule, { engine, column })))
        throw unsupported(
          `an expression that can fail, in a statement over the model "${node.model}", whose row rule can fail`,
          node.named,
          "Write the rule with comparisons of one type of values, AND, OR, NOT, IS NULL, IN and EXISTS.",
        );
      return undefined;
    });
  }
}

function refuseUnlisted(lowered: Query, first: RuledTable, { harmless, otherwise, bestEffort }: Fence): void {
  if (harmless?.listed === undefined || otherwise !== "none") return;
  if (firstUnlisted(lowered, harmless.listed.source) === undefined) return;
  throw new SentMayFail(unfenced(first, { setting: bestEffort !== undefined }));
}

/** Throws `SentMayFail` unless each condition beside a rule is found in the lowered statement as one that cannot fail. */
function refuseUnlistedPushed(
  lowered: Query,
  { tables, pushed }: RuledStatement,
  first: RuledTable,
  { harmless }: Fence,
): void {
  const source = harmless?.listed?.source;
  const expected = new Set<Expression>();
  for (const table of tables.values()) {
    walk(table, (node) => {
      if (node.kind === "ruled") for (const each of node.pushed) expected.add(each);
      return undefined;
    });
  }
  if (expected.size === 0) return;
  const found = new Set<Expression>();
  const canFail = someNode(lowered, (node) => {
    const condition = pushed?.get(node);
    if (condition === undefined) return false;
    found.add(condition);
    return source === undefined || firstUnlisted(node, source) !== undefined;
  });
  if (canFail || found.size < expected.size) throw new SentMayFail(unfenced(first, { setting: true }));
}

/** Collations in the modeller's expressions are assumed compatible: any use would have shown a conflict. */
export function modellersOwn(engine: Harmless | undefined): Harmless | undefined {
  return engine && { ...engine, conversions: { ...engine.conversions, collationsConflict: false } };
}

/** Refuses a source on which reading a column may already fail. */
function unread({ model, named }: RuledTable, setting: boolean): PlannerError {
  const what = `reading the model "${model}", which has row rules`;
  const hint = "docs/reference/access-rules.md lists the sources on which row rules are supported.";
  return unsupported(what, named, setting ? `${hint}${SETTING_HINT}` : hint);
}

interface Raising {
  /** The first expression that may raise; in the caller's text, or with a span that is nowhere. */
  readonly raising?: SyntaxNode | undefined;
  readonly mayFail?: Model | undefined;
  /** The source has a barrier for `ROW_RULES=besteffort`. */
  readonly setting: boolean;
}

/** Refuses a statement that can fail, where no fence is proven. */
function unfenced({ model, named }: RuledTable, { raising, mayFail, setting }: Raising): PlannerError {
  if (raising === undefined && mayFail !== undefined) {
    const what = `a statement that reads "${mayFail.name}", whose readMayFail is set, and the rows that row rules of "${model}" let through`;
    const hint =
      "Read the models in two statements, or set readMayFail to false if the table stores all of its columns.";
    return unsupported(what, named, setting ? `${hint}${SETTING_HINT}` : hint);
  }
  const span = raising === undefined || isNowhere(raising.span) ? named : raising.span;
  const what = `an expression that can fail, in a statement over the model "${model}", which has row rules`;
  return unsupported(what, span, setting ? `${PLAIN_HINT}${SETTING_HINT}` : PLAIN_HINT);
}

const SETTING_HINT = " The operator's setting ROW_RULES=besteffort plans it without a proof.";

const PROVEN: RowRulesMode = { bestEffort: false, doubted: false, unproven: false };

/** Refuses a statement that was planned as one that cannot fail, when its lowered form can. Planned again, it gets a barrier. */
export class SentMayFail extends PlannerError {
  constructor({ reason, message, span, hint }: PlannerError) {
    super(reason, message, { ...(span && { span }), ...(hint !== undefined && { hint }) });
  }
}

const PLAIN_HINT =
  "Use columns, comparisons of one type of values, AND, OR, NOT, IS NULL, IN, CASE, coalesce, nullif, upper, lower, trim, length, " +
  "count, min, max and row numbers. docs/reference/access-rules.md lists what can fail.";

const isNowhere = ({ start, end }: Span): boolean => start === NOWHERE.start && end === NOWHERE.end;
