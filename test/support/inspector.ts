/** The memory of a JavaScript engine, by the protocol of its debugger. */
export interface Heap {
  /** Bytes in use, garbage that has not been collected included. */
  readonly used: number;
  /** Bytes outside the heap that its objects hold: buffers. 0 where the engine does not tell. */
  readonly buffers: number;
}

export interface Inspector {
  heap(): Promise<Heap>;
  /** Resolves when it has been done. An isolate of workerd does it when it next runs, which may be never. */
  collectGarbage(): Promise<void>;
  close(): void;
}

/** Speaks the debugger's protocol. `address`: a `ws:` address, or the base of workerd's inspector, whose Worker is `worker`. */
export async function inspect(address: string, worker = ""): Promise<Inspector> {
  const url = address.startsWith("ws:") ? address : `${address.replace("http:", "ws:")}/${worker}`;
  // wrangler's lets nobody in who does not say where he comes from.
  const socket = new WebSocket(url, { headers: { origin: "http://localhost" } });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const gone = new Error("The inspector has gone.");
  let last = 0;
  socket.addEventListener("message", ({ data }) => {
    const answer = JSON.parse(String(data)) as { readonly id?: number; readonly result?: unknown };
    if (answer.id === undefined) return;
    waiting.get(answer.id)?.resolve(answer.result);
    waiting.delete(answer.id);
  });
  socket.addEventListener("close", () => {
    for (const { reject } of waiting.values()) reject(gone);
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve, { once: true });
    socket.addEventListener("error", () => reject(new Error(`No inspector answers at ${url}.`)), { once: true });
  });
  const call = (method: string): Promise<unknown> => {
    if (socket.readyState !== WebSocket.OPEN) return Promise.reject(gone);
    const id = ++last;
    const answered = Promise.withResolvers<unknown>();
    waiting.set(id, answered);
    socket.send(JSON.stringify({ id, method }));
    return answered.promise;
  };
  return {
    async heap() {
      const usage = (await call("Runtime.getHeapUsage")) as {
        readonly usedSize: number;
        readonly backingStorageSize?: number;
      };
      return { used: usage.usedSize, buffers: usage.backingStorageSize ?? 0 };
    },
    async collectGarbage() {
      await call("HeapProfiler.collectGarbage");
    },
    close: () => socket.close(),
  };
}
