/**
 * The value of `promise`, if it comes before a timer of `milliseconds` that starts now; else an error. Both wait in one event
 * loop, so a busy machine delays both and keeps their order: nothing is measured.
 */
export async function sooner<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`a timer of ${milliseconds} ms was sooner`)), milliseconds);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
