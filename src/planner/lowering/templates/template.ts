/**
 * Templates: SQL text with `$1` for the first part. `sql` parses the text and the target's dialect prints it; `words` is the
 * target's own text and is printed as it is. Both make one `spelled` node, whose facts are declared here and never read from text.
 * A text is read when it is first used, so that a module of templates costs nothing at start.
 */
import { unsupported } from "../../diagnostics.ts";
import { functionName } from "../../functions/calls.ts";
import { DEFAULT_LIMITS } from "../../limits.ts";
import { parseExpression } from "../../syntax/parser.ts";
import { LEVEL } from "../../syntax/precedence.ts";
import { partOf } from "../../syntax/print-spelled.ts";
import { withoutSpans } from "../../syntax/spans.ts";
import type { Nulls, TemplatePiece, TemplateScale } from "../../syntax/template.ts";
import type { Call, Expression, Span, Spelled, Template } from "../../syntax/tree.ts";
import { children, walk } from "../../syntax/walk.ts";
import type { SqlType } from "../../types.ts";
import type { Refusal } from "../rules.ts";

interface Facts {
  readonly type?: SqlType;
  /** `possible` if not declared. */
  readonly nulls?: Nulls;
  readonly scale?: TemplateScale;
  readonly precision?: number;
  readonly neverFails?: boolean;
  readonly isStartOfMonths?: boolean;
  readonly unsupported?: Refusal;
}

/** The target's own words. */
export const words = (text: string, facts: Facts = {}): Template => new WrittenTemplate(text, facts, false);

/** An expression of SQL, which the target's dialect prints. It is not lowered: its functions have the target's names. */
export const sql = (text: string, facts: Facts = {}): Template => new WrittenTemplate(text, facts, true);

/** A value that the target does not have: constructs around it take its parts, and anything else is refused. */
export const noValue = (refusal: Refusal): Template => new WrittenTemplate("$*", { unsupported: refusal }, false);

/** The template with these parts, in place of a node: with its span, and its type if the template declares none. */
export function spelled(
  template: Template,
  parts: readonly Expression[],
  { span, type }: { readonly span: Span; readonly type?: SqlType | undefined },
): Spelled {
  const own = template.type ?? type;
  return { kind: "spelled", template, parts, span, ...(own && { type: own }) };
}

/** The node by the template of its rule: a call's arguments, or the operands of another node, are the parts. */
export function byTemplate(template: Template, node: Expression): Spelled {
  const parts = children(node);
  if (node.kind === "call") {
    if (!isPlainCall(node)) {
      throw unsupported(`${functionName(node)} with DISTINCT, ORDER BY, FILTER or OVER`, node.span);
    }
    if (template.arity !== undefined && template.arity !== parts.length) {
      throw unsupported(`${functionName(node)} with ${parts.length} arguments`, node.span);
    }
  }
  return spelled(template, parts, node);
}

/** The template that takes as many arguments as the call has. */
export const byCount =
  (...templates: readonly Template[]) =>
  (node: Call): Spelled => {
    const found = templates.find(({ arity }) => arity === node.arguments.length);
    if (found === undefined) {
      throw unsupported(`${functionName(node)} with ${node.arguments.length} arguments`, node.span);
    }
    return byTemplate(found, node);
  };

const isPlainCall = ({ distinct, orderBy, withinGroup, filter, nulls, over, star }: Call): boolean =>
  !distinct && !star && orderBy.length + withinGroup.length === 0 && !filter && !nulls && !over;

/** Whether the node is a template with a query in its text. */
export const holdsQuery = (node: { readonly kind: string }): boolean =>
  node.kind === "spelled" && (node as Spelled).template.hasQuery;

/** Whether the node is this template with its parts. */
export const isSpelled = (node: { readonly kind: string }, template: Template): node is Spelled =>
  node.kind === "spelled" && (node as Spelled).template === template;

const PLACES = /(\$[1-9*])/;

class WrittenTemplate implements Template {
  readonly text: string;
  readonly type: SqlType | undefined;
  readonly nulls: Nulls;
  readonly scale: TemplateScale | undefined;
  readonly precision: number | undefined;
  readonly neverFails: boolean;
  readonly isStartOfMonths: boolean;
  readonly unsupported: Refusal | undefined;
  readonly #isSql: boolean;
  #pieces: readonly TemplatePiece[] | undefined;
  #repeated: readonly number[] | undefined;
  #tree: Expression | undefined;

  constructor(text: string, facts: Facts, isSql: boolean) {
    const { type, nulls = "possible", scale, precision, neverFails = false, isStartOfMonths = false } = facts;
    this.text = text;
    this.type = type;
    this.nulls = nulls;
    this.scale = scale;
    this.precision = precision;
    this.neverFails = neverFails;
    this.isStartOfMonths = isStartOfMonths;
    this.unsupported = facts.unsupported;
    this.#isSql = isSql;
  }

  get pieces(): readonly TemplatePiece[] {
    this.#pieces ??= this.#isSql ? [] : piecesOf(this.text);
    return this.#pieces;
  }

  get arity(): number | undefined {
    if (this.pieces.some((piece) => typeof piece !== "string" && piece.part === "all")) return undefined;
    return Math.max(0, ...this.#places().map((place) => place + 1));
  }

  get repeated(): readonly number[] {
    if (this.#repeated === undefined) {
      const places = this.#places();
      this.#repeated = places.filter((place, index) => places.indexOf(place) !== index);
    }
    return this.#repeated;
  }

  #places(): readonly number[] {
    return this.#isSql ? placesIn(this.tree) : this.pieces.flatMap((piece) => placeOf(piece) ?? []);
  }

  get raises(): boolean {
    return this.text.includes("error(");
  }

  get hasQuery(): boolean {
    return this.text.includes("SELECT");
  }

  get tree(): Expression | undefined {
    if (!this.#isSql) return undefined;
    this.#tree ??= treeOf(this.text);
    return this.#tree;
  }
}

const placeOf = (piece: TemplatePiece): number | undefined =>
  typeof piece === "string" || piece.part === "all" ? undefined : piece.part;

function piecesOf(text: string): readonly TemplatePiece[] {
  const split = text.split(PLACES);
  return split.flatMap((piece, index): readonly TemplatePiece[] => {
    if (index % 2 === 0) return piece === "" ? [] : [piece];
    const [before = "", after = ""] = [split[index - 1], split[index + 1]];
    return [{ part: piece === "$*" ? "all" : Number(piece.slice(1)) - 1, level: levelBetween(before, after) }];
  });
}

/** A part needs no parentheses between those of a call, its commas and its words. Beside operators only a sign needs none. */
function levelBetween(before: string, after: string): number {
  const begins = before === "" || /(?:[([,]|\bFROM)\s*$/.test(before);
  if (begins && (after === "" || /^\s*(?:[)\],]|(?:AS|FROM|USING)\b)/.test(after))) return LEVEL.or;
  return /-$/.test(before) || /^(::|[[.])/.test(after) ? LEVEL.primary : LEVEL.sign;
}

/** The tree has no positions: it is not text of the caller. */
function treeOf(text: string): Expression {
  const named = text.replaceAll(/\$[1-9]/g, '"$&"');
  return withoutSpans(parseExpression(named, { limits: DEFAULT_LIMITS }));
}

function placesIn(tree: Expression | undefined): readonly number[] {
  const places: number[] = [];
  if (tree === undefined) return places;
  walk(tree, (node) => {
    const place = node.kind === "column" ? partOf(node.parts[0]?.name ?? "") : undefined;
    if (place !== undefined) places.push(place);
    return true;
  });
  return places;
}
