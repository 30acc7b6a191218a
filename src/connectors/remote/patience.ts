/**
 * Time limits for the successive waits of a call, with one timer: each timer is half a percent of the cost of a short query in
 * workerd.
 */
export class Patience {
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the timer fires, which may be before the current wait ends. */
  #looksAt = Number.POSITIVE_INFINITY;
  #until = 0;
  #over: (() => void) | undefined;

  /** `over` is called unless `end` is called within `milliseconds`. Replaces the previous wait. */
  begin(milliseconds: number, over: () => void): void {
    this.#until = Date.now() + milliseconds;
    this.#over = over;
    if (this.#looksAt > this.#until) this.#look(milliseconds);
  }

  /** The wait is over; the timer stays for the next wait. */
  end(): void {
    this.#over = undefined;
  }

  /** Ends all waiting. */
  stop(): void {
    this.end();
    clearTimeout(this.#timer);
    this.#looksAt = Number.POSITIVE_INFINITY;
  }

  #look(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#looksAt = Date.now() + milliseconds;
    this.#timer = setTimeout(() => {
      this.#looksAt = Number.POSITIVE_INFINITY;
      const over = this.#over;
      if (over === undefined) return;
      const left = this.#until - Date.now();
      // Timers may fire slightly early.
      if (left > 1) return this.#look(left);
      this.stop();
      over();
    }, milliseconds);
  }
}
