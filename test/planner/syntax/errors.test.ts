/** Rejected texts: the position, message and hint of each error. */
import { describe, expect, it } from "vitest";
import { errorOf, expression, query } from "./parsing.ts";
import { refuses } from "./refusals.ts";

const PARAMETER = "Write the value as a literal, or $1 for the first of the request's parameters.";
const NAME_QUOTES = 'Names are quoted with double quotes: "name"';
const CLAUSE = "a clause such as WHERE, or the end of the query";
const AFTER_LIST = "FROM or ',' after the select list";

describe("misspelt keywords", () => {
  refuses("SYNTAX", [
    ["«SELEC» a FROM t", "expected SELECT, WITH or VALUES, found 'SELEC'", "Did you mean SELECT?"],
    ["«WIHT» a AS (SELECT 1) SELECT 1", "expected SELECT, WITH or VALUES, found 'WIHT'", "Did you mean WITH?"],
    ["SELECT a FRM «t»", `expected ${AFTER_LIST}, found 't'`, "Did you mean FROM?"],
    ["SELECT a, b FORM «t»", `expected ${AFTER_LIST}, found 't'`, "Did you mean FROM?"],
    ["SELECT a FROM t WHER «x» = 1", `expected ${CLAUSE}, found 'x'`, "Did you mean WHERE?"],
    ["SELECT a FROM t WHRE «x» = 1", `expected ${CLAUSE}, found 'x'`, "Did you mean WHERE?"],
    ["SELECT a FROM t GROPU «BY» x", `expected ${CLAUSE}, found 'BY'`, "Did you mean GROUP?"],
    ["SELECT a FROM t ODER «BY» x", `expected ${CLAUSE}, found 'BY'`, "Did you mean ORDER?"],
    ["SELECT a FROM t WHERE b = 1 «GRUOP» BY x", `expected ${CLAUSE}, found 'GRUOP'`, "Did you mean GROUP?"],
    ["SELECT a FROM t JION «u» ON a = b", `expected ${CLAUSE}, found 'u'`, "Did you mean JOIN?"],
    ["SELECT a FROM t LIMTI «3»", `expected ${CLAUSE}, found '3'`, "Did you mean LIMIT?"],
    ["SELECT a FROM t UNOIN «SELECT» b", `expected ${CLAUSE}, found 'SELECT'`, "Did you mean UNION?"],
  ]);
});

describe("commas and brackets", () => {
  refuses("SYNTAX", [
    [
      "SELECT a b «c» FROM t",
      `expected ${AFTER_LIST}, found 'c'`,
      "Is a comma, an operator or AND missing in front of 'c'?",
    ],
    ["SELECT a, «FROM» t", "expected an expression, found 'FROM'", "Remove the comma in front of 'FROM'."],
    ["SELECT a FROM t, «WHERE» b", "expected a table name, found 'WHERE'", "Remove the comma in front of 'WHERE'."],
    [
      "SELECT a FROM t ORDER BY a,«»",
      "expected an expression, found the end of the text",
      "Remove the comma at the end.",
    ],
    [
      "SELECT f(a «FROM» t",
      "expected ',' or ')' after the argument, found 'FROM'",
      "The '(' in front of 'a' is not closed.",
    ],
    [
      "SELECT (a + (b) «FROM» t",
      "expected ',' or ')' after the expression, found 'FROM'",
      "The '(' in front of 'a' is not closed.",
    ],
    [
      "SELECT a FROM t WHERE a IN (1, 2«»",
      "expected ',' or ')' after the expression, found the end of the text",
      "The '(' in front of '1' is not closed.",
    ],
    [
      "SELECT a FROM (SELECT b FROM t«»",
      "expected ')' after the query, found the end of the text",
      "The '(' in front of 'SELECT' is not closed.",
    ],
    ["SELECT a«)» FROM t", `expected ${CLAUSE}, found ')'`, "There is no '(' for it."],
    [
      "SELECT a FROM t WHERE a = 1 «b» = 2",
      `expected ${CLAUSE}, found 'b'`,
      "Is a comma, an operator or AND missing in front of 'b'?",
    ],
    [
      "SELECT a FROM t x «y»",
      `expected ${CLAUSE}, found 'y'`,
      "Is a comma, an operator or AND missing in front of 'y'?",
    ],
    ["SELECT a AS FROM «t»", `expected ${AFTER_LIST}, found 't'`, "An alias is missing between AS and FROM."],
    ["SELECT «FROM» t", "expected an expression, found 'FROM'", "Name at least one column, or write *."],
    ["SELECT CASE WHEN a THEN b «FROM» t", "expected WHEN, ELSE or END, found 'FROM'", "Every CASE ends with END."],
  ]);
});

