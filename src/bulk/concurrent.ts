/**
 * Works on items, `most` at a time, and starts none once `mayGoOn` returns false. Returns the items that were taken but
 * not worked on, at least one if any are left. After a failure, waits for the work in progress and throws the first
 * failure.
 */
export async function forEachConcurrent<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  { most, mayGoOn, work }: { most: number; mayGoOn: () => boolean; work: (item: Item) => Promise<void> },
): Promise<readonly Item[]> {
  const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const left: Item[] = [];
  let failure: { readonly cause: unknown } | undefined;

  async function runWorker(): Promise<void> {
    while (failure === undefined && mayGoOn()) {
      const next = await source.next();
      if (next.done) return;
      // Waiting for the item may have taken long.
      if (mayGoOn()) await work(next.value);
      else left.push(next.value);
    }
  }

  const workers = Array.from({ length: most }, () =>
    runWorker().catch((cause: unknown) => {
      failure ??= { cause };
    }),
  );
  await Promise.all(workers);
  const next = failure === undefined ? await source.next() : undefined;
  if (next !== undefined && !next.done) left.push(next.value);
  await source.return?.();
  if (failure !== undefined) throw failure.cause;
  return left;
}

/** Keeps the first result. A failure is not kept: "auth login" asks before the profile it creates exists. */
export function once<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let created: Promise<Value> | undefined;
  return () => {
    created ??= create().catch((error: unknown) => {
      created = undefined;
      throw error;
    });
    return created;
  };
}
