/**
 * Why a refusal is just: the engine has no form for the construct with PostgreSQL's answer. A reason without a line here could be planned,
 * and nobody has written its rule yet.
 */
const JUST: readonly (readonly [reason: RegExp, why: string])[] = [
  [
    /^arrays$|element of an array or of json|comparison of arrays|array in another|array that is changed|cast from array to array|FILTER of array_agg/,
    "The source has no arrays, or none that compare as PostgreSQL's.",
  ],
  [
    /must be an array, not json|takes an array or a subquery, not json/,
    "The source keeps an array as JSON, whose elements have no type.",
  ],
  [/^a percentile/, "Percentiles by several fractions at once are an array."],
  [/^a function that makes rows$/, "The source cannot cut a text into rows by a pattern."],
  [/an array as a column/, "The driver returns no arrays that may be NULL."],
  [
    /^an interval as a value|cast from interval|comparison of interval|multiplying a compound interval|interval that is computed|an age as a value|(?:day|hour) of (?:an )?interval|interval [-+] interval|sum of intervals|average of interval/,
    "The source has no intervals with months and days; only differences of timestamps have a number.",
  ],
  [/^LATERAL/, "The source has no LATERAL."],
  [
    /correlated subquer|subquery that names columns of the query around it|query that is two further out|subquery of (?:a value of this|each) row|query of this row|IN of the rows around it|^elements for each row$/,
    "The source decorrelates subqueries of this form wrongly, or not at all.",
  ],
  [/equal in its order/, "Frames count rows on the source, and the order may have peers."],
  [
    /frame of GROUPS|EXCLUDE in a frame|RANGE frame with a distance|frame of a distance/,
    "The source has no such frame.",
  ],
  [
    /common table that names itself|recursive table of distinct rows/,
    "The source has no recursion, or only UNION ALL.",
  ],
  [/^a row as a value$/, "The source has no rows as values."],
  [/whose decimals grow/, "A recursive table's decimals keep the digits of its first rows."],
  [
    /another time zone than UTC|instant of a clock in another zone/,
    "The source has no zones by IANA's names or need not have their tables, or does not document which instant an ambiguous local time is.",
  ],
  [
    /time of day|time \+ interval|time - time|date \+ time|literal of type time|cast from timestamp to time/,
    "The source has no type for times of day, or another arithmetic.",
  ],
  [
    /regular expression|SIMILAR TO|groups of a match|every match/,
    "The source's patterns read the expression differently, or it has none.",
  ],
  [/empty text that must differ from NULL|comparison with '…'/, "The source keeps the empty text as NULL."],
  [
    /comparison of json|json as json|json as a value|text of a value of type json|cast from json to text|cast from text to json|key or containment/,
    "The source keeps other texts and another order of JSON than PostgreSQL.",
  ],
  [/type of json that may be missing/, "The source's manual does not say what the type of a missing member is."],
  [
    /path into json|step into json/,
    "A step of digits is a name in an object and a position in an array, which the source's paths tell apart.",
  ],
  [
    /first element of what may be a plain value|member of json that is computed/,
    "PostgreSQL takes a plain value for its own first element; the source reads members of columns alone.",
  ],
  [/^the year n$|literal of type (?:date|timestamp)/, "The source's dates end earlier, or have no infinity."],
  [
    /digits together|division whose digits|remainder of fractions|more than three digits behind/,
    "A decimal of the source has too few digits for PostgreSQL's result.",
  ],
  [
    /text of a value of type (?:float|uuid|timestamp|interval)|text of a real|cast from float to text|text of a number that is computed/,
    "The source's text of such a value has other digits.",
  ],
  [
    /trimmed characters|classes of characters|codes of characters|initcap/,
    "The source's letters and blanks are others than PostgreSQL's.",
  ],
  [/EXCEPT ALL|INTERSECT ALL|computed LIMIT/, "The source has no such clause."],
  [
    /^a root, a logarithm or an angle, which Doris|^a power that is no integer literal/,
    "Doris has NULL or no number where PostgreSQL raises, and no function that raises.",
  ],
  [/^a regression or correlation/, "It is computed from exact sums, which doubles do not have."],
  [/^a computed number of digits|^a text as a number of any length/, "The source's decimals have a written scale."],
  [/^the time zone$/, "A zone whose name is computed cannot be checked when the statement is planned."],
  [
    /^DISTINCT of texts that are grouped/,
    "Texts that differ in blanks at their end are one text to the source's DISTINCT.",
  ],
  [/^(?:operators|functions) of json$/, "SQL Server keeps JSON as a text without a type."],
  [
    /^a format of a large expression/,
    "The parts of a format repeat its operand, and a plan must not grow with its depth.",
  ],
];

export const whyJust = (reason: string): string | undefined => JUST.find(([pattern]) => pattern.test(reason))?.[1];
