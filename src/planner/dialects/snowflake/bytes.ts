/** Bytes of texts on Snowflake. https://docs.snowflake.com/en/sql-reference/functions/to_binary */
import { words } from "../../lowering/templates/template.ts";
import { BINARY } from "../../types.ts";

/** The bytes of a text in UTF-8. */
export const BYTES = words("TO_BINARY($1, 'UTF-8')", { type: BINARY });
