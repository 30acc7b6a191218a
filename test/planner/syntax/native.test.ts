/** The modeller's own text: what passes, what it becomes, and that it can never close the parentheses around it. */
import { describe, expect, it } from "vitest";
import { DUCKDB_FLAVOUR } from "../../../src/planner/dialects/duckdb/native.ts";
import { LEXICAL_RULES } from "../../../src/planner/dialects/lexical.ts";
import { POSTGRES_FLAVOUR } from "../../../src/planner/dialects/postgres/native.ts";
import type { NativeFlavour } from "../../../src/planner/syntax/lexical-rules.ts";
import { lexNativeExpression, lexNativeQuery } from "../../../src/planner/syntax/native.ts";
import { errorOf } from "./parsing.ts";

const MYSQL: NativeFlavour = { ...LEXICAL_RULES.mysql, spellings: { types: {}, functions: {} } };

describe("expressions", () => {
  it.each<[string, string, string | undefined]>([
    ["c_name", "c_name", "c_name"],
    ["  c_name -- the name", "c_name", "c_name"],
    ['"Order ID"', '"Order ID"', "Order ID"],
    ['"a""b"', '"a""b"', 'a"b'],
    ["größe", "größe", "größe"],
    ["a$1", "a$1", "a$1"],
    ["c_name;", "c_name", "c_name"],
    ["NULL", "NULL", undefined],
    ["current_date", "current_date", undefined],
    ["t.c", "t.c", undefined],
    ["f(a, b)", "f(a, b)", undefined],
    ["a + /* x */ b", "a +   b", undefined],
    ["a/**/b", "a b", undefined],
    ["a -- ) \n + b", "a  \n + b", undefined],
    ["')' || '--' || '/*'", "')' || '--' || '/*'", undefined],
    ["E'\\')' || x", "E'\\')' || x", undefined],
    ["'\\' || ')'", "'\\' || ')'", undefined],
    ["$$)$$ || $q$ $$ ) $q$", "$$)$$ || $q$ $$ ) $q$", undefined],
    ["a[1]", "a[1]", undefined],
    ["/* a /* b */ c */ x", "x", "x"],
    ["a -> '{\"x\": 1}'", "a -> '{\"x\": 1}'", undefined],
    ["a$b$c + $1", "a$b$c + $1", undefined],
  ])("%s", (text, expected, bareName) => {
    expect(lexNativeExpression(text, POSTGRES_FLAVOUR)).toEqual({ text: expected, bareName });
  });

  it.each<[string, string]>([
    ["", "the text is empty"],
    ["  -- nothing", "the text is empty"],
    [";", "the text is empty"],
    ["a)", "')' closes nothing"],
    ["a) FROM secrets WHERE (b", "')' closes nothing"],
    ["(a", "'(' is not closed"],
    ["(a]", "']' closes nothing"],
    ["a, b", "several expressions separated by commas"],
    ["a; b", "more than one statement"],
    ["(a;)", "';' between brackets"],
    ["'a", "a quote ' is not closed"],
    ["'a\\'", ""],
    ['"a', 'a quote " is not closed'],
    ["E'a\\'", "a quote ' is not closed"],
    ["$$a$", "a string $$ is not closed"],
    ["a /* b", "a comment is not closed"],
    ["a /* /* */", "a comment is not closed"],
    ["a\0", "the character NUL or half of a surrogate pair"],
    ["'\ud800'", "the character NUL or half of a surrogate pair"],
    ["a /*! + 1 */", "a comment that is executed"],
  ])("%j is refused", (text, message) => {
    if (message === "") {
      // With PostgreSQL's rules a backslash is an ordinary character: the string is closed.
      expect(lexNativeExpression(text, POSTGRES_FLAVOUR).text).toBe(text);
      return;
    }
    const error = errorOf(() => lexNativeExpression(text, POSTGRES_FLAVOUR));
    expect(error.reason).toBe("MANIFEST_EXPRESSION");
    expect(error.message).toBe(message);
  });

  it("a macro is refused, inside an expression too, and braces of other kinds are not", () => {
    for (const text of ["{{ m('a') }}", "a + {{m(1)}}"]) {
      expect(errorOf(() => lexNativeExpression(text, POSTGRES_FLAVOUR)).reason, text).toBe("MANIFEST_EXPRESSION");
    }
    expect(lexNativeExpression("'{{' || { a: 1 }", POSTGRES_FLAVOUR).text).toBe("'{{' || { a: 1 }");
  });

  it.each<[string, string | undefined]>([
    ["`a``b`", "`a``b`"],
    ["'a\\')' || \"x\\\")\"", "'a\\')' || \"x\\\")\""],
    ["a # )\n + b", "a  \n + b"],
    ["/* /* */ a", "a"],
    ["'a\\'", undefined],
    ["$$ ) $$", undefined],
  ])("with the rules of another dialect: %s", (text, expected) => {
    if (expected === undefined) {
      expect(errorOf(() => lexNativeExpression(text, MYSQL)).reason).toBe("MANIFEST_EXPRESSION");
    } else {
      expect(lexNativeExpression(text, MYSQL).text).toBe(expected);
    }
  });
});

