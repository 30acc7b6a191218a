/** Converts values and levels of a row group to Arrow's buffers, a limited number of rows at a time. */
import type { Body } from "../../../../result/encode/arrow/vectors.ts";
import { ParquetFault } from "../fault.ts";
import type { Column, Leaf, Node } from "./column-tree.ts";
import { type Fixed, Texts } from "./dense.ts";
import { assertLevels } from "./levels.ts";
import type { ChunkValues } from "./pages.ts";

/** The rows of one row group; each column continues after the previous rows. */
export class GroupRows {
  readonly #columns: readonly Column[];
  readonly #leaves = new Map<Leaf, LeafCursor>();
  #left: number;

  constructor(columns: readonly Column[], rows: number, values: ReadonlyMap<Leaf, ChunkValues>) {
    this.#columns = columns;
    this.#left = rows;
    assertLevels(columns, values, rows);
    for (const [leaf, chunk] of values) this.#leaves.set(leaf, new LeafCursor(leaf, chunk));
  }

  /** The next rows, at most `most`; undefined if there are none. Throws `ParquetFault`. */
  next(most: number): { readonly rows: number; readonly body: Body } | undefined {
    const rows = Math.min(most, this.#left);
    if (rows === 0) return undefined;
    this.#left -= rows;
    for (const leaf of this.#leaves.values()) leaf.advance(rows);
    const body: Body = { nodes: [], buffers: [] };
    for (const { node } of this.#columns) this.#add(body, node, 0, 0);
    return { rows, body };
  }

  /** `repeats`: number of repeated nodes above. `filled`: the minimum definition level of their elements. */
  #add(body: Body, node: Node, repeats: number, filled: number): void {
    const leaf = this.#cursor(node.leaf);
    const slots = leaf.slots(repeats, filled);
    const there = leaf.validity(slots, node.present);
    body.nodes.push([slots.length, there.nulls]);
    body.buffers.push(there.bits);
    switch (node.kind) {
      case "leaf":
        leaf.values(body, slots, node.present);
        return;
      case "struct":
        for (const { node: member } of node.members) this.#add(body, member, repeats, filled);
        return;
      case "list":
      case "map":
        body.buffers.push(leaf.offsets(slots, node.repeats, node.filled));
        if (node.kind === "map") this.#addEntries(body, node.element, node.repeats, node.filled);
        else this.#add(body, node.element, node.repeats, node.filled);
        return;
      default:
        node satisfies never;
    }
  }

  /** The entries of a map are never NULL, whatever the file declares. */
  #addEntries(body: Body, node: Node, repeats: number, filled: number): void {
    const count = this.#cursor(node.leaf).slots(repeats, filled).length;
    body.nodes.push([count, 0]);
    body.buffers.push(NOTHING);
    if (node.kind !== "struct") return;
    for (const { node: member } of node.members) this.#add(body, member, repeats, filled);
  }

  #cursor(leaf: Leaf): LeafCursor {
    const cursor = this.#leaves.get(leaf);
    if (cursor === undefined) throw new ParquetFault("It lacks values of a column.");
    return cursor;
  }
}

const NOTHING = new Uint8Array(0);

class LeafCursor {
  readonly #leaf: Leaf;
  readonly #chunk: ChunkValues;
  #from = 0;
  #to = 0;
  /** Number of non-NULL values before the current rows. */
  #valuesBefore = 0;
  #valuesHere = 0;

  constructor(leaf: Leaf, chunk: ChunkValues) {
    this.#leaf = leaf;
    this.#chunk = chunk;
  }

