/** The documents that a service shows at `/docs/guide/<name>`: Markdown of `docs/` as HTML, with links between the pages. */
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Marked, type Tokens } from "marked";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const DOCS = join(ROOT, "docs");

export interface Guide {
  /** Last part of its address. */
  readonly name: string;
  readonly title: string;
  /** Path below `docs/`. */
  readonly file: string;
  readonly section: string;
}

/** A page with its body, which has no markup but that of the Markdown library. */
export interface RenderedGuide extends Guide {
  readonly html: string;
  readonly headings: readonly { readonly id: string; readonly text: string }[];
  readonly pictures: readonly Picture[];
}

/** A picture of a guide, under a name with a digest of its content. */
export interface Picture {
  readonly name: string;
  readonly path: string;
}

function pictureAt(path: string): Picture {
  const digest = createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 8);
  return { name: `${basename(path, ".png")}-${digest}.png`, path };
}

/** Sections of `docs/index.md` that a service shows; the others are about its development. */
const SECTIONS: readonly string[] = ["Guides", "Reference", "For engineers"];
const SHOWN = /^(?:(?:guide|reference|spec)\/[a-z-]+|manifest|glossary|SECURITY)\.md$/;

/** In the order of `docs/index.md`; dialects follow. */
export function guides(): readonly Guide[] {
  const index = readFileSync(join(DOCS, "index.md"), "utf8");
  const listed = index.split(/^## /m).flatMap((part) => {
    const [section = ""] = part.split("\n");
    if (!SECTIONS.includes(section)) return [];
    return [...part.matchAll(/\[([^\]]+)\]\(([^)#]+\.md)\)/g)].flatMap(([, title = "", file = ""]) =>
      SHOWN.test(file) ? [{ name: nameOf(file), title, file, section }] : [],
    );
  });
  const dialects = globSync("reference/dialects/*.md", { cwd: DOCS }).sort();
  const pages = [
    ...listed,
    ...dialects.map((file) => ({ name: nameOf(file), title: titleIn(file), file, section: "Dialects" })),
  ];
  const names = new Set(pages.map(({ name }) => name));
  if (names.size < pages.length) throw new Error("Two documents would have the same address below /docs/guide.");
  return pages;
}

function nameOf(file: string): string {
  const [, dialect, base = ""] = /(dialects\/)?([A-Za-z-]+)\.md$/.exec(file) ?? [];
  return (dialect === undefined ? base : `dialect-${base}`).toLowerCase();
}

function titleIn(file: string): string {
  const [, title = ""] = /^# (.+)$/m.exec(readFileSync(join(DOCS, file), "utf8")) ?? [];
  return title;
}

/** Throws an error for markup in the Markdown, and for a link that leads to no file. */
export function renderedGuides(): readonly RenderedGuide[] {
  const all = guides();
  const byFile = new Map(all.map((guide) => [guide.file, guide.name]));
  return all.map((guide) => ({ ...guide, ...rendered(guide.file, byFile) }));
}

/** GitHub's rule for the anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");

function rendered(
  file: string,
  byFile: ReadonlyMap<string, string>,
): Pick<RenderedGuide, "html" | "headings" | "pictures"> {
  const headings: { id: string; text: string }[] = [];
  const pictures: Picture[] = [];
  const library = new Marked({ gfm: true });
  library.use({
    renderer: {
      html({ text }) {
        if (/^<!--[\s\S]*-->\s*$/.test(text)) return "";
        throw new Error(`docs/${file} has markup: ${text.slice(0, 60)}`);
      },
      image({ href, text }) {
        if (!/^pictures\/[a-z0-9-]+\.png$/.test(href)) throw new Error(`docs/${file} has a picture: ${href}`);
        const picture = pictureAt(join(DOCS, dirname(file), href));
        pictures.push(picture);
        return `<img src="/explore/assets/${picture.name}" alt="${escaped(text)}" loading="lazy">`;
      },
      heading({ tokens, depth }) {
        const text = plainText(tokens);
        const id = anchorOf(text);
        if (depth === 2) headings.push({ id, text });
        return `<h${depth} id="${escaped(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code({ text }) {
        return `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const target = targetOf(href, file, byFile);
        if (target !== undefined) return `<a href="${escaped(target)}">${inner}</a>`;
        return `<span title="${escaped(inRepository(href, file))} in the repository">${inner}</span>`;
      },
    },
  });
  const html = library
    .parse(readFileSync(join(DOCS, file), "utf8"), { async: false })
    .replaceAll("<table>", '<div class="scroller" tabindex="0"><table>')
    .replaceAll("</table>", "</table></div>");
  return { html, headings, pictures };
}

function plainText(tokens: readonly Tokens.Generic[]): string {
  return tokens.map((token) => (token.tokens === undefined ? (token["text"] ?? "") : plainText(token.tokens))).join("");
}

const ADDRESSES: Readonly<Record<string, string>> = { "manifest.schema.json": "/manifest.schema.json" };

/** The address of a link; undefined if it leads to a file that the service does not show. */
function targetOf(href: string, file: string, byFile: ReadonlyMap<string, string>): string | undefined {
  if (/^https:\/\//.test(href)) return href;
  if (/^[a-z]+:/i.test(href)) throw new Error(`docs/${file} has a link of another scheme: ${href}`);
  const [path = "", anchor] = href.split("#");
  if (path === "") return href;
  const target = normalize(join(dirname(file), path));
  const name = byFile.get(target);
  if (name === undefined) return ADDRESSES[target];
  return `/docs/guide/${name}${anchor === undefined ? "" : `#${anchor}`}`;
}

const inRepository = (href: string, file: string): string =>
  relative(ROOT, join(DOCS, dirname(file), href.split("#")[0] ?? ""));

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

export interface PageFiles {
  readonly script: string;
  readonly style: string;
}

/** The whole page of a guide. */
export function guideHtml(guide: RenderedGuide, all: readonly Guide[], { script, style }: PageFiles): string {
  const sections = [...new Set(all.map(({ section }) => section))];
  const lists = sections.map((section) => {
    const pages = all.filter((each) => each.section === section);
    const isOpen = section !== "Dialects" || guide.section === section;
    const links = pages.map(
      ({ name, title }) =>
        `<li><a href="/docs/guide/${name}"${name === guide.name ? ' aria-current="page"' : ""}>${escaped(title.replaceAll("`", ""))}</a></li>`,
    );
    return `<details${isOpen ? " open" : ""}><summary>${escaped(section)}</summary><ul>${links.join("")}</ul></details>`;
  });
  const { headings } = guide;
  const contents =
    headings.length < 3
      ? ""
      : `<details class="contents"><summary>On this page</summary><ul>${headings.map(({ id, text }) => `<li><a href="#${escaped(id)}">${escaped(text)}</a></li>`).join("")}</ul></details>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(guide.title.replaceAll("`", ""))} · Siskin</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/explore/assets/${style}">
<script type="module" src="/explore/assets/${script}"></script>
</head>
<body><div id="app">
<header><a class="logo" href="/docs">Siskin</a><nav class="links" aria-label="Pages"><a href="/explore">Explore</a> <a href="/docs">API</a> <a href="/docs/guide/first-model" aria-current="true">Guides</a></nav></header>
<aside><nav aria-label="Guides">${lists.join("")}</nav></aside>
<main><article>${contents}
${guide.html}</article></main>
</div></body>
</html>
`;
}
