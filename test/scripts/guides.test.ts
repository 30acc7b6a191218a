/** The guides that a service shows: no link is dead, and nothing is markup but what the Markdown library wrote. */
import { describe, expect, test } from "vitest";
import { guideHtml, guides, renderedGuides } from "../../scripts/service/guides.ts";

const pages = renderedGuides();
const FILES = { script: "guide.js", style: "guide.css" };
const whole = new Map(pages.map((page) => [page.name, guideHtml(page, pages, FILES)]));
const idsOf = (html: string): ReadonlySet<string> =>
  new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id));

/** Addresses of the service that guides name. */
const SERVED: readonly string[] = ["/docs", "/explore", "/manifest.schema.json"];

test("guides, reference pages and a page for each dialect are shown", () => {
  const files = guides().map(({ file }) => file);
  for (const file of ["guide/first-model.md", "guide/deploy.md", "manifest.md", "reference/connections.md"]) {
    expect(files).toContain(file);
  }
  expect(files.filter((file) => file.startsWith("reference/dialects/")).length).toBeGreaterThan(10);
  expect(files.filter((file) => /evidence|decisions/.test(file))).toEqual([]);
});

describe.each(pages.map((page) => [page.name, page] as const))("%s", (name, page) => {
  test("has no dead link", () => {
    const links = [...(whole.get(name) ?? "").matchAll(/ href="([^"]+)"/g)].map(([, link = ""]) => link);
    const dead = links.filter((link) => {
      if (/^(?:https:\/\/|data:|\/explore\/assets\/guide\.)/.test(link) || SERVED.includes(link)) return false;
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? name : path.replace("/docs/guide/", "");
      const html = whole.get(target);
      return html === undefined || (anchor !== undefined && !idsOf(html).has(decodeURIComponent(anchor)));
    });
    expect(dead).toEqual([]);
  });

  test("has pictures under names of their content", () => {
    const shown = [
      ...page.html.matchAll(/<img src="\/explore\/assets\/([a-z0-9-]+\.png)" alt="[^"]+" loading="lazy">/g),
    ];
    expect(shown.map(([, picture]) => picture)).toEqual(page.pictures.map((picture) => picture.name));
    expect(page.html.match(/<img\b/g)?.length ?? 0).toBe(shown.length);
  });

  test("has one heading of its own, and no script", () => {
    expect(page.html.match(/<h1 /g)?.length).toBe(1);
    expect(page.html).not.toMatch(/<(?:script|style|iframe|object|form|input)\b|<[^>]* (?:on\w+|style)=|javascript:/i);
  });
});
