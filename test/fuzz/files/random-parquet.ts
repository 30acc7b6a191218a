/**
 * Parquet files from a seed, written byte by byte: random schemas, values at the ends of their ranges and beyond them, and levels of
 * which some contradict each other.
 */
import { type Random, random } from "../../planner/syntax/random.ts";
import { type LeafData, leaf, list, map, parquetFile, type SchemaNode, struct } from "../../support/parquet-file.ts";

/** One value of a leaf, in the plain encoding. */
type WriteValue = (source: Random) => Uint8Array;

interface LeafKind {
  readonly node: SchemaNode;
  readonly write: WriteValue;
}

export function randomParquet(seed: number): Uint8Array {
  const source = random(seed);
  const { below } = source;
  const rows = below(12);
  const columns = Array.from({ length: 1 + below(3) }, (_, index) => randomColumn(`c${index}`, source, 0));
  const leaves = columns.flatMap(({ node, writers }) => {
    const shredder = new Shredder(node, writers, source);
    for (let row = 0; row < rows; row++) shredder.row();
    return shredder.leaves();
  });
  damageLevels(leaves, source);
  return parquetFile({ columns: columns.map(({ node }) => node), rows, leaves: leaves.map(dataOf) });
}

interface RandomColumn {
  readonly node: SchemaNode;
  readonly writers: readonly WriteValue[];
}

function randomColumn(name: string, source: Random, depth: number): RandomColumn {
  const { below, pick } = source;
  const shape = depth > 2 ? 0 : below(7);
  if (shape < 3) {
    const { node, write } = pick(KINDS);
    return { node: { ...node, name }, writers: [write] };
  }
  const inside = (own: string): RandomColumn => randomColumn(own, source, depth + 1);
  if (shape === 3) {
    const element = inside("element");
    return { node: list(name, element.node), writers: element.writers };
  }
  if (shape === 4) {
    const [key, value] = [inside("key"), inside("value")];
    const node = map(name, key.node, value.node);
    return { node: source.chance(0.1) ? withOptionalKey(node) : node, writers: [...key.writers, ...value.writers] };
  }
  const members = Array.from({ length: 1 + below(3) }, (_, index) => inside(`m${index}`));
  return { node: struct(name, ...members.map(({ node }) => node)), writers: members.flatMap(({ writers }) => writers) };
}

/** Against the format, whose keys are never NULL. */
function withOptionalKey(node: SchemaNode): SchemaNode {
  const [entries] = node.children ?? [];
  const [key, value] = entries?.children ?? [];
  if (entries === undefined || key === undefined || value === undefined) return node;
  return { ...node, children: [{ ...entries, children: [{ ...key, repetition: "optional" }, value] }] };
}

interface OpenLeaf {
  readonly definitions: number[];
  readonly repetitions: number[];
  readonly values: Uint8Array[];
  readonly most: { readonly definition: number; readonly repetition: number };
}

/** Rows of one column, as levels and values (the Dremel encoding). */
class Shredder {
  readonly #node: SchemaNode;
  readonly #writers: readonly WriteValue[];
  readonly #source: Random;
  readonly #leaves: OpenLeaf[];

  constructor(node: SchemaNode, writers: readonly WriteValue[], source: Random) {
    this.#node = node;
    this.#writers = writers;
    this.#source = source;
    this.#leaves = depthsOf(node, 0, 0).map((most) => ({ definitions: [], repetitions: [], values: [], most }));
  }

  row(): void {
    this.#write(this.#node, 0, { definition: 0, repetition: 0, lists: 0 });
  }

  leaves(): readonly OpenLeaf[] {
    return this.#leaves;
  }

  /** `first`: the number of its first leaf. Returns the number behind its last one. */
  #write(node: SchemaNode, first: number, at: Place): number {
    const { below, chance } = this.#source;
    const { children = [], repetition } = node;
    const end = first + countOf(node);
    if (repetition === "repeated") {
      const count = below(4);
      if (count === 0) this.#miss(first, end, at);
      const inside = { ...at, definition: at.definition + 1, lists: at.lists + 1 };
      for (let i = 0; i < count; i++) {
        this.#all(children, first, i === 0 ? inside : { ...inside, repetition: inside.lists });
      }
      return end;
    }
    if (repetition === "optional" && chance(0.2)) {
      this.#miss(first, end, at);
      return end;
    }
    const definition = at.definition + (repetition === "optional" ? 1 : 0);
    if (node.children !== undefined) {
      this.#all(children, first, { ...at, definition });
      return end;
    }
    const own = this.#leaves[first];
    own?.definitions.push(definition);
    own?.repetitions.push(at.repetition);
    own?.values.push(this.#writers[first]?.(this.#source) ?? new Uint8Array());
    return end;
  }

  #all(nodes: readonly SchemaNode[], first: number, at: Place): void {
    let next = first;
    for (const node of nodes) next = this.#write(node, next, at);
  }

  #miss(first: number, end: number, { definition, repetition }: Place): void {
    for (const own of this.#leaves.slice(first, end)) {
      own.definitions.push(definition);
      own.repetitions.push(repetition);
    }
  }
}

interface Place {
  readonly definition: number;
  readonly repetition: number;
  /** Number of lists around it. */
  readonly lists: number;
}

const countOf = ({ children }: SchemaNode): number =>
  children === undefined ? 1 : children.reduce((sum, child) => sum + countOf(child), 0);

function depthsOf(node: SchemaNode, definition: number, repetition: number): readonly OpenLeaf["most"][] {
  const most = {
    definition: definition + (node.repetition === "required" ? 0 : 1),
    repetition: repetition + (node.repetition === "repeated" ? 1 : 0),
  };
  if (node.children === undefined) return [most];
  return node.children.flatMap((child) => depthsOf(child, most.definition, most.repetition));
}

