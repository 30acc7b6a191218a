/** `/explore`, `/docs` and the guides: pages and their files, with the headers that keep other pages and other code away from them. */
import type { Exchange, Explorer } from "./exchange.ts";
import { isLoopback } from "./project-request.ts";
import { plainDetail } from "./responses.ts";

/** Nothing inline, and nothing of other hosts but the issuer: a name in a model that is markup could neither load nor run anything. */
const policyWith = (issuer: string | undefined): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'${issuer === undefined ? "" : ` ${new URL(issuer).origin}`}; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  png: "image/png",
};

/** Names have a digest of their content. */
const FOREVER = "public, max-age=31536000, immutable";

const notFound = (): Response => plainDetail(404, "Not Found");

function filesFor({ options, url }: Exchange): Explorer["files"] | undefined {
  const { explorer, authenticator } = options;
  if (explorer === undefined || explorer.setting === "off") return undefined;
  const isClosed = explorer.setting === undefined && authenticator.scheme === "none" && !isLoopback(url.hostname);
  return isClosed ? undefined : explorer.files;
}

/** The page, the same for all projects: it finds the name in its address. */
export async function explorerPage(exchange: Exchange): Promise<Response> {
  const page = await builtFile(exchange, "index.html");
  if (page === undefined) return notFound();
  const { signIn, history = "on" } = exchange.options.explorer ?? {};
  const settings = { history, ...(signIn !== undefined && { signIn }) };
  const meta = `<meta name="siskin" content="${attributeOf(JSON.stringify(settings))}">`;
  return pageOf(
    (await page.text()).replace("</head>", () => `${meta}\n</head>`),
    policyWith(signIn?.issuer),
  );
}

/** The reference with forms; undefined where the pages are off. */
export async function referencePage(exchange: Exchange): Promise<Response | undefined> {
  const page = await builtFile(exchange, "reference.html");
  return page && pageOf(page.body, policyWith(undefined));
}

export async function guidePage(exchange: Exchange, name: string): Promise<Response> {
  const isName = /^[a-z0-9-]{1,60}$/.test(name);
  const page = isName ? await builtFile(exchange, `guide-${name}.html`) : undefined;
  return page === undefined ? notFound() : pageOf(page.body, policyWith(undefined));
}

async function builtFile(exchange: Exchange, name: string): Promise<Response | undefined> {
  const file = await filesFor(exchange)?.(name);
  return file?.ok === true ? file : undefined;
}

function pageOf(body: Response["body"] | string, policy: string): Response {
  return new Response(body, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": policy,
      "Referrer-Policy": "no-referrer",
      "Cross-Origin-Opener-Policy": "same-origin",
    },
  });
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };

const attributeOf = (text: string): string => text.replace(/[&"<>]/g, (each) => ENTITIES[each] ?? each);

export async function explorerFile(exchange: Exchange, name: string): Promise<Response> {
  const [, ending = ""] = /^[A-Za-z0-9_-]{1,100}\.(js|css|png)$/.exec(name) ?? [];
  const type = TYPES[ending];
  if (type === undefined) return notFound();
  const file = await filesFor(exchange)?.(name);
  if (file?.ok !== true) return notFound();
  return new Response(file.body, { headers: { "Content-Type": type, "Cache-Control": FOREVER } });
}
