import type { ConsistencyReport } from '../../client/pagination/consistency.ts';
import { SalonError } from '../../contract/errors.ts';
import { renderCount } from '../../contract/numbers.ts';
import type { Messages } from '../messages/messages.ts';

/** Reports how complete a list of several pages is: always with -v, else if it changed while it was read. */
export function reportConsistency(
  report: ConsistencyReport | undefined,
  noun: string,
  messages: Messages,
): void {
  if (report === undefined || report.pages < 2) return;
  const print = isUnchanged(report) ? messages.verbose : messages.info;
  print(renderConsistency(report, noun));
}

function isUnchanged({ kind, rows, distinct, firstTotal, lastTotal, versions }: ConsistencyReport): boolean {
  if (kind === 'exact') return true;
  return (
    kind === 'consistent' &&
    firstTotal === lastTotal &&
    rows === distinct &&
    versions?.first === versions?.last
  );
}

/** `Read 1,000 clients, 1,000 distinct; server total 1,000 at first, 1,001 at last: consistent` */
export function renderConsistency(report: ConsistencyReport, noun: string): string {
  const { rows, distinct, firstTotal, lastTotal, kind } = report;
  const total =
    firstTotal === undefined || lastTotal === undefined
      ? 'no total from the server'
      : `server total ${renderCount(firstTotal)} at first, ${renderCount(lastTotal)} at last`;
  return `Read ${renderCount(rows)} ${noun}, ${renderCount(distinct)} distinct; ${total}: ${kind}`;
}

/** The error for a list that was read to its end and does not match the server's total. */
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
