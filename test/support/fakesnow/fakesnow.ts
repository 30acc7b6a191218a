/**
 * Statements of Snowflake's dialect on fakesnow, over tables handed to it: DuckDB, told by sqlglot what Snowflake's SQL means. It is an
 * emulation and no Snowflake: what both of them get wrong alike nobody sees here.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openEmulator } from "../emulator.ts";
import type { OpenedSource } from "../sources.ts";

const PYTHON = fileURLToPath(new URL("../../../.siskin/fakesnow/bin/python", import.meta.url));
const SCRIPT = fileURLToPath(new URL("emulate.py", import.meta.url));

export const hasFakesnow = (): boolean => existsSync(PYTHON);

/** `tables`: files of Parquet by the names of their tables. */
export const openFakesnow = (tables: Readonly<Record<string, string>>): OpenedSource =>
  openEmulator(PYTHON, SCRIPT, tables);
