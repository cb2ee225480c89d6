import type { ClientEvent } from '../client/events.ts';
import type { Talk } from './talk.ts';

/** Says what a client does, as loudly as it deserves: requests with --debug, retries with --verbose, warnings always. */
export function tellEvent(event: ClientEvent, talk: Talk): void {
  switch (event.type) {
    case 'request':
      talk.trace(`→ ${event.method} ${event.url}`);
      traceHeaders(event.headers, talk);
      break;
    case 'answer':
      talk.trace(
        `← ${event.status} ${event.method} ${event.url} (${event.bodyBytes} bytes, ${Math.round(event.tookMs)} ms)`,
      );
      traceHeaders(event.headers, talk);
      break;
    case 'retry':
      talk.explain(`${event.reason}; trying again in ${(event.waitMs / 1000).toFixed(1)} s`);
      break;
    case 'learned':
      talk.explain(`learned of this server: ${event.part} is ${JSON.stringify(event.value)}`);
      break;
    case 'warning':
      talk.warn(event.message);
      break;
  }
}

function traceHeaders(headers: Readonly<Record<string, string>>, talk: Talk): void {
  for (const [name, value] of Object.entries(headers)) talk.trace(`    ${name}: ${value}`);
}
