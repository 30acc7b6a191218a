#!/usr/bin/env node
// The command `siskin`. Plain JavaScript that any Node can read, so that an old one gets a sentence, not a stack.
import { existsSync } from "node:fs";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 12)) {
  console.error(`siskin needs Node 22.12 or newer; this is ${process.versions.node}.`);
  process.exit(2);
}
// In the repository the bundle is built when a source file is newer; a package has the bundle and nothing to build it from.
const build = new URL("../build.mjs", import.meta.url);
if (existsSync(build)) {
  const { buildIfStale } = await import(build.href);
  await buildIfStale();
}
const { run } = await import(new URL("../dist/siskin.mjs", import.meta.url).href);
await run(process.argv.slice(2));
