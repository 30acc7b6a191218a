/** Everything that an import could not map: the object, the reason, and the position in the file. */
import type { FilePosition } from "../exit.ts";
import { faultText } from "../output/faults.ts";

/** `refused`: the object is not imported. `left out`: the object is imported without a part that changes no number. */
export type RemarkKind = "refused" | "left out";

export interface Remark {
  readonly kind: RemarkKind;
  /** Kind and name, such as `metric "revenue"`. */
  readonly object: string;
  readonly reason: string;
  readonly at?: FilePosition | undefined;
}

export class ImportReport {
  readonly #remarks: Remark[] = [];
  readonly #known = new Set<string>();

  get remarks(): readonly Remark[] {
    return this.#remarks;
  }

  refuse(object: string, reason: string, at?: FilePosition): void {
    this.#add({ kind: "refused", object, reason, at });
  }

  leaveOut(object: string, reason: string, at?: FilePosition): void {
    this.#add({ kind: "left out", object, reason, at });
  }

  #add(remark: Remark): void {
    const { kind, object, reason, at } = remark;
    const key = JSON.stringify([kind, object, reason, at?.file, at?.line, at?.column]);
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.#remarks.push(remark);
  }

  text(): string {
    const lines = this.#remarks.map(({ kind, object, reason, at }) => {
      const message = `${object}: ${reason}`;
      return faultText({ message, at }).replace(/error: /, `${kind}: `);
    });
    const refused = this.#remarks.filter(({ kind }) => kind === "refused").length;
    return `${lines.join("")}${refused} refused, ${this.#remarks.length - refused} left out.\n`;
  }

  json(): string {
    const remarks = this.#remarks.map(({ at, ...remark }) => ({
      ...remark,
      ...(at !== undefined && { file: at.file, line: at.line, column: at.column }),
    }));
    return `${JSON.stringify({ remarks }, null, 2)}\n`;
  }
}