describe("what other dialects write in their own way", () => {
  const spellings = { types: {}, functions: {} };

  it.each<[source: keyof typeof LEXICAL_RULES, text: string, message: string]>([
    ["oracle", "q'[it's )]'", "a string behind q"],
    ["oracle", "NQ'{it's}'", "a string behind nq"],
    ["bigquery", "r'\\'", "a string behind r"],
    ["bigquery", "rb'a'", "a string behind rb"],
    ["bigquery", "'''it's )'''", "a string between three quotes"],
    ["bigquery", "`a\\`b`", "a name with a backslash"],
    ["clickhouse", '"a\\")"', "a name with a backslash"],
    ["spark", "R'\\' || ')'", "a string behind r"],
  ])("%s: %s is refused", (source, text, message) => {
    const error = errorOf(() => lexNativeExpression(text, { ...LEXICAL_RULES[source], spellings }));
    expect(error).toMatchObject({ reason: "MANIFEST_EXPRESSION", message });
  });

  it.each<[source: keyof typeof LEXICAL_RULES, text: string]>([
    ["oracle", "n'a' || q"],
    ["oracle", "nvl(q, 'a')"],
    ["bigquery", "r + 'a'"],
    ["mssql", "N'a' + [b'c]"],
    ["snowflake", "x'1f'"],
  ])("%s: %s stays", (source, text) => {
    expect(lexNativeExpression(text, { ...LEXICAL_RULES[source], spellings }).text).toBe(text);
  });
});

describe("queries", () => {
  it.each<[string, string]>([
    ["SELECT 1", "SELECT 1"],
    [" select * from t; ", "select * from t"],
    ["-- x\nSELECT 1 -- y", "SELECT 1"],
    ["WITH x AS (SELECT 1) SELECT * FROM x", "WITH x AS (SELECT 1) SELECT * FROM x"],
    ["(SELECT 1) UNION (SELECT 2)", "(SELECT 1) UNION (SELECT 2)"],
    ["VALUES (1), (2)", "VALUES (1), (2)"],
    ["TABLE t;;", "TABLE t"],
    ["SELECT ';' ; -- end", "SELECT ';'"],
    ["SELECT a, b FROM t", "SELECT a, b FROM t"],
  ])("%s", (text, expected) => {
    expect(lexNativeQuery(text, POSTGRES_FLAVOUR)).toBe(expected);
  });

  it.each<[string, string]>([
    ["DELETE FROM t", "a query begins with SELECT, WITH, VALUES, TABLE or '('"],
    ["FROM t", "a query begins with SELECT, WITH, VALUES, TABLE or '('"],
    ["'SELECT 1'", "a query begins with SELECT, WITH, VALUES, TABLE or '('"],
    ["SELECT 1; SELECT 2", "more than one statement"],
    ["SELECT 1) UNION (SELECT 2", "')' closes nothing"],
    ["SELECT (1", "'(' is not closed"],
    ["", "the text is empty"],
  ])("%j is refused", (text, message) => {
    expect(errorOf(() => lexNativeQuery(text, POSTGRES_FLAVOUR)).message).toBe(message);
  });

  it("begin with FROM on DuckDB", () => {
    expect(lexNativeQuery("FROM t SELECT a", DUCKDB_FLAVOUR)).toBe("FROM t SELECT a");
  });

  it("are scanned in linear time", () => {
    // Processor time: what else runs on the machine does not count.
    const began = process.cpuUsage();
    for (const part of ["(", "'a'", "/**/", "--\n", "$$a$$", "$a ", "a ", ";", '"a"']) {
      const text = `SELECT 1 ${part.repeat(200_000)}`;
      try {
        lexNativeQuery(text, POSTGRES_FLAVOUR);
      } catch (error) {
        expect(error).toMatchObject({ reason: "MANIFEST_EXPRESSION" });
      }
    }
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1000).toBeLessThan(5000);
  });
});

it.each(["SELECT E'a'\n'\\'||') AS n UNION SELECT 42 --'", "SELECT 'a'\r\n  'b'"])(
  "a string that goes on in another line is refused: %j",
  (text) => {
    expect(errorOf(() => lexNativeQuery(text, POSTGRES_FLAVOUR)).message).toContain("another line");
  },
);
