/**
 * The text of JSON. DuckDB writes values without blanks, members in their own order and numbers as it reads them; PostgreSQL
 * writes jsonb in an order of its own with a blank behind every `:` and `,`, keeps all digits, and leaves json as it was
 * written. Numbers that DuckDB would spell otherwise go through it as strings that begin with a character no document has.
 * Measured on DuckDB 1.4.5 against PostgreSQL 18.
 */
import { countStep } from "../../plan-budget.ts";
import { call, cast, inPlaceOf, integer, type Place, text, typed } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { BOOLEAN, JSON_TYPE, partOfJson, type SqlType, TEXT, typeOrUnknown, UNKNOWN } from "../../types.ts";

/** Returns JSON, or text: strings without quotes, any other value as its JSON, and NULL for JSON's null. */
export type JsonAccess = "json_extract" | "json_extract_string";

/** Zeros at the end, exponents, more digits than a double has, and the negative zero. */
const RESPELLED = String.raw`\.[0-9]*0(?:[^0-9]|$)|\.000000|[0-9][eE]|[0-9.]{17}|-0`;
/** Strings and everything else up to the next number, or to the end. */
const NUMBER = String.raw`((?:"(?:[^"\\]|\\.)*"|[^"0-9-])*)(-?[0-9][0-9.eE+-]*|$)`;
const MARK = String.raw`"\\u0001`;
/** Up to the next sign behind which a blank stands. */
const PIECE = String.raw`((?:"(?:[^"\\]|\\.)*"|[^",:])+)([,:]?)`;
/** jsonb would compute the number, or escape the character in other letters. */
const UNSAYABLE = String.raw`${MARK}(-0[.0]*"|[^"]*[eE])|\\u00[01][A-F]`;
const REFUSED =
  "error('not supported on DuckDB: the text of this JSON value; write CAST(… AS jsonb), or ask for its members')";

// In DuckDB's own words. A parameter hides columns and tables of its name, but `p.k` would be a column of a table `p`: `p['k']`.

const tagged = (document: string): string =>
  String.raw`CASE WHEN regexp_matches(${document}, '${RESPELLED}') THEN left(regexp_replace(${document} || ' ', '${NUMBER}', '\1${MARK}\2"', 'g'), -8) ELSE ${document} END`;

export const untagged = (json: string): string => String.raw`regexp_replace(${json}, '${MARK}([^"]*)"', '\1', 'g')`;

const spaced = (json: string): string => String.raw`left(regexp_replace(${json}, '${PIECE}', '\1\2 ', 'g'), -1)`;

/** Objects from the outermost to the innermost: the text of each takes its members' order, theirs stay as they are. */
const sorted = (json: string): string =>
  `list_reduce(list_filter(list_prepend(${json}, json_extract(${json}, '$..*')::varchar[]), ` +
  "(lambda _jo: len(json_keys(_jo)) > 1)), (lambda _ja, _jo: replace(_ja, _jo, '{' || array_to_string(list_transform(" +
  "list_sort(list_filter(list_transform(json_keys(_jo), (lambda _jk, _ji: {'l': strlen(_jk), 'k': _jk, " +
  "'v': json_extract(_jo, '$.*')[_ji]})), (lambda _jm, _ji: NOT list_contains(json_keys(_jo)[_ji + 1:], _jm['k'])))), " +
  `(lambda _jm: to_json(_jm['k']) || ':' || _jm['v'])), ',') || '}')), ${json})`;

const isContainer = (json: string): string => `json_type(${json}) IN ('OBJECT', 'ARRAY')`;

const jsonbText = (json: string): string =>
  `list_transform([CASE WHEN ${isContainer(json)} THEN ${spaced(sorted(json))} ELSE ${json} END], ` +
  `(lambda _js: CASE WHEN regexp_matches(_js, '${UNSAYABLE}') THEN ${REFUSED} ELSE ${untagged("_js")} END))[1]`;

/** A document without blanks, or with PostgreSQL's, says how its parts were written; a number is as it was. */
function writtenText(json: string, document: string | undefined): string {
  const whole = document && untagged(`json_extract(${tagged(document)}, '$')::varchar`);
  const styled =
    whole === undefined
      ? REFUSED
      : `list_transform([${whole}], (lambda _jw: CASE trim(${document}) WHEN _jw THEN ${untagged(json)} ` +
        `WHEN ${spaced("_jw")} THEN ${spaced(untagged(json))} ELSE ${REFUSED} END))[1]`;
  return (
    `CASE WHEN ${isContainer(json)} OR (json_type(${json}) = 'VARCHAR' AND ` +
    `NOT starts_with(${json}, '${MARK.replace("\\\\", "\\")}')) THEN ${styled} ELSE ${untagged(json)} END`
  );
}

