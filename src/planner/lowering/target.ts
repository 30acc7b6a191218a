/**
 * Describes a target as data: the facts below, a printing dialect, spellings of functions, and the few rewrites that need types.
 * `lowering/lower.ts` walks the tree and applies them; no other module knows a target.
 */

import type { ExpansionRewrites, ExpansionTarget } from "../expand/expansion-target.ts";
import type { UnlistedFunctions } from "../functions/catalogue.ts";
import type { SessionSetting, VariantRange } from "../plan.ts";
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
import type { JsonTexts } from "./json/json-writing.ts";
import type { Filling } from "./numbers/number-patterns.ts";
import type { Keys } from "./queries/keys.ts";
import type { Rules } from "./rules.ts";
import type { Holds } from "./statement-facts.ts";
import type { Collations } from "./texts/text-order.ts";
import type { FiniteDates } from "./times/far-dates.ts";
import type { TimePatterns } from "./times/formats.ts";
import type { NumberedTimes } from "./times/numbered-times.ts";
import type { TypedClock } from "./times/time-of-day-sums.ts";
import type { TypeSpellings } from "./type-spellings.ts";

export interface Target extends ExpansionTarget {
  readonly name: string;
  /** The product's name, for messages. */
  readonly product: string;
  /** Variants of the source that support more than all its servers do; disjoint. */
  readonly members?: readonly Member[];
  /** The servers of a variant. */
  readonly variant?: VariantRange;
  readonly print: PrintDialect & { readonly types: TypeSpellings };
  readonly grammar: Grammar;
  /** A recursive table's decimals keep the digits of its first rows, and later ones are rounded to them. */
  readonly roundsRecursion: boolean;
  /** A recursive table's texts and decimals have the declared length of its first rows, and longer values are an error. */
  readonly measuresRecursion: RecursiveLengths | undefined;
  /** Collations of its texts; without them texts are ordered by code points, or the order is unknown. */
  readonly collations: Collations | undefined;
  /** Its names of types, as the manifest writes them (docs/decisions/0040-types-of-the-manifest.md#decision). */
  readonly typeNames: TypeNames;
  readonly unlisted: UnlistedFunctions;
  /**
   * Composite types that may not be result columns, by kind or, if the input language has no such type, by the target's name: the
   * engine changes their values in transfer, or they cannot be read back.
   */
  readonly notAsColumns: readonly string[];
  /** Applied by the connector before the statement (docs/spec/language.md#session-settings). */
  readonly session: readonly SessionSetting[];
  /** The settings that a lowered statement needs besides these. */
  readonly sessionOf?: (statement: Query) => readonly SessionSetting[];
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

/** Rewrites; children are already lowered. */
export interface Rewrites extends ExpansionRewrites {
  readonly expressions: Rules<Expression>;
  readonly operators: Rules<Binary>;
  readonly casts: Casts;
  /** Fields of EXTRACT. */
  readonly fields: Rules<Extract>;
  /** Keyed by canonical name. */
  readonly functions: Rules<Call>;
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
  /** Bound, and not lowered yet. `of` is the call that has the window; undefined for a named window. */
  readonly window?: (window: Window, of: Call | undefined) => Window;
  /** Applied to every expression of a statement over models with rules, so that it cannot reveal excluded rows. */
  readonly besideRules?: (expression: Expression) => Expression;
  /**
   * Applied to a whole lowered statement, before conditions and values are separated. `holds` gives the facts of a statement;
   * `hadSubqueries`: a query stood in an expression or behind LATERAL before the statement was lowered.
   */
  readonly statement?: (statement: Query, holds: Holds, hadSubqueries: boolean) => Query;
  /**
   * Functions that are rendered as a subquery over their arguments: over groups, they are placed outside of the grouped query.
   */
  readonly asQueries?: ReadonlySet<string>;
  /** Ordered-set aggregates that the target lacks: the rows of each group are numbered, and plain aggregates take the values. */
  readonly rankedAggregates?: ReadonlySet<string>;
  /** The dialect prints `BOUND_ONCE`: large operands are bound where a rewrite repeats them. */
  readonly bindsOperands?: "by a lambda" | "by a subquery";
  /** The printer binds a large part that a template repeats. */
  readonly printsTemplatesBound?: true;
  /** The target has no `infinity` among its dates and timestamps. */
  readonly finiteDates?: FiniteDates;
  /** Frames count rows alone: one that ends at the last peer is planned where no two rows are peers. */
  readonly framesOfRows?: true;
  /** Differences of timestamps become numbers of microseconds: the target has no intervals that a column could be. */
  readonly differencesAsLengths?: true;
  /** The target has times of day, and does not compute with them as PostgreSQL does: `lowering/times/typed-times.ts` does. */
  readonly clock?: TypedClock;
  /** Times of day are numbers of microseconds: the target has no type for them. */
  readonly numberedTimes?: NumberedTimes;
  /** Patterns that the rule of `to_char` renders; others are made of parts in the input language. Unset: it renders all. */
  readonly timePatterns?: TimePatterns;
  /** `to_char` of numbers is made of parts in the input language, by this spelling of blanks on the left. Unset: by the target's rule. */
  readonly numbersFilled?: Filling;
  /** JSON that is made of values is a text, with these parts. Unset: by the target's rules. */
  readonly jsonTexts?: JsonTexts;
  /** The key of a bound value for grouping, distinguishing and sorting rows. */
  readonly keys?: Keys;
}
