/**
 * What a target can say, as data: the facts below, a printing dialect, spellings of functions, and the few rewrites
 * that need the types. `lowering/lower.ts` walks the tree and asks; nothing else knows a target.
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
import type { TypeNames } from "../types.ts";
import type { Casts } from "./casts.ts";
import type { Grammar } from "./grammar.ts";
import type { Keys } from "./queries/keys.ts";
import type { Sayings } from "./sayings.ts";
import type { Collations } from "./text-order.ts";
import type { TypeSpellings } from "./type-spellings.ts";

export interface Target {
  readonly name: string;
  /** What its users call it, in messages. */
  readonly product: string;
  /** Servers of the source that can say more than all of them; disjoint. */
  readonly members?: readonly Member[];
  /** Of a member, the servers that it is for. */
  readonly variant?: VariantRange;
  readonly print: PrintDialect & { readonly types: TypeSpellings };
  /** Lexical rules of the modeller's own text (decisions P14). */
  readonly native: NativeFlavour;
  readonly grammar: Grammar;
  /** A recursive table's decimals keep the digits of its first rows, and later ones are rounded to them. */
  readonly roundsRecursion: boolean;
  /** A recursive table's texts and decimals are declared with the length of its first rows, and others are an error. */
  readonly measuresRecursion: RecursiveLengths | undefined;
  /** Its texts have collations; without them texts are in the order of their code points, or nothing is known. */
  readonly collations: Collations | undefined;
  /** Columns may have collations that nobody tells, and a cast to the type that they have takes these off. */
  readonly castsColumns?: true;
  /** How row rules are kept below everything else (docs/access-rules.md). */
  readonly fence: Fence;
  /** Types of its columns may be inferred from their values, those that a rule withholds included. */
  readonly infersTypes: boolean;
  /** What it calls its types, as the manifest writes them (decisions S94). */
  readonly typeNames: TypeNames;
  readonly unlisted: UnlistedFunctions;
  /**
   * What is made of other values and cannot be a column of an answer, by the name of its kind or, where the language has no
   * such type, its own: what becomes of it on its way out is the engine's own, or cannot be read back.
   */
  readonly notAsColumns: readonly string[];
  /** Applied by the connector before the statement (semantics.md "Session settings"). */
  readonly session: readonly SessionSetting[];
  readonly rewrites: Rewrites;
}

/** What it does not mention is as for all. */
export interface Member {
  readonly range: VariantRange;
  readonly of: (all: Target) => Target;
}

/** What a type is declared with so that its values may have any length, or the greatest there is. */
export interface RecursiveLengths {
  readonly text: readonly number[];
  readonly decimal: readonly number[];
}

/**
 * How nothing is evaluated over rows that a rule withholds (docs/access-rules.md). `offset`: `OFFSET 0` keeps a query's
 * conditions below everything around it. `materialized`: a common table besides, for engines that compute over a column's
 * dictionary, hidden values included, and push filters into common tables. `numbered`: `row_number() OVER ()` above 0, for
 * engines that find OFFSET 0 to be nothing. `copied`: each column as an aggregate over a window of its own row, for engines whose
 * rows keep the dictionary that they came with wherever they are passed on. `volatile`: a column that is never the same twice, for
 * engines that move conditions without columns below windows.
 */
export interface Fence {
  /** Around rules in a statement that holds something which can raise; refused where no fence was proven on the engine. */
  readonly whenRaising: "none" | "refuse" | FenceKind;
  /**
   * Around rules in any other. Where types are checked before anything runs it needs none; where a value is converted
   * when it is met, a column of another type than the manifest says would raise all the same.
   */
  readonly otherwise: "none" | "refuse" | Exclude<FenceKind, "materialized">;
  /** Conditions that cannot raise may be met beside a rule, where an index answers them. */
  readonly pushes: boolean;
  /** What never raises, as the engine was asked; `undefined`: nobody asked it, and everything may raise. */
  readonly harmless: Harmless | undefined;
}

/** Children are lowered already. */
export interface Rewrites {
  readonly expressions: Sayings<Expression>;
  readonly operators: Sayings<Binary>;
  readonly casts: Casts;
  /** Of EXTRACT. */
  readonly fields: Sayings<Extract>;
  /** By canonical name. */
  readonly functions: Sayings<Call>;
  /** Functions in FROM that are said otherwise than by the call that stands for them as values. */
  readonly tableFunctions: ReadonlyMap<string, (table: TableFunction) => TableExpression>;
  /** A value that a SELECT gives, lowered already. */
  readonly item?: (expression: Expression) => Expression;
  readonly setOperation?: (node: SetOperation) => SetOperation;
  /** VALUES of several rows, whose first has become a SELECT. */
  readonly rowsOfValues?: (node: SetOperation) => SetOperation;
  /** A recursive table whose decimals grow, so that all its rows keep their digits; `undefined` where that cannot be. */
  readonly recursionOfDecimals?: (node: SetOperation) => SetOperation | undefined;
  readonly join?: (node: Join) => Join;
  /** Bound, and not lowered yet. */
  readonly window?: (window: Window) => Window;
  /** Of every expression of a statement over models with rules: so that it cannot tell of rows that they withhold. */
  readonly besideRules?: (expression: Expression) => Expression;
  /** Of a whole lowered statement, before its conditions are told from its values. */
  readonly statement?: (statement: Query) => Query;
  /** What is read under the name of an alias is what has that alias, a common table or not. */
  readonly aliasesCapture?: true;
  /** Functions that are said by a subquery over their arguments: computed of groups, they stand around these. */
  readonly asQueries?: ReadonlySet<string>;
  /** It has lambdas, and prints `BOUND_ONCE` by one: large operands are bound where a rewrite repeats them. */
  readonly bindsOperands?: true;
  /** What stands for a bound value where rows are grouped, told apart or sorted by it. */
  readonly keys?: Keys;
}