/** The text without the quotes of a string; NULL for null. */
const unquoted = (json: string, quoted: string): string =>
  `CASE WHEN ${isContainer(json)} OR starts_with(${json}, '${MARK.replace("\\\\", "\\")}') ` +
  `THEN ${quoted} ELSE json_extract_string(${json}, '$') END`;

function isBinary(type: SqlType | undefined): boolean {
  return type?.kind === "json" && type.binary === true;
}

/** Its text may have lost how it was written: what json_extract gives is written anew. */
function isPart(type: SqlType | undefined): boolean {
  return type?.kind === "json" && type.part === true;
}

/** `(lambda _j: body)` of one value. */
export function applied(body: (name: string) => string, value: Expression, at: Place): Expression {
  const { span, type: element = UNKNOWN } = at;
  const list: Expression = {
    kind: "array",
    elements: [value],
    span,
    type: { kind: "array", element: typeOrUnknown(value) },
  };
  const text = `lambda _j: ${body("_j")}`;
  const lambda: Expression = { kind: "opaque", text, owner: undefined, span, type: { kind: "opaque", name: "lambda" } };
  const mapped = call("list_transform", [list, lambda], typed({ kind: "array", element }, at));
  return call("list_extract", [mapped, integer(1, at)], at);
}

const ACCESS: ReadonlySet<string> = new Set(["json_extract", "json_array"]);

/** The document that a value is taken from, in each alternative. */
function mapDocument(value: Expression, map: (document: Expression) => Expression): Expression {
  countStep();
  const within = (each: Expression): Expression => mapDocument(each, map);
  if (value.kind === "case") {
    const branches = value.branches.map((branch) => ({ ...branch, then: within(branch.then) }));
    return { ...value, branches, otherwise: value.otherwise && within(value.otherwise) };
  }
  if (value.kind === "cast" && value.operand.type?.kind === "json") return { ...value, operand: within(value.operand) };
  if (value.kind !== "call") return map(value);
  const [first, ...others] = value.arguments;
  const name = value.name[0]?.name ?? "";
  if (ACCESS.has(name) && first !== undefined) {
    const document = within(first.value);
    // An element is made of JSON, and of a text a string.
    const own = name === "json_array" ? cast(document, "json", { span: value.span, type: JSON_TYPE }) : document;
    return { ...value, arguments: [{ ...first, value: own }, ...others] };
  }
  if (isPath(value)) {
    return { ...value, arguments: value.arguments.map((each) => ({ ...each, value: within(each.value) })) };
  }
  return map(value);
}

function isAccess(value: Expression): boolean {
  return value.kind === "call" && ACCESS.has(value.name[0]?.name ?? "");
}

/** The places in one document that a path may mean. */
function isPath(value: Call): boolean {
  const places = value.arguments.map((each) => each.value);
  const documents = places.map((place) => (place.kind === "call" ? place.arguments[0]?.value : undefined));
  return isCallOf(value, "coalesce") && places.every(isAccess) && documents.every((each) => each === documents[0]);
}

/** The whole document of a value that is json; NULL where the value is NULL, too. */
function documentOf(value: Expression): Expression {
  countStep();
  if (value.kind === "case") {
    const branches = value.branches.map((branch) => ({ ...branch, then: documentOf(branch.then) }));
    return { ...value, branches, otherwise: value.otherwise && documentOf(value.otherwise) };
  }
  if (value.kind !== "call" || !(isAccess(value) || isPath(value))) return value;
  const [first] = value.arguments;
  return first === undefined ? value : documentOf(first.value);
}

function keepingNumbers(document: Expression): Expression {
  const at = { span: document.span, type: TEXT };
  return applied(tagged, cast(document, "text", at), { ...at, type: JSON_TYPE });
}

/** The object of a text, its members in jsonb's order, of equal names the last. */
export function inOrder(object: Expression, at: Place): Expression {
  return applied((x) => untagged(sorted(x)), marked(object), at);
}

/** The text of a value, with the digits that its numbers have in their document. */
export function withDigits(value: Expression): Expression {
  const at = { span: value.span, type: TEXT };
  return isTaken(value) ? applied(untagged, marked(value), at) : cast(value, "text", at);
}

/** The item of a SELECT: nothing outside can read the document as text. */
export function jsonItem(value: Expression): Expression {
  if (value.type?.kind !== "json" || !isTaken(value)) return value;
  return cast(withDigits(value), "json", { span: value.span, type: value.type });
}

function isTaken(value: Expression): boolean {
  if (value.kind === "case") return value.branches.some((branch) => isTaken(branch.then));
  return isAccess(value) || (value.kind === "call" && isPath(value));
}

