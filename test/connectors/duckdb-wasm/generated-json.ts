/** Records of JSON by a seed: types that mostly hold, values that are sometimes missing or strange. */
import { random } from "../../planner/syntax/random.ts";

type Make = () => string;

export function randomJson(seed: number): string {
  const { below, pick, chance } = random(seed);
  const fraction = (): number => below(2 ** 31) / 2 ** 31;
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = (): string => `${1900 + below(200)}-${two(1 + below(12))}-${two(1 + below(28))}`;
  const time = (): string => `${two(below(24))}:${two(below(60))}:${two(below(60))}`;
  const kinds: readonly Make[] = [
    () => String(below(1000) - 500),
    () => String(BigInt.asIntN(64, BigInt(below(2 ** 31)) * BigInt(below(2 ** 31)) * 4n)),
    () =>
      pick([
        String(fraction()),
        String(fraction() * 10 ** below(300)),
        `${below(100)}.${below(1000)}`,
        String(below(9)),
      ]),
    () => pick(["true", "false"]),
    () =>
      JSON.stringify(
        pick(["x", "", "ä ö", "a,b", "2024-01-01", "12 b", "\u2028", '"', "null", "true", String(below(99))]),
      ),
    () => JSON.stringify(day()),
    () => JSON.stringify(`${day()} ${time()}`),
    () => JSON.stringify(`${day()}T${time()}Z`),
    () => JSON.stringify(`${day()} ${time()}.${below(1_000_000)}`),
    () =>
      JSON.stringify(pick([day(), time(), String(below(9999)), `${below(99)}/${below(12)}`, "infinity", "abcdef12"])),
  ];
  const made = (depth: number): Make => {
    const roll = below(depth > 2 ? 8 : 11);
    if (roll < 8) return pick(kinds);
    if (roll < 10) {
      const element = made(depth + 1);
      return () => `[${Array.from({ length: below(4) }, () => sometimes(element)).join(", ")}]`;
    }
    const members = Array.from({ length: 1 + below(4) }, (_, i) => [`m${i}`, made(depth + 1), below(40)] as const);
    return () => objectOf(members);
  };
  const sometimes = (make: Make): string => (below(12) === 0 ? "null" : make());
  const objectOf = (members: readonly (readonly [string, Make, number])[]): string =>
    `{${members
      .filter(([, , missing]) => !chance(missing / 100))
      .map(([name, make]) => `${JSON.stringify(name)}:${sometimes(make)}`)
      .join(",")}}`;
  const columns = Array.from(
    { length: 1 + below(5) },
    (_, i) => [`${pick(["a", "b B", "ü"])}${i}`, made(0), below(40)] as const,
  );
  const records = Array.from({ length: 1 + below(pick([3, 30, 300])) }, () => objectOf(columns));
  return pick([() => `${records.join("\n")}\n`, () => `[${records.join(",\n")}]`, () => records.join(" ")])();
}
