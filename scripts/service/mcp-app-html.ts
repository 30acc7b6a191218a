/** The view of a result for agents' hosts: one HTML file with its script and style inside, and a policy that allows nothing else. */
import { createHash } from "node:crypto";
import { type BuildOptions, build } from "esbuild";

/** The file of the view in the directory of the pages. */
export const MCP_APP_FILE = "result.html";

export async function mcpAppHtml(options: BuildOptions, entry: string): Promise<string> {
  const { outputFiles = [] } = await build({
    ...options,
    entryPoints: [entry],
    outdir: "out",
    format: "iife",
    write: false,
  });
  const textOf = (ending: string): string => {
    const file = outputFiles.find(({ path }) => path.endsWith(ending));
    if (file === undefined) throw new Error(`esbuild wrote no ${ending} for ${entry}.`);
    return file.text.trim();
  };
  // Neither ends its element early.
  const script = textOf(".js").replaceAll(/<(?=\/script|!--)/gi, "\\x3c");
  const style = textOf(".css").replaceAll(/<(?=\/style)/gi, "\\3c ");
  const policy = `default-src 'none'; script-src ${digestOf(script)}; style-src ${digestOf(style)}; img-src data:; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Result</title>
<style>${style}</style>
</head>
<body><div id="app"></div><script>${script}</script></body>
</html>
`;
}

const digestOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
