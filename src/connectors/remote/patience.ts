/** How long a call waits at each of its turns, by one timer: each is half a percent of what a short query costs workerd. */
export class Patience {
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the timer goes off; it may go off before the wait that it is looked at for is over. */
  #looksAt = Number.POSITIVE_INFINITY;
  #until = 0;
  #over: (() => void) | undefined;

  /** `over` is called unless `end` comes within so many milliseconds. Takes the place of the wait before. */
  begin(milliseconds: number, over: () => void): void {
    this.#until = Date.now() + milliseconds;
    this.#over = over;
    if (this.#looksAt > this.#until) this.#look(milliseconds);
  }

  /** What was waited for has come; the timer stays for the next wait. */
  end(): void {
    this.#over = undefined;
  }

  /** Nothing more will be waited for. */
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
      // Timers may go off a little early.
      if (left > 1) return this.#look(left);
      this.stop();
      over();
    }, milliseconds);
  }
}