describe("quotes and characters", () => {
  refuses("SYNTAX", [
    ["SELECT «'»abc FROM t", "the string is not closed", "Add ' where it ends."],
    ['SELECT «"»abc FROM t', "the quoted name is not closed", 'Add " where it ends.'],
    ["SELECT a «/*» b FROM t", "the comment is not closed", "Add */ where it ends; comments nest."],
    ["«```»sql\nSELECT 1\n```", "a Markdown code fence (```)", "Send the SQL without the lines of the fence."],
    ["SELECT 1\n«```»", "a Markdown code fence (```)", "Send the SQL without the lines of the fence."],
    ["«```»SELECT 1```", "a Markdown code fence (```)", "Send the SQL without the lines of the fence."],
    ["SELECT «`»a` FROM t", "unexpected '`'", `${NAME_QUOTES}.`],
    ["SELECT «[»a] FROM t", "expected an expression, found '['", `${NAME_QUOTES}; arrays are written ARRAY[1, 2].`],
    [
      "SELECT «[»Order Date] FROM t",
      "expected an expression, found '['",
      `${NAME_QUOTES}; arrays are written ARRAY[1, 2].`,
    ],
    ["SELECT a FROM «[»t]", "expected a table name, found '['", `${NAME_QUOTES}; arrays are written ARRAY[1, 2].`],
    ["SELECT «‘»abc’", "the typographic quote '‘'", "Write the straight quote ' instead."],
    ["SELECT «“»abc”", "the typographic quote '“'", "Write straight quotes: ' around a string, \" around a name."],
    ["SELECT a «–» 1", "the dash '–'", "Write - instead."],
    ["SELECT a«，»b FROM t", "the character '，'", "Write , instead."],
    ["SELECT a «≥» b", "the character '≥'", "Write >= instead."],
    ["SELECT a«\u200b»b", "the invisible character U+200B", "Remove it."],
    ["SELECT a«\0»", "the character NUL", "Remove it."],
    ["SELECT a«\ud800»b", "a name with half of a surrogate pair", undefined],
    ['SELECT «""»', "an empty name", "Write '' for an empty string."],
    ["SELECT «1abc»", "a number followed by letters: '1abc'", 'A name that begins with a digit needs quotes: "1abc".'],
    ["SELECT a «\\» b", 'unexpected character "\\\\"', undefined],
    [
      "SELECT 'a' «'b'»",
      `expected ${AFTER_LIST}, found ''b''`,
      "Strings are joined with ||; a quote inside a string is doubled ('').",
    ],
    ["SELECT a AS «'b'» FROM t", "expected a column alias after AS, found ''b''", 'An alias is a name: "b".'],
    [
      "SELECT foo «'bar'» FROM t",
      `expected ${AFTER_LIST}, found ''bar''`,
      "Is a comma, an operator or AND missing in front of ''bar''?",
    ],
  ]);
});

describe("names", () => {
  refuses("SYNTAX", [
    [
      "SELECT «order» FROM t",
      "expected an expression, found 'order'",
      'order is a reserved word; as a name it needs quotes: "order".',
    ],
    [
      "SELECT a FROM «user»",
      "expected a table name, found 'user'",
      'user is a reserved word; as a name it needs quotes: "user".',
    ],
    [
      "SELECT a FROM t AS «table»",
      "expected a table alias, found 'table'",
      'table is a reserved word; as a name it needs quotes: "table".',
    ],
    ["SELECT * FROM «a.b.c.d»", "a table name has at most three parts: catalog.schema.table", undefined],
    [
      "SELECT a FROM «'file.csv'»",
      "expected a table name, found ''file.csv''",
      "Names are quoted with double quotes; files are not read by name.",
    ],
  ]);
});

