/**
 * Describes a target as data: the facts below, a printing dialect, spellings of functions, and the few rewrites that need types.
 * `lowering/lower.ts` walks the tree and applies them; no other module knows a target.
 */

import type { Harmless } from "../access/harmless.ts";
import type { FenceKind } from "../expand/fence.ts";
import type { UnlistedFunctions } from "../functions/catalogue.ts";
import type { SessionSetting, VariantRange } from "../plan.ts";
import type { NativeFlavour } from "../syntax/lexical-rules.ts";
import type { PrintDialect } from "../syntax/printer.ts";
import type {
  Binary,
  Call,
  Expression,
  Extract,
  Join,
  Query,
  SetOperation,
  TableExpression,
  TableFunction,
  Window,
} from "../syntax/tree.ts";
import type { Conversion, TypeNames } from "../types.ts";
import type { Casts } from "./casts.ts";
import type { Grammar } from "./grammar.ts";
import type { Keys } from "./queries/keys.ts";
import type { Sayings } from "./sayings.ts";
import type { Collations } from "./text-order.ts";
import type { TypeSpellings } from "./type-spellings.ts";

export interface Target {
  readonly name: string;
  /** The product's name, for messages. */
  readonly product: string;
  /** Variants of the source that support more than all its servers do; disjoint. */
  readonly members?: readonly Member[];
  /** The servers of a variant. */
  readonly variant?: VariantRange;
  readonly print: PrintDialect & { readonly types: TypeSpellings };
  /** Lexical rules of native SQL (decisions P14). */
  readonly native: NativeFlavour;
  readonly grammar: Grammar;
  /** A recursive table's decimals keep the digits of its first rows, and later ones are rounded to them. */
  readonly roundsRecursion: boolean;
  /** A recursive table's texts and decimals have the declared length of its first rows, and longer values are an error. */
  readonly measuresRecursion: RecursiveLengths | undefined;
  /** Collations of its texts; without them texts are ordered by code points, or the order is unknown. */
  readonly collations: Collations | undefined;
  /** Columns may have collations that are not reported, and a cast to the column's own type removes them. */
  readonly castsColumns?: true;
  /** A column of a type of the source's own as a value of the language; `undefined`: such columns are read as they are. */
  readonly converts: ((column: Expression, conversion: Conversion) => Expression) | undefined;
  /** How row rules are evaluated before everything else (docs/access-rules.md). */
  readonly fence: Fence;
  /** Types of its columns may be inferred from their values, including those of excluded rows. */
  readonly infersTypes: boolean;
  /** Its names of types, as the manifest writes them (decisions S94). */
  readonly typeNames: TypeNames;
  readonly unlisted: UnlistedFunctions;
  /**
   * Composite types that may not be result columns, by kind or, if the input language has no such type, by the target's name: the
   * engine changes their values in transfer, or they cannot be read back.
   */
  readonly notAsColumns: readonly string[];
  /** Applied by the connector before the statement (semantics.md "Session settings"). */
  readonly session: readonly SessionSetting[];
  readonly rewrites: Rewrites;
}

/** Unset members inherit from the base target. */
export interface Member {
  readonly range: VariantRange;
  readonly of: (all: Target) => Target;
}

/** The lengths with which a type is declared so that its values may have any length, or the maximum. */
export interface RecursiveLengths {
  readonly text: readonly number[];
  readonly decimal: readonly number[];
}

/**
 * How the engine is kept from evaluating anything over excluded rows (docs/access-rules.md). `offset`: `OFFSET 0` keeps a query's
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
  /** Conditions that cannot raise may be placed next to a rule, so that an index can answer them. */
  readonly pushes: boolean;
  /** The expressions that never raise, as tested on the engine; `undefined`: untested, so everything may raise. */
  readonly harmless: Harmless | undefined;
}

/** Rewrites; children are already lowered. */
export interface Rewrites {
  readonly expressions: Sayings<Expression>;
  readonly operators: Sayings<Binary>;
  readonly casts: Casts;
  /** Fields of EXTRACT. */
  readonly fields: Sayings<Extract>;
  /** Keyed by canonical name. */
  readonly functions: Sayings<Call>;
  /** Functions in FROM with another rule than the call as a value. */
  readonly tableFunctions: ReadonlyMap<string, (table: TableFunction) => TableExpression>;
  /** An already lowered value of a SELECT item. */
  readonly item?: (expression: Expression) => Expression;
  readonly setOperation?: (node: SetOperation) => SetOperation;
  /** VALUES of several rows, whose first has become a SELECT. */
  readonly rowsOfValues?: (node: SetOperation) => SetOperation;
  /**
   * A recursive table with growing decimals, changed so that all its rows keep their digits; `undefined` if that is impossible.
   */
  readonly recursionOfDecimals?: (node: SetOperation) => SetOperation | undefined;
  readonly join?: (node: Join) => Join;
  /** Bound, and not lowered yet. */
  readonly window?: (window: Window) => Window;
  /** Applied to every expression of a statement over models with rules, so that it cannot reveal excluded rows. */
  readonly besideRules?: (expression: Expression) => Expression;
  /** Applied to a whole lowered statement, before conditions and values are separated. */
  readonly statement?: (statement: Query) => Query;
  /** A reference to the name of an alias always means the table with that alias, even if a common table has the name. */
  readonly aliasesCapture?: true;
  /**
   * Functions that are rendered as a subquery over their arguments: over groups, they are placed outside of the grouped query.
   */
  readonly asQueries?: ReadonlySet<string>;
  /** The dialect prints `BOUND_ONCE`: large operands are bound where a rewrite repeats them. */
  readonly bindsOperands?: "by a lambda" | "by a subquery";
  /** The key of a bound value for grouping, distinguishing and sorting rows. */
  readonly keys?: Keys;
}
