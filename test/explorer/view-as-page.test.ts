/** The page over a service with keys and row rules: who asks, and what somebody else would see. */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { directoryStore } from "../../cli/projects/directory-store.ts";
import { push } from "../../cli/projects/push.ts";
import { hasBrowser } from "../support/browser.ts";
import { type RunningService, startService } from "../support/service.ts";
import { ask, cells, pagesOf, summary } from "./browser-page.ts";

const ROOT = join(import.meta.dirname, "../..");
const { open } = pagesOf();

describe.skipIf(!hasBrowser)("the page with keys and row rules", () => {
  const directory = mkdtempSync(join(tmpdir(), "siskin-page-"));
  const ANN = "key-of-ann-0123456789-0123456789-abc";
  let guarded: RunningService;

  beforeAll(async () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, "examples/tpch/manifest.json"), "utf8")) as {
      readonly models: readonly { readonly name: string }[];
    };
    const condition = {
      name: "own",
      condition: "status = @status",
      requiredProperties: [{ name: "status", required: true }],
    };
    const models = manifest.models.map((model) =>
      model.name === "orders" ? { ...model, rowLevelAccessControls: [condition] } : model,
    );
    writeFileSync(join(directory, "manifest.json"), JSON.stringify({ ...manifest, models }));
    const pointer = { version: 1, name: "shop", manifest: "manifest.json", connection: "shop" };
    writeFileSync(join(directory, "project.json"), JSON.stringify(pointer));
    const store = join(directory, "store");
    await push(join(directory, "project.json"), directoryStore(store), "local_file");
    const key = {
      digests: [createHash("sha256").update(ANN).digest("hex")],
      projects: ["shop"],
      properties: { status: "F" },
      viewAs: true,
    };
    guarded = await startService({
      AUTH: "keys",
      API_KEYS: JSON.stringify({ ann: key }),
      PROJECTS: "files",
      PROJECTS_DIRECTORY: store,
      FILE_ROOT: join(ROOT, "examples"),
      CONNECTIONS: JSON.stringify({
        shop: { dataSource: "local_file", connectionInfo: { url: "/", format: "parquet" } },
      }),
    });
  });
  afterAll(async () => {
    await guarded?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  test("asks for a key, keeps it in memory, and shows what somebody else would see beside one's own", async () => {
    const { page, faults } = await open(`${guarded.url}/explore/shop`);
    await page.getByLabel("Key or token").fill("wrong");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Key or token").fill(ANN);
    await page.getByRole("button", { name: "Continue" }).click();
    await summary(page).getByText("rows").waitFor();
    await ask(page, "SELECT status, count(*) AS n FROM orders GROUP BY status ORDER BY status");
    await summary(page).getByText("1 row").waitFor();
    expect((await cells(page)).map(([status]) => status)).toEqual(["F"]);
    await page.locator("footer", { hasText: "kept by a fence" }).waitFor();
    await page.getByText("Project rules apply · status").waitFor();
    await page.getByLabel("View as").fill("status=P");
    await page.getByRole("button", { name: "Compare" }).click();
    await expect
      .poll(async () => (await cells(page)).map(([status]) => status), { timeout: 20_000 })
      .toEqual(["F", "P"]);
    await page.getByRole("tab", { name: "Plan" }).click();
    await page.getByText("The project does not show the SQL for its source.").waitFor();
    await page.getByRole("tab", { name: "Request" }).click();
    await page.getByText("$SISKIN_TOKEN").first().waitFor();
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]),
    );
    expect(kept).not.toContain(ANN);
    expect(await page.content()).not.toContain(ANN);
    expect(faults).toEqual([]);
  });
});
