/** The API page: one HTML document without scripts or external resources, written from the OpenAPI document. */
import type { OpenApiDocument, OperationObject } from "./openapi/document.ts";

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1d2125; }
h2 { margin-top: 2rem; border-bottom: 1px solid #ccd; }
table { border-collapse: collapse; width: 100%; }
td { padding: .25rem .75rem .25rem 0; vertical-align: top; }
code { font: 14px ui-monospace, monospace; }
.later { color: #6b7280; }
`;

/** The policy allows this style by its digest and nothing else: injected markup could neither load nor run anything. */
export async function apiPage(document: OpenApiDocument): Promise<Response> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(STYLE));
  const hash = btoa(String.fromCharCode(...new Uint8Array(digest)));
  return new Response(html(document), {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    },
  });
}

function html({ info, paths }: OpenApiDocument): string {
  const sections = new Map<string, string[]>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const tag = operation.tags[0] ?? "";
      sections.set(tag, [...(sections.get(tag) ?? []), row(method, path, operation)]);
    }
  }
  const body = [...sections].map(([tag, rows]) => `<h2>${escaped(tag)}</h2><table>${rows.join("")}</table>`).join("");
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(info.title)}</title><style>${STYLE}</style></head><body><h1>${escaped(info.title)}</h1><p>${escaped(info.description)}</p><p>The full description is <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1).</p>${body}</body></html>`;
}

function row(method: string, path: string, operation: OperationObject): string {
  const later =
    operation.description === undefined ? "" : ` <span class="later">${escaped(operation.description)}</span>`;
  const call = `<code>${escaped(method.toUpperCase())}</code></td><td><code>${escaped(path)}</code>`;
  return `<tr><td>${call}</td><td>${escaped(operation.summary)}${later}</td></tr>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
