/**
 * Works on items as they come, so many at once, until there are no more or `mayGoOn` says no: then answers those that
 * were taken and not worked on, one at least where any are left. What is under way is waited for also when one fails;
 * then the first failure is thrown.
 */
export async function forEachConcurrent<Item>(
  items: AsyncIterable<Item>,
  {
    most,
    mayGoOn,
    work,
  }: {
    readonly most: number;
    readonly mayGoOn: () => boolean;
    readonly work: (item: Item) => Promise<void>;
  },
): Promise<readonly Item[]> {
  const source = items[Symbol.asyncIterator]();
  const left: Item[] = [];
  let failure: { readonly cause: unknown } | undefined;

  async function takeTurns(): Promise<void> {
    while (failure === undefined && mayGoOn()) {
      const next = await source.next();
      if (next.done) return;
      // It may have been long in coming.
      if (mayGoOn()) await work(next.value);
      else left.push(next.value);
    }
  }

  const turns = Array.from({ length: most }, () =>
    takeTurns().catch((cause: unknown) => {
      failure ??= { cause };
    }),
  );
  await Promise.all(turns);
  const next = failure === undefined ? await source.next() : undefined;
  if (next !== undefined && !next.done) left.push(next.value);
  await source.return?.();
  if (failure !== undefined) throw failure.cause;
  return left;
}
