/** Damage to the bytes of a file: what a bad disk, a cut transfer or a hostile writer makes of it. */
import type { Random } from "../../planner/syntax/random.ts";

const EDGES = [0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 63, 64, 126, 127, 128, 129, 200, 254, 255] as const;

/** `from`: the first byte that may change. */
export function damaged(bytes: Uint8Array, from: number, source: Random): Uint8Array {
  const { below, pick, chance } = source;
  let own = Uint8Array.from(bytes);
  const changes = 1 + (chance(0.7) ? 0 : below(4));
  for (let change = 0; change < changes && own.length > from; change++) {
    const at = from + below(own.length - from);
    switch (below(chance(0.1) ? 9 : 6)) {
      case 0:
        own[at] = below(256);
        break;
      case 1:
        own[at] = (own[at] ?? 0) ^ (1 << below(8));
        break;
      case 2:
      case 3:
        own[at] = ((own[at] ?? 0) + pick([1, -1, 2, -2])) & 255;
        break;
      case 4:
        own[at] = pick(EDGES);
        break;
      case 5:
        own.fill(pick(EDGES), at, at + 1 + below(8));
        break;
      case 6:
        own = spliced(own, at, 1 + below(8), new Uint8Array());
        break;
      case 7:
        own = spliced(
          own,
          at,
          0,
          Uint8Array.from({ length: 1 + below(4) }, () => below(256)),
        );
        break;
      default:
        own = own.slice(0, at);
    }
  }
  return own;
}

function spliced(bytes: Uint8Array, at: number, removed: number, added: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([...bytes.subarray(0, at), ...added, ...bytes.subarray(at + removed)]);
}
