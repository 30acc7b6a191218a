import { describe, expect, test } from "vitest";
import { expandMacros } from "../../../src/planner/legacy/macros.ts";

const MACROS = {
  addOne: "(text: Expression) => {{ text }} + 1",
  twice: "(text: Expression, rule: Macro) => {{ rule(text) }} + {{ rule(text) }}",
  answer: "() => 42",
  scale: "(a: Expression, k: Expression) => {{ a }} * {{ k }}",
  both: "(a: Expression) => {{ addOne(a) }}, {{ scale(a, 2) }}",
  loop: "(a: Expression) => {{ loop(a) }}",
  grow: "(a: Expression) => {{ a }}{{ a }}",
  untyped: "(b) => {{ b }}",
  mistyped: "(b: UnDefined) => {{ b }}",
  formless: "b => 1",
};

const macros = new Map(Object.entries(MACROS).map(([name, definition]) => [name, { name, definition }]));

describe("macros stand for their text", () => {
  test.each([
    ["no macro", "c_custkey + 1", "c_custkey + 1"],
    ["a quoted fragment", "{{ addOne('c_custkey') }}", "c_custkey + 1"],
    ["double quotes", '{{ addOne("c_custkey") }}', "c_custkey + 1"],
    ["a doubled quote", "{{ addOne('''x''') }}", "'x' + 1"],
    ["a number", "{{ scale('a', 10) }}", "a * 10"],
    ["no arguments", "{{answer()}}", "42"],
    ["several in one text", "{{ answer() }} + {{ addOne('a') }} + b", "42 + a + 1 + b"],
    ["a macro as argument", "{{ twice('a', addOne) }}", "a + 1 + a + 1"],
    ["calls as arguments", "{{ addOne(addOne('a')) }}", "a + 1 + 1"],
    ["calls in a body", "{{ both('a') }}", "a + 1, a * 2"],
  ])("%s", (_name, text, expanded) => expect(expandMacros(text, macros)).toBe(expanded));
});

describe("wrong macros are refused", () => {
  test.each([
    ["an unknown one", "{{ nope('a') }}", "MANIFEST_EXPRESSION", 'no macro or parameter "nope"'],
    ["too few arguments", "{{ scale('a') }}", "MANIFEST_EXPRESSION", "takes 2 arguments, not 1"],
    ["text for a macro", "{{ twice('a', 'b') }}", "MANIFEST_EXPRESSION", '"rule" of macro "twice" is a macro'],
    ["a macro for text", "{{ addOne(answer) }}", "MANIFEST_EXPRESSION", "is an expression"],
    ["a macro that is not called", "{{ answer }}", "MANIFEST_EXPRESSION", "named without its arguments"],
    ["a parameter without type", "{{ untyped('a') }}", "MANIFEST_EXPRESSION", "typeName is null: b"],
    ["a parameter of no known type", "{{ mistyped('a') }}", "MANIFEST_EXPRESSION", "typeName is invalid: b:UnDefined"],
    [
      "a definition without its form",
      "{{ formless() }}",
      "MANIFEST_EXPRESSION",
      'definition of macro "formless" is invalid',
    ],
    ["text behind the call", "{{ answer() 1 }}", "MANIFEST_EXPRESSION", "cannot be read"],
    ["an open call", "{{ answer( }}", "MANIFEST_EXPRESSION", "cannot be read"],
    ["one that calls itself", "{{ loop('a') }}", "LIMIT_DEPTH", "over 20 steps"],
    ["one that grows", `{{ ${"grow(".repeat(18)}'a'${")".repeat(18)} }}`, "LIMIT_SIZE", "more than 100000 characters"],
  ])("%s", (_name, text, reason, message) => {
    expect(() => expandMacros(text, macros)).toThrow(
      expect.objectContaining({ reason, message: expect.stringContaining(message) }),
    );
  });
});

/** Each of these took seconds, minutes or the whole stack: the text that comes of it is short, or there is none. */
describe("macros that cost more than they come to", () => {
  const calls = (name: string, count: number): string => `{{ ${name}() }}`.repeat(count);
  const deep = (steps: number): string => `{{ ${"pad(".repeat(steps)}'a'${")".repeat(steps)} }}`;
  const costly = new Map(
    Object.entries({
      ...Object.fromEntries(
        Array.from({ length: 10 }, (_, level) => [`m${level}`, `() => ${calls(`m${level + 1}`, 8)}`]),
      ),
      m10: "() => ",
      pad: "(a: Expression) => {{ a }}",
      wide: `() => ${" ".repeat(40_000)}+ 1`,
      gap: `() => 1${" ".repeat(60_000)}+ 1`,
      gone: `() => {{ drop('${"x".repeat(20_000)}') }}`,
      drop: "(a: Expression) => ",
      flood: `(a: Expression) => ${"{{a}}".repeat(20_000)}`,
    }).map(([name, definition]) => [name, { name, definition }]),
  );

  test.each([
    ["empty calls of empty calls", "{{ m0() }}", "LIMIT_SIZE", "more than 1000 macros are called"],
    ["calls as arguments of calls", deep(20_000), "LIMIT_DEPTH", "over 20 steps"],
    ["long texts that vanish", calls("gone", 500), "LIMIT_SIZE", "go through more than"],
    ["a long argument, often", `{{ flood('${"x".repeat(90_000)}') }}`, "LIMIT_SIZE", "expand to more than"],
  ])("%s", (_name, text, reason, message) => {
    expect(() => expandMacros(text, costly)).toThrow(
      expect.objectContaining({ reason, message: expect.stringContaining(message) }),
    );
  });

  test("blanks around and inside of a body", () => {
    expect(expandMacros(calls("wide", 100), costly)).toBe("+ 1".repeat(100));
    expect(expandMacros("{{ gap() }}", costly)).toBe(`1${" ".repeat(60_000)}+ 1`);
  });

  test("templates that are never closed", () => {
    const open = "{".repeat(90_000);
    expect(expandMacros(open, costly)).toBe(open);
  });

  test("messages repeat little of a long call", () => {
    expect(() => expandMacros(`{{ ${"x".repeat(5000)} }}`, costly)).toThrow(/^.{0,200}$/);
  });
});