describe("operators of other languages", () => {
  refuses("SYNTAX", [
    ["SELECT a «==» b", `expected ${AFTER_LIST}, found '=='`, "Write = for equality."],
    ["SELECT a «<=>» b", `expected ${AFTER_LIST}, found '<=>'`, "Write IS NOT DISTINCT FROM."],
    ["SELECT «!»a", "expected an expression, found '!'", "Write NOT for negation."],
    ["SELECT a «=~» b", `expected ${AFTER_LIST}, found '=~'`, "Write ~ for a regular expression match."],
    [
      "SELECT a = b && c «=» d",
      "'=' cannot follow another operator of its kind",
      "The logical operator is written AND; && compares arrays.",
    ],
    [
      "SELECT a = b || c «=» d",
      "'=' cannot follow another operator of its kind",
      "The logical operator is written OR; || joins strings.",
    ],
    [
      "SELECT a < b «<» c",
      "'<' cannot follow another operator of its kind",
      "Combine comparisons with AND: a < b AND b < c.",
    ],
    [
      "SELECT a LIKE b «LIKE» c",
      "'LIKE' cannot follow another operator of its kind",
      "Put one of them in parentheses.",
    ],
    ["SELECT a REGEXP «'b'» FROM t", `expected ${AFTER_LIST}, found ''b''`, "Write ~ for a regular expression match."],
    ["SELECT a NOT «NULL»", `expected ${AFTER_LIST}, found 'NULL'`, "Write IS NOT NULL."],
    ["SELECT 1 FROM t WHERE a «NOT» NULL", `expected ${CLAUSE}, found 'NOT'`, "Write IS NOT NULL."],
    [
      "SELECT a IS «5»",
      "expected NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM after IS, found '5'",
      "Write = for equality.",
    ],
    [
      "SELECT a SIMILAR TO «ANY» (b)",
      "SIMILAR TO ANY is not part of the language",
      "Write one SIMILAR TO per pattern, joined with OR or AND.",
    ],
    [
      "SELECT a || «ANY» (b)",
      "ANY and ALL follow a comparison or a pattern operator only: = <> < <= > >= LIKE ILIKE ~",
      undefined,
    ],
  ]);
});

describe("parameters and templates", () => {
  refuses("SYNTAX", [
    ["SELECT a FROM t WHERE a = «?»", "expected an expression, found '?'", PARAMETER],
    ["SELECT a FROM t WHERE a=«?» AND b", "expected an expression, found '?'", PARAMETER],
    ["SELECT a FROM t WHERE a = «$1»", "expected an expression, found '$1'", PARAMETER],
    ["SELECT a FROM t WHERE a = «:»name", "expected an expression, found ':'", PARAMETER],
    ["SELECT a FROM t WHERE a = «{»{ x }}", "expected an expression, found '{'", PARAMETER],
    ["SELECT a FROM t WHERE a = «%»s", "expected an expression, found '%'", PARAMETER],
    ["SELECT a FROM t WHERE a = «%»(x)s", "expected an expression, found '%'", PARAMETER],
    ["SELECT a «:»path FROM t", `expected ${AFTER_LIST}, found ':'`, "Write -> or ->> to read members of JSON values."],
    [
      "SELECT «@»x",
      "expected an expression, found '@'",
      "Session properties stand only in row rules; the absolute value is abs(x), or @ x with a blank.",
    ],
  ]);
});

