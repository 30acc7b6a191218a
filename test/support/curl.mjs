#!/usr/bin/env node
// The part of curl that README.md uses, for machines without it: curl -s URL -H 'name: value' -d TEXT|@FILE|@-
import { readFileSync } from "node:fs";
import process from "node:process";

const headers = {};
let body;
let url;
for (let words = process.argv.slice(2); words.length > 0; ) {
  const [word, ...rest] = words;
  words = rest;
  if (word === "-s") continue;
  if (word === "-H") {
    const [, name, value] = /^([^:]+):\s*(.*)$/.exec(words.shift());
    headers[name] = value;
  } else if (word === "-d") {
    const text = words.shift();
    // Like curl with -d: line ends of files are dropped.
    body = text.startsWith("@") ? readFileSync(text === "@-" ? 0 : text.slice(1), "utf8").replace(/[\r\n]/g, "") : text;
  } else if (word.startsWith("-")) {
    throw new Error(`this curl does not know ${word}`);
  } else {
    url = word;
  }
}
const response = await fetch(url, body === undefined ? { headers } : { method: "POST", headers, body });
process.stdout.write(await response.text());
