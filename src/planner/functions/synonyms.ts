/**
 * Spellings of other dialects, each with one meaning in ours (docs/spec/language.md#synonyms). A synonym rewrites the unbound
 * call into the canonical form; the traps, where a name means different things, are refused with a hint.
 */
import { PlannerError } from "../diagnostics.ts";
import { binary, cases, cast, integer, isNull, renamed, text, unbound, values, when } from "../syntax/build.ts";
import type { Call, Expression } from "../syntax/tree.ts";
import { AGGREGATE_SYNONYMS } from "./aggregate-synonyms.ts";
import { ARRAY_SYNONYMS } from "./array-synonyms.ts";
import { one, positional, type Rewrite, three, two } from "./call-shapes.ts";
import type { FunctionName } from "./catalogue.ts";
import { DATE_SYNONYMS } from "./date-synonyms.ts";
import { writtenNumber } from "./number-formats.ts";

/**
 * The canonical form of a call, or the call itself. Throws FUNCTION_NOT_ALLOWED for names without one meaning; a plan for
 * PostgreSQL (`forms`) takes PostgreSQL's.
 */
export function canonicalCall(call: Call, name: string, forms?: ReadonlyMap<string, unknown>): Expression {
  const filled = name === "format" ? filledIn(call) : undefined;
  if (filled !== undefined) return filled;
  const refusal = forms?.has(name) === true ? undefined : AMBIGUOUS.get(name);
  if (refusal !== undefined) {
    throw new PlannerError("FUNCTION_NOT_ALLOWED", `${name} ${refusal.problem}`, {
      span: call.span,
      hint: refusal.hint,
    });
  }
  const plain = RENAMED.get(name);
  if (plain !== undefined) return renamed(call, plain);
  if (name === "to_number" && forms === undefined) return writtenNumber(call) ?? call;
  return REWRITES.get(name)?.(call) ?? call;
}

const AMBIGUOUS: ReadonlyMap<string, { readonly problem: string; readonly hint: string }> = new Map([
  [
    "dayofweek",
    {
      problem: "counts from Sunday = 1 on some sources and from Sunday = 0 on others",
      hint: "Use extract(dow FROM x) (Sunday = 0) or extract(isodow FROM x) (Monday = 1).",
    },
  ],
  [
    "weekday",
    { problem: "counts from Monday = 0 on some sources and Sunday = 1 on others", hint: "Use extract(isodow FROM x)." },
  ],
  [
    "timestampdiff",
    {
      problem: "counts whole units on some sources and boundaries on others",
      hint: "Use date_diff('unit', start, end), which counts boundaries.",
    },
  ],
  [
    "format",
    {
      problem: "fills in %s on some sources and {} on others, and prints numbers elsewhere",
      hint: "Use concat(…), or to_char(x, '…') for a date.",
    },
  ],
  [
    "regexp_matches",
    {
      problem: "gives a row per match on some sources and true or false on others",
      hint: "Use regexp_like(x, pattern), regexp_substr(x, pattern), or FROM t, LATERAL regexp_matches(x, pattern, 'g').",
    },
  ],
  [
    "str_to_date",
    {
      problem: "has MySQL's format language",
      hint: "Use to_date(x, 'YYYY-MM-DD') or to_timestamp(x, 'YYYY-MM-DD HH24:MI:SS').",
    },
  ],
  [
    "julianday",
    {
      problem: "is SQLite's day count",
      hint: "Use a - b for days between dates, or extract(epoch FROM a - b) / 86400.",
    },
  ],
  [
    "last",
    {
      problem: "depends on an order that a table does not have",
      hint: "Use first(x ORDER BY y DESC), or max_by(x, y).",
    },
  ],
  ["format_date", { problem: "is not part of the input language", hint: "Use to_char(x, 'YYYY-MM-DD')." }],
]);

