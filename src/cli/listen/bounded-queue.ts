/** A queue with a limit on items and bytes. */
export interface BoundedQueue<Item> {
  /** Returns false if there is no room. */
  offer(item: Item, bytes: number): boolean;
  /** Queued and future items, until closed and empty. To be read once. */
  items(): AsyncGenerator<Item, void>;
  /** Accepts nothing more. With an error, queued items are dropped and the error is thrown. */
  close(error?: unknown): void;
  readonly length: number;
}

const maxBytes = 64 * 1_048_576;
const maxItems = 10_000;

export function createBoundedQueue<Item>(): BoundedQueue<Item> {
  const items: { readonly item: Item; readonly bytes: number }[] = [];
  let heldBytes = 0;
  let isClosed = false;
  let failure: { readonly error: unknown } | undefined;
  let wake = () => {};
  return {
    offer(item, bytes) {
      if (isClosed || items.length >= maxItems || heldBytes + bytes > maxBytes) return false;
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
