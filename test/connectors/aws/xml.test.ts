import { describe, expect, it } from "vitest";
import { inside, insideAll, valueOf, withoutElements } from "../../../src/connectors/aws/xml.ts";

describe("elements", () => {
  it.each<[xml: string, found: string[]]>([
    ["<a>1</a><a>2</a>", ["1", "2"]],
    ["<b><a>1</a></b>\n<a>\n2</a>", ["1", "\n2"]],
    ["<a>1<a>2</a>3</a>", ["1<a>2"]],
    ["<a></a>", [""]],
    ["<a>1</a><a>2", ["1"]],
    ["</a><a>", []],
    ["<ab>1</ab>", []],
    ["", []],
  ])("of %s are %j", (xml, found) => {
    expect(insideAll(xml, "a")).toEqual(found);
    expect(inside(xml, "a")).toBe(found[0]);
  });
});

describe("the text", () => {
  it.each<[xml: string, text: string | undefined]>([
    ["<a>1</a>", "1"],
    ["<a><b>1</b></a><a>2</a>", "2"],
    ["<a><a>3</a></a>", "3"],
    ["<a>1", undefined],
    ["<a>&lt;&#x41;&#66;&amp;&nope;&#9999999;</a>", "<AB&&nope;&#9999999;"],
  ])("of the first plain element of %s is %j", (xml, text) => {
    expect(valueOf(xml, "a")).toBe(text);
  });
});

it.each<[xml: string, rest: string]>([
  ["1<a>2</a>3<b>4</b>5", "135"],
  ["<a>1<b>2</b></a>3", "3"],
  ["<b>1<a>2</b>3</a>4", "3</a>4"],
  ["<a>1<b>2</b>", "<a>1"],
  ["<c>1</c>", "<c>1</c>"],
])("without elements %s is %s", (xml, rest) => {
  expect(withoutElements(xml, ["a", "b"])).toBe(rest);
});
