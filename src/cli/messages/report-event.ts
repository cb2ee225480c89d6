import type { ClientEvent } from '../../client/events.ts';
import { renderWait } from '../../client/rate-limit/rate-limit.ts';
import type { Messages } from './messages.ts';
import type { StatusLine } from './status-line.ts';

/** Says what a client does, as loudly as it deserves: requests with --debug, retries with --verbose, warnings always. */
export function reportEvent(event: ClientEvent, messages: Messages): void {
  switch (event.type) {
    case 'request':
      messages.debug(() => `→ ${event.method} ${event.url}${renderHeaders(event.headers())}`);
      break;
    case 'answer':
      messages.debug(() => {
        const facts = `${event.bodyBytes} bytes, ${Math.round(event.tookMs)} ms`;
        return `← ${event.status} ${event.method} ${event.url} (${facts})${renderHeaders(event.headers())}`;
      });
      break;
    case 'retry':
      messages.verbose(`${event.reason}; trying again in ${(event.waitMs / 1000).toFixed(1)} s`);
      break;
    case 'waiting':
      messages.verbose(`waiting for the limit, ${renderWait(event.waitMs)} left`);
      break;
    case 'finishing':
      messages.info('Finishing what is under way; Ctrl-C once more quits at once.');
      break;
    case 'learned':
      messages.verbose(`learned of this server: ${event.part} is ${JSON.stringify(event.value)}`);
      break;
    case 'warning':
      messages.warn(event.message);
      break;
  }
}

/** A wait that a person would take for a standstill. */
const longWaitMs = 1_000;

/** Shows a person what a client waits for, and how long still. */
export function showWaiting(event: ClientEvent, status: StatusLine, now: () => number): void {
  if (event.type === 'request') status.hide('wait');
  if ((event.type !== 'waiting' && event.type !== 'retry') || event.waitMs < longWaitMs) return;
  const untilMs = now() + event.waitMs;
  const purpose = event.type === 'waiting' ? 'for the limit' : 'to try again';
  status.show('wait', () => `waiting ${purpose}, ${renderWait(Math.max(0, untilMs - now()))} left`);
}

function renderHeaders(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `\n    ${name}: ${value}`)
    .join('');
}
