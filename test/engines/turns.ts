/** Statements for engines that take several at once, and for those that take one after another. */

/** `work` for each, in order, `atOnce` of them at a time. */
export async function inTurns<T>(atOnce: number, all: readonly T[], work: (each: T) => Promise<void>): Promise<void> {
  const each = all.values();
  const worker = async (): Promise<void> => {
    for (const one of each) await work(one);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Runs what it is given when all that it was given before has ended, however that did: for a connection of PostgreSQL. */
export function oneByOne(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}
