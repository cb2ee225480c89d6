import type { WrittenPages } from '../../bulk/export/write-pages.ts';
import type { ConsistencyReport } from '../../client/pagination/consistency.ts';
import { SalonError } from '../../contract/errors.ts';
import { countOf, renderCount } from '../../contract/numbers.ts';
import type { Messages } from '../messages/messages.ts';

/** Says how sure a list of several pages is: with -v always, else when there is something to know. */
export function reportConsistency(
  verdict: ConsistencyReport | undefined,
  noun: string,
  messages: Messages,
): void {
  if (verdict === undefined || verdict.pages < 2) return;
  const tell = isPlain(verdict) ? messages.verbose : messages.info;
  tell(renderConsistency(verdict, noun));
}

/** Whether the list was one moment's, or looked as if it had stood still. */
function isPlain({ kind, rows, distinct, firstTotal, lastTotal, versions }: ConsistencyReport): boolean {
  if (kind === 'exact') return true;
  const stoodStill = firstTotal === lastTotal && rows === distinct && versions?.first === versions?.last;
  return kind === 'consistent' && stoodStill;
}

/** `1,000 clients read, 1,000 distinct; the server counted 1,000 at first and 1,000 at last: consistent`. */
export function renderConsistency(verdict: ConsistencyReport, noun: string): string {
  const { rows, distinct, firstTotal, lastTotal, kind } = verdict;
  const counted =
    firstTotal === undefined || lastTotal === undefined
      ? 'the server counts none'
      : `the server counted ${renderCount(firstTotal)} at first and ${renderCount(lastTotal)} at last`;
  return `${renderCount(rows)} ${noun} read, ${renderCount(distinct)} distinct; ${counted}: ${kind}`;
}

/** A list that was read to its end and still is not what the server says it is. */
export function toDisagreementError({ distinct, lastTotal }: ConsistencyReport, noun: string): SalonError {
  const counted = lastTotal === undefined || lastTotal <= distinct ? undefined : renderCount(lastTotal);
  const message =
    counted === undefined
      ? `No two readings of the ${noun} agreed.`
      : `The server counts ${counted} ${noun}, but only ${renderCount(distinct)} came.`;
  return new SalonError('unexpected_response', message, {
    hint: 'The list may have changed all the while; run it again when it rests.',
    retryable: true,
    members: { verdict: 'disagreement' },
  });
}

export interface Counted {
  readonly noun: string;
  readonly limit: number;
  /** The file they were written to, as it was asked for. */
  readonly output: string | undefined;
  readonly messages: Messages;
}

/** Says how many there are beyond a limit, or what a file has. */
export function reportCounts(
  { rows, written, total }: Pick<WrittenPages, 'rows' | 'written' | 'total'>,
  { noun, limit, output, messages }: Counted,
): void {
  if (total !== undefined && rows < total && rows >= limit) {
    messages.info(`${renderCount(rows)} of ${renderCount(total)} ${noun}`);
  } else if (output !== undefined) {
    messages.info(`${countOf(written, noun)} written to ${output}`);
  }
}
