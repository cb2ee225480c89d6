import type { ClientEvent } from '../../client/events.ts';
import { renderWait } from '../../client/rate-limit/rate-limit-headers.ts';
import { cleanText } from '../../text/clean-text.ts';
import type { Io } from '../io.ts';
import { type EventMask, type RequestEvent, renderEvent } from './request-trace.ts';

/** Messages on standard error. With --quiet, `info` and `warn` are silent. */
export type Messages = ReturnType<typeof createMessages>;

interface MessageLevel {
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly debug: boolean;
  /** For --debug. */
  readonly mask: EventMask;
  /** The flag --trace. */
  readonly watchers: readonly ((event: RequestEvent) => void)[];
  /** Messages that are not repeated. */
  readonly said: Set<string>;
}

export function createMessages(
  io: Pick<Io, 'stderr' | 'now'>,
  { quiet, verbose, debug, mask, watchers, said }: MessageLevel,
) {
  const saidBefore = new Set(said);
  const line = (text: string): void => {
    said.add(text);
    if (!saidBefore.has(text)) io.stderr.write(`${text.split('\n').map(cleanText).join('\n')}\n`);
  };
  const silent = (_text: string) => {};
  const isVerbose = verbose || debug;
  const logger = (event: RequestEvent) => line(renderEvent(event, { mask, now: io.now() }));
  const listeners = debug ? [logger, ...watchers] : watchers;
  return {
    info: quiet ? silent : line,
    warn: quiet ? silent : (text: string) => line(`warning: ${text}`),
    /** Shown also with --quiet: what a flag asks for. */
    show: line,
    verbose: isVerbose ? line : silent,
    isVerbose,
    /** Shows a request, a response or a failure with --debug, and passes it on to --trace. */
    request(event: RequestEvent): void {
      for (const listener of listeners) listener(event);
    },
    /** Whether `request` does anything. */
    watchesRequests: listeners.length > 0,
  };
}

/** Writes an event of the client as a message of the level that fits it. */
export function reportEvent(event: ClientEvent, messages: Messages): void {
  switch (event.type) {
    case 'request':
    case 'response':
    case 'failure':
      messages.request(event);
      break;
    case 'retry':
      messages.verbose(`${event.reason}; retrying in ${(event.waitMs / 1000).toFixed(1)} s`);
      break;
    case 'waiting':
      messages.verbose(`waiting for the rate limit, ${renderWait(event.waitMs)} left`);
      break;
    case 'finishing':
      messages.info('Finishing the requests in progress. Press Ctrl-C again to quit now.');
      break;
    case 'learned':
      messages.verbose(`detected on this server: ${event.part} = ${JSON.stringify(event.value)}`);
      break;
    case 'warning':
      messages.warn(event.message);
      break;
  }
}