describe("forms of other dialects", () => {
  refuses("SYNTAX", [
    ["SELECT «TOP» 10 a FROM t", "TOP is not part of the language", "Write LIMIT n at the end of the query."],
    ["SELECT «TOP» (10) a FROM t", "TOP is not part of the language", "Write LIMIT n at the end of the query."],
    ["SELECT DISTINCT «TOP» 5 * FROM t", "TOP is not part of the language", "Write LIMIT n at the end of the query."],
    ["SELECT a FROM t CROSS «APPLY» f(x)", "expected JOIN after CROSS, found 'APPLY'", "Write CROSS JOIN LATERAL."],
    ["SELECT a FROM t «OUTER» APPLY f(x)", `expected ${CLAUSE}, found 'OUTER'`, "Write LEFT JOIN LATERAL … ON TRUE."],
    [
      "SELECT a FROM t LEFT «SEMI» JOIN u ON b",
      "expected JOIN after LEFT, found 'SEMI'",
      "Write WHERE EXISTS (SELECT …).",
    ],
    ["SELECT a FROM t «SEMI» JOIN u ON b", "SEMI JOIN is not part of the language", "Write WHERE EXISTS (SELECT …)."],
    [
      "SELECT a FROM t «anti» JOIN u ON b",
      "ANTI JOIN is not part of the language",
      "Write WHERE NOT EXISTS (SELECT …).",
    ],
    [
      "SELECT a FROM t «asof» JOIN u ON b",
      "ASOF JOIN is not part of the language",
      "As an alias it needs AS: AS asof.",
    ],
    [
      "SELECT a FROM t «PIVOT» (sum(x) FOR y IN (1))",
      `expected ${CLAUSE}, found 'PIVOT'`,
      "PIVOT is not part of the language: write sum(x) FILTER (WHERE …) per column.",
    ],
    [
      "SELECT a FROM t «TABLESAMPLE» BERNOULLI (10)",
      "TABLESAMPLE is not part of the language",
      "Filter by a row number or a hash of a key.",
    ],
    [
      "SELECT a FROM t «WITH» (NOLOCK)",
      `expected ${CLAUSE}, found 'WITH'`,
      "Table hints are not part of the language.",
    ],
    [
      "SELECT a FROM t WHERE a = b«(»+)",
      "'(+)' is not part of the language",
      "Write a LEFT JOIN with an ON condition.",
    ],
    ["SELECT a FROM t GROUP BY «ALL»", "GROUP BY ALL is not part of the language", "Name the grouping keys."],
    ["«FROM» t SELECT a", "expected SELECT, found 'FROM'", "A query begins with SELECT; FROM follows the select list."],
    ["SELECT (t).«*» FROM t", "the members of a row cannot be selected with '*'", "Name the members."],
    [
      "SELECT INTERVAL «(»3) '1 day'".replace("«(»", "(").replace("'1 day'", "«'1 day'»"),
      "INTERVAL with a precision is not part of the language",
      "Remove the parentheses.",
    ],
    [
      "SELECT INTERVAL '1' SECOND«(»3)",
      "an interval with a precision is not part of the language",
      "Remove the parentheses behind SECOND.",
    ],
    [
      "SELECT a FROM t JOIN u USING (b) «AS» x",
      "an alias behind USING is not part of the language",
      "Put the join in parentheses and give it the alias behind them.",
    ],
    [
      "SELECT a FROM f() AS t(a «int»)",
      "expected ',' or ')' after the column name, found 'int'",
      "A column list holds names only; cast the columns where they are used.",
    ],
    ["SELECT current_timestamp(«1.5»)", "a precision of time is an integer from 0 to 6", "Write current_timestamp(3)."],
    ["SELECT a::s«.»t", "a type name with a schema is not part of the language", "Write the type's own name."],
  ]);
});

