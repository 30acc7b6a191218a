/** A password that a server echoes is masked however the server escapes it. */
import { expect, test } from "vitest";
import { redactorFor } from "../../src/guard/redactor.ts";

test.each([
  ["JSON of Go and Gson", "Tr0ub4dor&3<x>", "Tr0ub4dor\\u00263\\u003cx\\u003e"],
  ["JSON with upper-case digits", "Tr0ub4dor&3<x>", "Tr0ub4dor\\u00263\\u003Cx\\u003E"],
  ["Gson with quotes and equals", "a'b=c9xyz&", "a\\u0027b\\u003dc9xyz\\u0026"],
  ["numbers of markup", "Tr0ub4dor&3", "Tr0ub4dor&#38;3"],
  ["a text in single quotes", "it's-me-9", "it\\'s-me-9"],
  ["every quote with a backslash", "a'b\"c\\d9x", "a\\'b\\\"c\\\\d9x"],
  ["bytes of ISO 8859-1 in a URL", "pä$$wörd9", "p%E4%24%24w%F6rd9"],
  ["UTF-8 read as ISO 8859-1", "pä$$wörd9", "p\u00c3\u00a4$$w\u00c3\u00b6rd9"],
  ["letters and accents apart", "pä$$wörd9", "pä$$wörd9".normalize("NFD")],
])("%s", (_name, password, echoed) => {
  expect(redactorFor({ password }).redact(`login "${echoed}" failed`)).toBe('login "***" failed');
});
