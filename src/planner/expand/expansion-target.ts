/** The facts about a target that decide how models become tables. */
import type { Harmless } from "../access/harmless.ts";
import type { NativeFlavour } from "../syntax/lexical-rules.ts";
import type { Expression } from "../syntax/tree.ts";
import type { Conversion } from "../types.ts";

export type FenceKind =
  | "offset"
  | "materialized"
  | "numbered"
  | "copied"
  | "copied in order"
  | "volatile"
  | "ranked"
  | "ranked and limited"
  | "conditional";

export interface ExpansionTarget {
  /** Lexical rules of native SQL (docs/decisions/0023-native-sql.md). */
  readonly native: NativeFlavour;
  /** Columns may have collations that are not reported, and a cast to the column's own type removes them. */
  readonly castsColumns?: true;
  /** Converts a column of a type that only the source has; `undefined`: such columns are read without a conversion. */
  readonly converts: ((column: Expression, conversion: Conversion) => Expression) | undefined;
  /** How row rules are evaluated before everything else (docs/reference/access-rules.md). */
  readonly fence: Fence;
  /** Types of its columns may be inferred from their values, including those of excluded rows. */
  readonly infersTypes: boolean;
  readonly rewrites: ExpansionRewrites;
}

export interface ExpansionRewrites {
  /** A reference to the name of an alias always means the table with that alias, even if a common table has the name. */
  readonly aliasesCapture?: true;
  /** A column that the manifest declares as a time of day is a text of one: the source has no such type. */
  readonly numberedTimes?: object;
}

/**
 * How the engine is kept from evaluating anything over excluded rows (docs/reference/access-rules.md). `offset`: `OFFSET 0` keeps a query's
 * conditions below everything around it. `materialized`: in addition a common table, for engines that compute over a column's
 * dictionary, including excluded values, and push filters into common tables. `numbered`: `row_number() OVER ()` above 0, for
 * engines that remove OFFSET 0. `copied`: each column as an aggregate over a window of its own row, for engines whose rows keep
 * their original dictionary. `volatile`: a volatile column, for engines that move conditions without columns below windows.
 */
export interface Fence {
  /** Around rules in a statement that contains an expression which can raise; refused if no fence is proven on the engine. */
  readonly whenRaising: "none" | "refuse" | FenceKind;
  /**
   * Around rules in any other statement. If the engine checks types before a run, it needs none. If it converts values when it
   * reads them, a column whose type differs from the manifest would raise.
   */
  readonly otherwise: "none" | "refuse" | Exclude<FenceKind, "materialized">;
  /**
   * Conditions that cannot raise may be placed next to a rule behind a proven fence, so that an index can answer them. Behind a
   * barrier of `bestEffort` they always may, if the source has facts on what cannot raise.
   */
  readonly pushes: boolean;
  /** The expressions that never raise, as tested on the engine; `undefined`: untested, so everything may raise. */
  readonly harmless: Harmless | undefined;
  /** The form that is not proven, for operators who accept it (`ROW_RULES=besteffort`). */
  readonly bestEffort?: BestEffort;
}

export interface BestEffort {
  /**
   * A barrier that the maker documents, or that a relative of the engine respects; on sources with a proven fence the same fence, for
   * servers on which it is not proven. Engines that compute functions over dictionaries of whole columns get only forms that copy
   * values. `copied in order`: `copied` by windows with an ORDER BY, which Doris requires. `ranked`: `row_number() OVER (ORDER BY 1)` above
   * 0; `ranked and limited`: with a limit above all rows. `conditional`: no barrier; every expression that can fail is an
   * alternative of IF over the truth of the rules, for sources that ignore errors of alternatives that are not chosen.
   */
  readonly barrier: FenceKind;
  /**
   * Columns above the barrier are `CASE WHEN <the rule> THEN column END`, a second line of defence. Absent on engines that fold such a
   * CASE, or that keep the value below its NULL (docs/reference/access-rules.md).
   */
  readonly guardsColumns?: true;
}

/** How statements are planned where no fence is proven. */
export interface RowRulesMode {
  /** The operator accepts barriers that are not proven (`ROW_RULES`). */
  readonly bestEffort: boolean;
  /** The statement can fail, although nothing in the bound statement can: the dialect made something else of it. */
  readonly doubted: boolean;
  /** The server is none on which the source's fence is proven. */
  readonly unproven: boolean;
}
