/** Spark's SQL with the quotes of the input language, in texts of equal length, so that positions stay. */
import { expressionIn, Unmapped } from "../sql-text.ts";

const PARTS = /'[^']*'|`[^`]*`|"|\\/g;

/** The tree of an expression of Spark, whose names in backticks become names in double quotes. Throws `Unmapped`. */
export function sparkExpression(text: string): ReturnType<typeof expressionIn> {
  const plain = text.replaceAll(PARTS, (part) => {
    if (part === '"') throw new Unmapped("Double quotes enclose texts on Spark: write the text in single quotes.");
    if (part.includes("\\")) throw new Unmapped("A backslash in an expression is not read.");
    if (part.startsWith("'")) return part;
    if (part.includes('"')) throw new Unmapped(`The name ${part} holds double quotes.`);
    return `"${part.slice(1, -1)}"`;
  });
  return expressionIn(plain);
}

/** A name in Spark's SQL. */
export const sparkName = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : `\`${name}\``);
