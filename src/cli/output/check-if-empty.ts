import type { RecordPage } from './command-result.ts';

/** The same pages. If none has a row, `check` runs before they are shown; it throws if that is a mistake. */
export async function* checkIfEmpty(
  pages: AsyncIterable<RecordPage>,
  check: () => Promise<void>,
): AsyncGenerator<RecordPage> {
  const held: RecordPage[] = [];
  let isEmpty = true;
  for await (const page of pages) {
    isEmpty &&= page.rows.length === 0;
    if (isEmpty) held.push(page);
    else yield* [...held.splice(0), page];
  }
  if (isEmpty) await check();
  yield* held;
}