describe("incomplete and misplaced", () => {
  refuses("SYNTAX", [
    ["«»", "the text holds no query", "Write a query that begins with SELECT."],
    [" ; -- nothing«»", "the text holds no query", "Write a query that begins with SELECT."],
    ["SELECT a FROM t WHERE«»", "expected an expression, found the end of the text", undefined],
    ["SELECT a FROM t WHERE «AND» b", "expected an expression, found 'AND'", undefined],
    [
      "SELECT a FROM t WHERE a BETWEEN 1«»",
      "expected AND after the lower bound of BETWEEN, found the end of the text",
      "Write BETWEEN low AND high.",
    ],
    [
      "SELECT a FROM t JOIN u«»",
      "expected ON or USING after the joined table, found the end of the text",
      "Every join but CROSS JOIN needs a condition.",
    ],
    [
      "SELECT a FROM t JOIN u «WHERE» b",
      "expected ON or USING after the joined table, found 'WHERE'",
      "Every join but CROSS JOIN needs a condition.",
    ],
    ["SELECT a FROM t CROSS JOIN u «ON» b", "CROSS JOIN takes no ON", "Write JOIN."],
    ["SELECT a FROM t NATURAL JOIN u «USING» (b)", "NATURAL JOIN takes no USING", "Remove NATURAL."],
    [
      "SELECT a FROM t HAVING a «WHERE» b",
      "WHERE is not allowed at this position",
      "The clauses of a query follow in this order: SELECT, FROM, WHERE, GROUP BY, HAVING, WINDOW, QUALIFY, ORDER BY, LIMIT.",
    ],
    ["SELECT a FROM t ORDER «a»", "expected BY after ORDER, found 'a'", undefined],
    [
      "SELECT a FROM t ORDER BY a «UNION» SELECT b",
      "expected the end of the query, found 'UNION'",
      "ORDER BY and LIMIT belong to the whole query: put the first part in parentheses.",
    ],
    [
      "SELECT a FROM t LIMIT 1 «EXCEPT» SELECT b",
      "expected the end of the query, found 'EXCEPT'",
      "ORDER BY and LIMIT belong to the whole query: put the first part in parentheses.",
    ],
    [
      "SELECT 1 UNION «WITH» a AS (SELECT 1) SELECT 2",
      "WITH belongs in front of the whole query",
      "Put this query in parentheses.",
    ],
    [
      "SELECT a FROM «SELECT» b FROM t",
      "expected a table name, found 'SELECT'",
      "A query in FROM needs parentheses: FROM (SELECT …) AS t.",
    ],
    ["SELECT a = «SELECT» 1", "expected an expression, found 'SELECT'", "A sub-query stands in parentheses."],
    [
      "SELECT a IN «b»",
      "expected '(' after IN, found 'b'",
      "A list of values needs parentheses; for an array write = ANY (array).",
    ],
    ["SELECT a IN («)»", "IN needs at least one value", "An empty list is never true: write FALSE."],
    ["SELECT EXISTS «(»1)", "EXISTS takes a query", "Write EXISTS (SELECT …)."],
    ["SELECT ARRAY«(»1, 2)", "ARRAY (…) takes a query", "Write ARRAY[…] for a list of elements."],
    ["SELECT a = ANY «(»1, 2)", "ANY takes one array or one query", "Write ANY (ARRAY[…])."],
    ["SELECT CAST(a«,» int)", "expected AS and a type in CAST, found ','", "Write CAST(x AS type)."],
    ["SELECT a::«»", "expected a type name, found the end of the text", undefined],
    ["SELECT a::decimal(«x»)", "expected a whole number as the type's parameter, found 'x'", undefined],
    ["SELECT EXTRACT(YEAR«,» a)", "expected FROM after the field of EXTRACT, found ','", "Write extract(year FROM x)."],
    [
      "SELECT POSITION('a'«,» b)",
      "expected IN after the first operand of POSITION, found ','",
      "Write position(needle IN text) or strpos(text, needle).",
    ],
    [
      "SELECT INTERVAL 3 «FROM» t",
      "expected a unit such as DAY after the interval, found 'FROM'",
      "Write INTERVAL '3 days' or INTERVAL 3 DAY.",
    ],
    [
      "VALUES (1, 2), «(3)»",
      "the row has 1 values, the first row has 2",
      "All rows of VALUES have the same number of values.",
    ],
    [
      "SELECT sum(a) OVER («ROWS BETWEEN CURRENT ROW AND 1 PRECEDING»)",
      "the frame begins behind its end",
      "Put the earlier bound first.",
    ],
    [
      "SELECT sum(a) OVER («ROWS UNBOUNDED FOLLOWING»)",
      "the frame begins behind its end",
      "Put the earlier bound first.",
    ],
    [
      "SELECT a OVERLAPS b".replace("OVERLAPS", "«OVERLAPS»"),
      "OVERLAPS compares two pairs",
      "Write (start1, end1) OVERLAPS (start2, end2).",
    ],
    ["SELECT a.b.«c»(1)", "a function has at most a schema in front of its name", undefined],
  ]);
});

describe("messages", () => {
  it("never quote more than 40 characters of the text", () => {
    for (const text of [
      `SELECT a b ${"x".repeat(500)}`,
      `SELECT a AS '${"x".repeat(500)}'`,
      `SELECT a b '${"😀".repeat(100)}'`,
      `SELECT 1${"x".repeat(500)}`,
      `SELECT a ${"~".repeat(500)} b`,
      `SELECT $${"x".repeat(500)}$`,
    ]) {
      const error = errorOf(() => query(text));
      expect(error.message.length + (error.hint?.length ?? 0)).toBeLessThan(260);
      expect(error.message.isWellFormed()).toBe(true);
    }
  });

  it("report the first mistake of the text, though the lexer has seen a later one", () => {
    expect(errorOf(() => query("SELEC a FROM t WHERE b = `c`")).message).toMatch(/SELEC/);
    expect(errorOf(() => query("DELETE FROM t WHERE a = 'x")).reason).toBe("UNSUPPORTED_STATEMENT");
  });
});

describe("whole expressions", () => {
  it.each<[string, string, number]>([
    ["", "the expression is empty", 0],
    ["a b", "expected the end of the expression, found 'b'", 2],
    ["a;", "expected the end of the expression, found ';'", 1],
    ["a, b", "expected the end of the expression, found ','", 1],
    ["SELECT 1", "expected an expression, found 'SELECT'", 0],
    ["a)", "expected the end of the expression, found ')'", 1],
  ])("%j", (text, message, start) => {
    const error = errorOf(() => expression(text));
    expect(error.message).toBe(message);
    expect(error.span?.start).toBe(start);
  });
});
