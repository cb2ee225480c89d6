import { toDisagreementError } from './list-errors.ts';
import type { Page } from './page.ts';
import type { PagedList } from './paginate.ts';

/**
 * The pages of a list that is needed whole. Throws `unexpected_response` at its end if rows are missing: the server
 * counts more of them than it sent.
 */
export async function* readWhole<T>(list: PagedList<T>, noun: string): AsyncGenerator<Page<T>, void> {
  yield* list;
  const report = list.consistency();
  if (report?.kind === 'disagreement') throw toDisagreementError(report, noun);
}

export async function takeFirst<T>(list: AsyncIterable<Page<T>>): Promise<Page<T> | undefined> {
  for await (const page of list) return page;
  return undefined;
}
