/** A page in a real browser, and what tests do with it as a person would. */
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { hasBrowser, startBrowser, WITHOUT_BROWSER } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";

export interface Opened {
  readonly page: Page;
  /** Errors of scripts and of the page's policy. */
  readonly faults: readonly string[];
  /** Hosts that were asked. */
  readonly hosts: ReadonlySet<string>;
}

/** A browser of a test file, and its pages. It ends with the file. */
export function pagesOf(): { readonly open: Open } {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (hasBrowser) browser = await startBrowser();
  });
  afterAll(() => browser?.close());
  return {
    open: (url, prepare) => {
      if (browser === undefined) throw new Error(WITHOUT_BROWSER);
      return open(browser, url, prepare);
    },
  };
}

type Open = (url: string, prepare?: (page: Page) => Promise<unknown>) => Promise<Opened>;

async function open(browser: Browser, url: string, prepare?: (page: Page) => Promise<unknown>): Promise<Opened> {
  const page = await browser.newPage({ viewport: { width: 1360, height: 820 } });
  const faults: string[] = [];
  const hosts = new Set<string>();
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    // An answer that is no success is reported by the browser itself.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      faults.push(message.text());
  });
  page.on("request", (request) => hosts.add(new URL(request.url()).host));
  await prepare?.(page);
  await page.goto(url);
  onTestFinished(() => page.close());
  return { page, faults, hosts };
}

/** Cells of the table in sight, as texts. */
export const cells = (page: Page): Promise<string[][]> =>
  page
    .locator(".table tbody tr:not(.space)")
    .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent ?? "")));

/** Puts a statement into the editor as a keyboard does. */
export async function write(page: Page, sql: string): Promise<void> {
  const editor = page.locator(".cm-content");
  const plain = (text: string): string => text.replaceAll(/\s/g, "");
  // A key that comes while the page is drawn anew may reach another element.
  await eventually(async () => {
    await editor.focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.insertText(sql);
    expect(plain(await editor.innerText())).toBe(plain(sql));
  });
}

/** Puts a statement into the editor and runs it. */
export async function ask(page: Page, sql: string): Promise<void> {
  await write(page, sql);
  await page.keyboard.press("Control+Enter");
}

export const summary = (page: Page) => page.locator(".summary");

interface Axe {
  readonly run: (
    selector: string,
  ) => Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
}

/** Serious and critical findings of axe-core, in the whole page or below one element. */
export async function findings(page: Page, within = "html"): Promise<readonly string[]> {
  // Evaluated by the debugger: the page's policy forbids scripts of others.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    (selector) => (globalThis as unknown as { axe: Axe }).axe.run(selector),
    within,
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" ")}`);
}
