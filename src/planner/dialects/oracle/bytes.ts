/**
 * How long a text is in UTF-8, by which Oracle measures names, patterns and texts.
 * https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Database-Object-Names-and-Qualifiers.html
 */
export const bytesOf = (text: string): number => encodeURIComponent(text).replace(/%../g, "x").length;
