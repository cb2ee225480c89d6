/**
 * Works on items as they come, so many at once, until there are no more or `mayGoOn` says no: then answers whether
 * any are left. What is under way is waited for also when one fails; then the first failure is thrown.
 */
export async function workSideBySide<Item>(
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
): Promise<{ readonly areLeft: boolean }> {
  const source = items[Symbol.asyncIterator]();
  let failure: { readonly cause: unknown } | undefined;

  async function takeTurns(): Promise<void> {
    while (failure === undefined && mayGoOn()) {
      const next = await source.next();
      if (next.done) return;
      await work(next.value);
    }
  }

  const turns = Array.from({ length: most }, () =>
    takeTurns().catch((cause: unknown) => {
      failure ??= { cause };
    }),
  );
  await Promise.all(turns);
  const areLeft = failure === undefined && !(await source.next()).done;
  await source.return?.();
  if (failure !== undefined) throw failure.cause;
  return { areLeft };
}
