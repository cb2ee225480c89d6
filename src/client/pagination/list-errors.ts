import { SalonError } from '../../contract/errors.ts';
import { renderCount } from '../../contract/numbers.ts';
import type { ConsistencyReport } from './consistency.ts';
import type { FetchedPage } from './page.ts';

/** Pages in a row that may have no new rows in any list; in a longer one, as many as had new rows. */
export const maxPagesWithoutNew = 10;

interface Progress {
  readonly noun: string;
  readonly rows: number;
}

/** Why rows may be missing in a list, as a sentence. */
export function describeDoubt(report: ConsistencyReport | undefined, noun: string): string | undefined {
  const { contradiction } = report ?? {};
  return contradiction && `The list of ${noun} may be incomplete: ${contradiction}.`;
}

/** The refusal to change what was selected over a doubtful list. */
export function unproven(doubt: string): SalonError {
  return new SalonError('confirmation_required', `${doubt} Nothing was changed.`, {
    hint: `${settings} To change only what was read, use --allow-unproven.`,
    members: { verdict: 'not proven' },
  });
}

const settings =
  'Set how its lists are paged: "salon profiles set <profile> paging <style>" and "… page_parameter <name>" (docs/other-servers.md).';

/** A page that says that there is more, but not how to read it. */
export function notReadable({ info, page }: FetchedPage<unknown>, noun: string): SalonError {
  return new SalonError(
    'unexpected_response',
    `The server says that there are more ${noun} (${info.more}), but page ${page} does not show how to read them.`,
    { hint: settings, members: { page, says_more: info.more } },
  );
}

export function pageRepeated(last: FetchedPage<unknown>, page: number, { rows }: Progress): SalonError {
  const { more } = last.info;
  const reason = more === undefined ? '' : `, although the server says that there is more (${more})`;
  return new SalonError(
    'page_repeated',
    `Page ${page} repeats the page before it${reason} (${rows} rows were read).`,
    { hint: settings, members: { page, rows_read: rows } },
  );
}

/** `pages`: how many in a row had nothing new; undefined if the page links to one that was read. */
export function endless(
  { page }: FetchedPage<unknown>,
  { noun, rows, pages }: Progress & { readonly pages: number | undefined },
): SalonError {
  const reason =
    pages === undefined
      ? `page ${page} links to a page that was read before`
      : `the last ${pages} pages had no new ones`;
  return new SalonError(
    'page_repeated',
    `The list of ${noun} does not end: ${reason} (${rows} rows were read).`,
    { hint: settings, members: { page, rows_read: rows } },
  );
}

/** A list that was read to its end and does not match the server's total. */
export function toDisagreementError({ distinct, lastTotal }: ConsistencyReport, noun: string): SalonError {
  const isMissingRows = lastTotal !== undefined && lastTotal > distinct;
  const message = isMissingRows
    ? `The server reports ${renderCount(lastTotal)} ${noun}, but sent only ${renderCount(distinct)}.`
    : `The ${noun} were different each time they were read.`;
  return new SalonError('unexpected_response', message, {
    hint: 'The list may have changed meanwhile. Run the command again later.',
    retryable: true,
    members: { verdict: 'disagreement' },
  });
}

export function notNumbered(page: number): SalonError {
  return new SalonError('unexpected_response', `This server cannot return page ${page} by its number.`, {
    hint: 'Read the list from the start.',
  });
}
