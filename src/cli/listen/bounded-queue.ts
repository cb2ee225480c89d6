/** What came and has not been dealt with yet, in the order it came in. */
export interface BoundedQueue<Item> {
  /** Answers whether there was room for it. */
  offer(item: Item, bytes: number): boolean;
  /** What is in the line and what comes, until it is closed and empty. To be read once. */
  items(): AsyncGenerator<Item, void>;
  /** Takes nothing more. With an error what is waiting is not handed out any more: the error is. */
  close(error?: unknown): void;
  readonly length: number;
}

const mostBytes = 64 * 1_048_576;
const mostItems = 10_000;

export function createBoundedQueue<Item>(): BoundedQueue<Item> {
  const items: { readonly item: Item; readonly bytes: number }[] = [];
  let heldBytes = 0;
  let isClosed = false;
  let failure: { readonly error: unknown } | undefined;
  let wake = () => {};
  return {
    offer(item, bytes) {
      if (isClosed || items.length >= mostItems || heldBytes + bytes > mostBytes) return false;
      items.push({ item, bytes });
      heldBytes += bytes;
      wake();
      return true;
    },
    async *items() {
      for (;;) {
        if (failure !== undefined) throw failure.error;
        const first = items.shift();
        if (first !== undefined) {
          heldBytes -= first.bytes;
          yield first.item;
        } else if (isClosed) {
          return;
        } else {
          const { promise, resolve } = Promise.withResolvers<void>();
          wake = resolve;
          await promise;
        }
      }
    },
    close(error) {
      isClosed = true;
      if (error !== undefined) failure ??= { error };
      wake();
    },
    get length() {
      return items.length;
    },
  };
}
