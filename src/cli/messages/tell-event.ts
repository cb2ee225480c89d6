import type { ClientEvent } from '../../client/events.ts';
import { renderWait } from '../../client/rate-limit/limit-reached.ts';
import type { StatusLine } from '../output/status-line.ts';
import type { Talk } from './talk.ts';

/** Says what a client does, as loudly as it deserves: requests with --debug, retries with --verbose, warnings always. */
export function tellEvent(event: ClientEvent, talk: Talk): void {
  switch (event.type) {
    case 'request':
      talk.trace(() => `→ ${event.method} ${event.url}${renderHeaders(event.headers())}`);
      break;
    case 'answer':
      talk.trace(() => {
        const facts = `${event.bodyBytes} bytes, ${Math.round(event.tookMs)} ms`;
        return `← ${event.status} ${event.method} ${event.url} (${facts})${renderHeaders(event.headers())}`;
      });
      break;
    case 'retry':
      talk.explain(`${event.reason}; trying again in ${(event.waitMs / 1000).toFixed(1)} s`);
      break;
    case 'waiting':
      talk.explain(`waiting for the limit, ${renderWait(event.waitMs)} left`);
      break;
    case 'finishing':
      talk.say('Finishing what is under way; Ctrl-C once more quits at once.');
      break;
    case 'learned':
      talk.explain(`learned of this server: ${event.part} is ${JSON.stringify(event.value)}`);
      break;
    case 'warning':
      talk.warn(event.message);
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
