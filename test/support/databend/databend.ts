/**
 * Statements of Snowflake's dialect on Databend, an engine of its own whose SQL is much like Snowflake's, as a library in Python: no
 * Snowflake, and of the dialect it has a part. What it calls by another name is said so first (`emulate.py`).
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openEmulator } from "../emulator.ts";
import type { OpenedSource } from "../sources.ts";

const PYTHON = fileURLToPath(new URL("../../../.siskin/databend/bin/python", import.meta.url));
const SCRIPT = fileURLToPath(new URL("emulate.py", import.meta.url));

export const hasDatabend = (): boolean => existsSync(PYTHON);

/** `tables`: files of Parquet by the names of their tables. */
export const openDatabend = (tables: Readonly<Record<string, string>>): OpenedSource =>
  openEmulator(PYTHON, SCRIPT, tables);