/** The text that PostgreSQL prints for the value: `j::text`. */
export function jsonText(value: Expression, at: Expression): Expression | undefined {
  if (!isBinary(value.type) && !isPart(value.type)) return undefined;
  return writtenOut(value, at);
}

function writtenOut(value: Expression, at: Expression): Expression {
  const place = { span: at.span, type: TEXT };
  const json = marked(value);
  if (isBinary(value.type)) return applied(jsonbText, json, place);
  const document = originalOf(value);
  if (document === undefined) return applied((x) => writtenText(x, undefined), json, place);
  return applied((x) => writtenText(`${x}[1]`, `${x}[2]`), pairOfTexts(json, document), place);
}

/** The text of the value without blanks, in which numbers that would be respelled are strings. */
export function marked(value: Expression): Expression {
  const mapped = mapDocument(value, keepingNumbers);
  const written = isAccess(mapped) ? mapped : call("json_extract", [mapped, text("$", value)], inPlaceOf(value));
  return cast(written, "text", { span: value.span, type: TEXT });
}

/** The document that holds the value as it was written; `undefined` where it is out of sight. */
function originalOf(value: Expression): Expression | undefined {
  const document = documentOf(value);
  return isPart(document.type) ? undefined : cast(document, "text", { span: value.span, type: TEXT });
}

/** Two texts as one value. */
export function pairOfTexts(first: Expression, second: Expression): Expression {
  return { kind: "array", elements: [first, second], span: first.span, type: { kind: "array", element: TEXT } };
}

/** The text that `extract` finds in a document of this type. */
export function textWithin(
  document: SqlType | undefined,
  extract: (name: JsonAccess, at: Place) => Expression,
  node: Expression,
): Expression {
  const type = partOfJson(document === undefined ? [] : [document]);
  return memberText(extract("json_extract", typed(type, node)), extract("json_extract_string", typed(TEXT, node)));
}

const KINDS = ["OBJECT", "ARRAY", "DOUBLE", "BIGINT"];

/** `plain` is `json_extract_string` of what `value` is the `json_extract` of; it is the text of strings and truths. */
function memberText(value: Expression, plain: Expression): Expression {
  const at = { span: plain.span, type: TEXT };
  const list = KINDS.map((kind) => text(kind, at));
  const isOther: Expression = {
    kind: "in-list",
    operand: kindOf(value),
    negated: false,
    list,
    span: at.span,
    type: BOOLEAN,
  };
  return {
    kind: "case",
    operand: undefined,
    branches: [{ when: isOther, then: writtenOut(value, plain) }],
    otherwise: plain,
    ...at,
  };
}

function kindOf(value: Expression): Expression {
  const type = call("json_type", [value], { span: value.span, type: TEXT });
  return isAccess(value) && value.kind === "call" ? { ...value, name: type.name, type: TEXT } : type;
}

/** The text of a member as DuckDB gives it, where no other than a string's counts: beside `= 'x'`, IS NULL, in a number. */
export function plainMember(expression: Expression): Expression {
  if (expression.kind !== "case" || expression.branches.length !== 1) return expression;
  const [branch] = expression.branches;
  const test = branch?.when;
  const isOurs = test?.kind === "in-list" && test.list.length === KINDS.length && isCallOf(test.operand, "json_type");
  return isOurs && expression.otherwise !== undefined ? expression.otherwise : expression;
}

function isCallOf(expression: Expression, name: string): boolean {
  return expression.kind === "call" && expression.name[0]?.name === name;
}

/** Texts that are no object, array or number. */
export function isWord(expression: Expression): boolean {
  return expression.kind === "string" && !/^[[{0-9-]/.test(expression.value);
}

/** The elements or members of a value: as texts, or as JSON whose numbers keep their digits. */
export function partsOf(value: Expression, path: "$[*]" | "$.*", name: JsonAccess, at: Call): Expression {
  const json = marked(value);
  const parts = (x: string): string => `json_extract(${x}, '${path}')::varchar[]`;
  const texts = (x: string, body: string): string => `list_transform(${parts(x)}, (lambda _je: ${body}))`;
  const ofParts = (element: SqlType): Place => typed({ kind: "array", element }, at);
  if (name === "json_extract")
    return applied((x) => texts(x, `${untagged("_je")}::json`), json, ofParts(partOfJson([typeOrUnknown(value)])));
  if (isBinary(value.type)) return applied((x) => texts(x, unquoted("_je", jsonbText("_je"))), json, ofParts(TEXT));
  const document = originalOf(value);
  const body = (x: string): string => unquoted("_je", writtenText("_je", document && `${x}[2]`));
  return document === undefined
    ? applied((x) => texts(x, body(x)), json, ofParts(TEXT))
    : applied((x) => texts(`${x}[1]`, body(x)), pairOfTexts(json, document), ofParts(TEXT));
}