/** Half of the files keep their levels. */
function damageLevels(leaves: readonly OpenLeaf[], { below, pick, chance }: Random): void {
  if (leaves.length === 0 || chance(0.5)) return;
  for (let change = 0; change <= below(3); change++) {
    const own = pick(leaves);
    const at = below(own.definitions.length + 1);
    switch (below(5)) {
      case 0:
        if (at < own.definitions.length) own.definitions[at] = below(own.most.definition + 1);
        break;
      case 1:
        if (at < own.repetitions.length) own.repetitions[at] = below(own.most.repetition + 1);
        break;
      case 2:
        own.definitions.splice(at, 1);
        own.repetitions.splice(at, 1);
        break;
      case 3:
        own.definitions.splice(at, 0, below(own.most.definition + 1));
        own.repetitions.splice(at, 0, below(own.most.repetition + 1));
        break;
      default:
        own.values.splice(below(own.values.length + 1), 1);
    }
  }
}

const dataOf = ({ definitions, repetitions, values, most }: OpenLeaf): LeafData => ({
  ...(most.definition > 0 && { definitions }),
  ...(most.repetition > 0 && { repetitions }),
  count: definitions.length,
  values: Buffer.concat(values),
});

/** `width` bytes of random bits, or of an end of the range. */
function number(width: number): WriteValue {
  return ({ below, pick }) => {
    const bytes = new Uint8Array(width).map(() => below(256));
    const fill = pick([undefined, undefined, 0, 255, 127]);
    if (fill === undefined) return bytes;
    bytes.fill(fill === 127 ? 255 : fill);
    if (fill === 127) bytes[width - 1] = 127;
    return bytes;
  };
}

function small(width: 4 | 8, limit: number): WriteValue {
  const wild = number(width);
  return (source) => {
    if (source.chance(0.1)) return wild(source);
    const view = new DataView(new ArrayBuffer(width));
    const value = source.below(limit);
    if (width === 4) view.setInt32(0, value, true);
    else view.setBigInt64(0, BigInt(value), true);
    return new Uint8Array(view.buffer);
  };
}

/** Like `fixed`, with values of `width` bytes, the highest byte first. */
function bigEndian(width: number, limit: number): WriteValue {
  const wild = number(width);
  return (source) => {
    if (source.chance(0.1)) return wild(source);
    const bytes = new Uint8Array(width);
    let rest = source.below(limit);
    for (let at = width - 1; at >= 0 && rest > 0; at--, rest = Math.floor(rest / 256)) bytes[at] = rest % 256;
    return bytes;
  };
}

const TEXTS = ["", "a", "twelve bytes", "thirteen byte", "ü😀", "\0", "x".repeat(300)].map((text) => Buffer.from(text));
const BROKEN = [[0xff], [0xc3], [0xe2, 0x82], [0x61, 0x80]].map((bytes) => Buffer.from(bytes));

const text: WriteValue = ({ pick, chance }) => {
  const own = pick(chance(0.05) ? BROKEN : TEXTS);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(chance(0.01) ? 0xffff_fff0 : own.length);
  return Buffer.concat([length, own]);
};

const DAY = 86_400_000;

const KINDS: readonly LeafKind[] = [
  { node: leaf("", "int32"), write: number(4) },
  { node: leaf("", "int64"), write: number(8) },
  { node: leaf("", "float"), write: number(4) },
  { node: leaf("", "double"), write: number(8) },
  { node: leaf("", "int96"), write: number(12) },
  { node: leaf("", "bytes", { converted: "text" }), write: text },
  { node: leaf("", "bytes"), write: text },
  { node: leaf("", "fixed", { length: 5 }), write: number(5) },
  { node: leaf("", "fixed", { converted: "interval", length: 12 }), write: number(12) },
  { node: leaf("", "int32", { converted: "uint8" }), write: small(4, 256) },
  { node: leaf("", "int32", { converted: "int8" }), write: small(4, 128) },
  { node: leaf("", "int32", { converted: "date" }), write: small(4, 30_000) },
  { node: leaf("", "int32", { converted: "timeMillis" }), write: small(4, DAY) },
  { node: leaf("", "int64", { converted: "timeMicros" }), write: small(8, DAY * 1000) },
  { node: leaf("", "int64", { time: { unit: "nanos", isUtc: false } }), write: small(8, DAY * 1000) },
  { node: leaf("", "int64", { time: { unit: "micros", isUtc: true } }), write: small(8, DAY * 1000) },
  { node: leaf("", "int64", { converted: "timestampMillis" }), write: small(8, 2 ** 40) },
  { node: leaf("", "int64", { converted: "timestampMicros" }), write: number(8) },
  { node: leaf("", "int32", { converted: "decimal", precision: 4, scale: 2 }), write: small(4, 10_000) },
  { node: leaf("", "int64", { converted: "decimal", precision: 18, scale: 18 }), write: small(8, 2 ** 50) },
  {
    node: leaf("", "fixed", { converted: "decimal", precision: 9, scale: 9, length: 4 }),
    write: bigEndian(4, 10 ** 9),
  },
  {
    node: leaf("", "fixed", { converted: "decimal", precision: 9, scale: 2, length: 16 }),
    write: bigEndian(16, 10 ** 9),
  },
  {
    node: leaf("", "fixed", { converted: "decimal", precision: 38, scale: 0, length: 16 }),
    write: bigEndian(16, 2 ** 50),
  },
  // Values of eight slots in a byte do not go together from single values.
  { node: leaf("", "boolean"), write: ({ below }) => Uint8Array.of(below(256)) },
];