/** Replacements for a spelling whose arguments fit none of its meanings. */
const USAGE: ReadonlyMap<string, string> = new Map([
  ["date_add", "Write date_add(x, INTERVAL 3 DAY), or x + INTERVAL '3 days'."],
  ["date_sub", "Write date_sub(x, INTERVAL 3 DAY), or x - INTERVAL '3 days'."],
  ["dateadd", "Write dateadd(day, n, x), or x + INTERVAL '3 days'."],
  ["timestampadd", "Write timestampadd(day, n, x), or x + INTERVAL '3 days'."],
  ["datediff", "Write date_diff('day', start, end)."],
  ["datetrunc", "Write date_trunc('month', x)."],
  ["date_part", "Write extract(month FROM x)."],
  ["datepart", "Write extract(month FROM x)."],
  ...["current_user", "session_user", "user", "current_role", "system_user"].map(
    (name) =>
      [
        name,
        "The source knows the login of the connection, not the caller: send the caller's name as a literal.",
      ] as const,
  ),
  ["isnull", "Write x IS NULL, or coalesce(x, y)."],
  ["instr", "Write position(part IN x)."],
  ["charindex", "Write position(part IN x)."],
  ["locate", "Write position(part IN x)."],
]);

/** A hint for a call of this lower-case name that `canonicalCall` left as it is, and that is not in the catalogue. */
export function usageOf(name: string): string | undefined {
  return USAGE.get(name);
}

/** Same arguments, another name. */
export const RENAMED: ReadonlyMap<string, FunctionName> = new Map(
  (
    [
      ["coalesce", "ifnull nvl"],
      ["substring", "substr mid"],
      ["length", "len char_length character_length"],
      ["upper", "ucase"],
      ["lower", "lcase"],
      ["ceil", "ceiling"],
      ["power", "pow"],
      ["btrim", "trim"],
      ["trunc", "truncate"],
      ["starts_with", "startswith"],
      ["regexp_like", "regexp_contains rlike"],
      ["stddev_samp", "stddev std_dev stdev stdev_samp"],
      ["stddev_pop", "stdev_pop stdevp std"],
      ["var_samp", "variance var var_sample"],
      ["var_pop", "var_population varp"],
      ["bool_and", "every logical_and booland_agg"],
      ["bool_or", "logical_or boolor_agg"],
      ["avg", "mean"],
      ["approx_count_distinct", "approx_distinct"],
      // The exact value is as good an estimate as any.
      ["percentile_cont", "approx_percentile_cont"],
      ["gen_random_uuid", "uuid generate_uuid newid uuid_string"],
      ["array_contains", "list_contains array_has list_has"],
      ["array_append", "list_append array_push_back list_push_back"],
      ["array_position", "list_position array_indexof list_indexof"],
      ["array_to_string", "array_join list_join list_to_string"],
      ["cardinality", "list_length"],
      ["last_day", "last_day_of_month"],
      ["sign", "signum"],
      ["json_extract_path", "jsonb_extract_path"],
      ["json_extract_path_text", "jsonb_extract_path_text"],
      ["json_array_length", "jsonb_array_length"],
      ["json_typeof", "jsonb_typeof"],
      ["random", "rand"],
      ["max_by", "arg_max"],
      ["min_by", "arg_min"],
    ] as const
  ).flatMap(([canonical, synonyms]) => synonyms.split(" ").map((synonym) => [synonym, canonical] as const)),
);

export const REWRITES: ReadonlyMap<string, Rewrite> = new Map<string, Rewrite>([
  ...DATE_SYNONYMS,
  ...AGGREGATE_SYNONYMS,
  ...ARRAY_SYNONYMS,
  ["regexp_extract", (call) => extractedMatch(call)],
  ["isnull", (call) => (call.arguments.length === 2 ? renamed(call, "coalesce") : undefined)],
  ["nvl2", (call) => exactlyThree(call, "nvl2", (a, b, c) => when(isNull(a, true), b, c, unbound(call)))],
  ["if", (call) => exactlyThree(call, "if", (a, b, c) => when(a, b, c, unbound(call)))],
  ["iif", (call) => exactlyThree(call, "iif", (a, b, c) => when(a, b, c, unbound(call)))],
  ["substring", (call) => matchedPart(call)],
  ["iff", (call) => exactlyThree(call, "iff", (a, b, c) => when(a, b, c, unbound(call)))],
  ["instr", (call) => two(call, (text, part) => positional(call, "position", [part, text]))],
  ["charindex", (call) => two(call, (part, text) => positional(call, "position", [part, text]))],
  ["locate", (call) => two(call, (part, text) => positional(call, "position", [part, text]))],
  [
    "safe_divide",
    (call) =>
      two(call, (a, b) => binary(cast(a, "double precision", unbound(call)), "/", nullIfZero(call, b), unbound(call))),
  ],
  [
    "div0",
    (call) =>
      two(call, (a, b) =>
        when(
          binary(b, "=", integer(0, call), unbound(call)),
          integer(0, call),
          binary(a, "/", b, unbound(call)),
          unbound(call),
        ),
      ),
  ],
  ["zeroifnull", (call) => one(call, (x) => positional(call, "coalesce", [x, integer(0, call)]))],
  ["nullifzero", (call) => one(call, (x) => nullIfZero(call, x))],
  ["decode", (call) => decoded(call)],
  ["array_length", (call) => (call.arguments.length === 1 ? renamed(call, "cardinality") : undefined)],
  ["array_size", (call) => renamed(call, "cardinality")],
]);