  advance(rows: number): void {
    const { repetitions, definitions, count } = this.#chunk;
    this.#valuesBefore += this.#valuesHere;
    this.#from = this.#to;
    if (repetitions === undefined) this.#to = this.#from + rows;
    else {
      let left = rows;
      let at = this.#from;
      while (at < count && (repetitions[at] !== 0 || left-- > 0)) at++;
      this.#to = at;
    }
    this.#valuesHere = this.#to - this.#from;
    if (definitions === undefined) return;
    const { maxDefinition } = this.#leaf;
    let there = 0;
    for (let i = this.#from; i < this.#to; i++) if (definitions[i] === maxDefinition) there++;
    this.#valuesHere = there;
  }

  /** Positions where a node with this repetition level begins and is present. */
  slots(repeats: number, filled: number): Uint32Array {
    const { repetitions, definitions } = this.#chunk;
    const found = new Uint32Array(this.#to - this.#from);
    let count = 0;
    for (let i = this.#from; i < this.#to; i++) {
      if ((repetitions?.[i] ?? 0) <= repeats && (definitions?.[i] ?? 0) >= filled) found[count++] = i;
    }
    return found.subarray(0, count);
  }

  validity(slots: Uint32Array, present: number): { readonly nulls: number; readonly bits: Uint8Array } {
    const { definitions } = this.#chunk;
    if (definitions === undefined || present === 0) return { nulls: 0, bits: NOTHING };
    const bits = new Uint8Array((slots.length + 7) >> 3);
    let nulls = 0;
    for (const [i, slot] of slots.entries()) {
      if ((definitions[slot] ?? 0) >= present) bits[i >> 3] = (bits[i >> 3] ?? 0) | (1 << (i & 7));
      else nulls++;
    }
    return nulls === 0 ? { nulls, bits: NOTHING } : { nulls, bits };
  }

  offsets(slots: Uint32Array, repeats: number, filled: number): Uint8Array {
    const elements = this.slots(repeats, filled);
    const offsets = new Int32Array(slots.length + 1);
    let at = 0;
    for (const [i, slot] of slots.entries()) {
      while (at < elements.length && (elements[at] ?? 0) < slot) at++;
      offsets[i] = at;
    }
    offsets[slots.length] = elements.length;
    return new Uint8Array(offsets.buffer);
  }

  values(body: Body, slots: Uint32Array, present: number): void {
    const { values, definitions } = this.#chunk;
    const { type } = this.#leaf;
    if (values.count < this.#valuesBefore + this.#valuesHere) {
      throw new ParquetFault("A column of it has fewer values than it says.");
    }
    const isThere = (slot: number): boolean => definitions === undefined || (definitions[slot] ?? 0) >= present;
    if (values instanceof Texts) {
      const { offsets: from, data } = values;
      const begin = from[this.#valuesBefore] ?? 0;
      const offsets = new Int32Array(slots.length + 1);
      let at = this.#valuesBefore;
      for (const [i, slot] of slots.entries()) {
        offsets[i] = (from[at] ?? 0) - begin;
        if (isThere(slot)) at++;
      }
      const end = from[at] ?? 0;
      offsets[slots.length] = end - begin;
      const bytes = data.subarray(begin, end);
      body.buffers.push(new Uint8Array(offsets.buffer), bytes);
      return;
    }
    if (type.arrow.kind === "boolean") {
      const bits = new Uint8Array((slots.length + 7) >> 3);
      let at = this.#valuesBefore;
      for (const [i, slot] of slots.entries()) {
        if (isThere(slot)) bits[i >> 3] = (bits[i >> 3] ?? 0) | ((values.bytes[at++] ?? 0) << (i & 7));
      }
      body.buffers.push(bits);
      return;
    }
    body.buffers.push(this.#spread(values, slots, isThere));
  }

  #spread({ bytes: from, width }: Fixed, slots: Uint32Array, isThere: (slot: number) => boolean): Uint8Array {
    const begin = this.#valuesBefore * width;
    if (slots.length === this.#valuesHere) return from.subarray(begin, begin + slots.length * width);
    const bytes = new Uint8Array(slots.length * width);
    let at = begin;
    for (const [i, slot] of slots.entries()) {
      if (!isThere(slot)) continue;
      bytes.set(from.subarray(at, at + width), i * width);
      at += width;
    }
    return bytes;
  }
}