// ------------------------------------------------------------------------------------------------ building blocks

/** Grammar rather than functions: with another number of arguments no source could take the call as written. */
function exactlyThree(
  call: Call,
  name: string,
  build: (a: Expression, b: Expression, c: Expression) => Expression,
): Expression {
  const found = three(call, build);
  if (found !== undefined) return found;
  throw new PlannerError("INVALID_QUERY", `${name} takes 3 arguments, not ${call.arguments.length}`, {
    span: call.span,
    hint: "Write CASE WHEN condition THEN value ELSE other END.",
  });
}

function nullIfZero(call: Call, value: Expression): Expression {
  return positional(call, "nullif", [value, integer(0, call)]);
}

/** `format('%s-%s', a, b)`: a literal of `%s` and `%%` has one meaning, that of `concat`. */
function filledIn(call: Call): Expression | undefined {
  const [pattern, ...given] = values(call);
  if (pattern?.kind !== "string") return undefined;
  const parts: readonly string[] = pattern.value.match(/%[s%]|%|[^%]+/g) ?? [];
  if (parts.includes("%") || parts.filter((part) => part === "%s").length !== given.length) return undefined;
  const rest = given.values();
  const filled = parts.map((part) => {
    const next = part === "%s" ? rest.next().value : undefined;
    return next ?? text(part === "%%" ? "%" : part, pattern);
  });
  return positional(call, "concat", [text("", pattern), ...filled]);
}

/** Some sources return the whole match, others the first group: equal only if the pattern has no group. */
function extractedMatch(call: Call): Expression | undefined {
  return two(call, (x, pattern) => {
    const grouped = pattern.kind !== "string" || /(?:^|[^\\])(?:\\\\)*\((?!\?)/.test(pattern.value);
    if (!grouped) return positional(call, "regexp_substr", [x, pattern]);
    throw new PlannerError(
      "FUNCTION_NOT_ALLOWED",
      "regexp_extract gives the whole match on some sources and the first group on others",
      {
        span: call.span,
        hint: "Use regexp_substr(x, pattern) for the whole match, or regexp_replace for a group.",
      },
    );
  });
}

/** `substring(x FROM 'pattern')`: the first group of the match, or all of it. */
function matchedPart(call: Call): Expression | undefined {
  return two(call, (x, pattern) => {
    if (pattern.kind !== "string") return undefined;
    const operand = positional(call, "regexp_match", [x, pattern]);
    return { kind: "subscript", operand, index: integer(1, call), span: call.span };
  });
}

/** Oracle's `decode(x, a, b, …, default)`, in which NULL equals NULL. Two arguments are the text decoding. */
function decoded(call: Call): Expression | undefined {
  const [x, ...pairs] = values(call);
  if (x === undefined || pairs.length < 2) return undefined;
  const branches = [];
  for (let i = 0; i + 1 < pairs.length; i += 2) {
    const [search, result] = [pairs[i], pairs[i + 1]];
    if (search === undefined || result === undefined) break;
    const when: Expression = {
      kind: "binary",
      operator: "is not distinct from",
      left: x,
      right: search,
      span: call.span,
    };
    branches.push({ when, then: result });
  }
  const otherwise = pairs.length % 2 === 1 ? pairs[pairs.length - 1] : undefined;
  return cases(branches, otherwise, { span: call.span, type: undefined });
}
