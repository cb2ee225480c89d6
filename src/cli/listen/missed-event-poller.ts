import { SalonError } from '../../contract/errors.ts';
import { countOf } from '../../contract/numbers.ts';
import type { Messages } from '../messages/messages.ts';
import type { EventIntake } from './event-intake.ts';
import type { Registration } from './registration.ts';

export interface MissedEventPollerOptions {
  readonly listening: Pick<EventIntake, 'fetchMissed' | 'close'>;
  readonly registration: Registration;
  readonly messages: Pick<Messages, 'info' | 'warn'>;
  readonly now: () => Date;
  /** How often the log is looked into; a minute. */
  readonly everyMs?: number;
}

/** Compares again and again what came with what the service says it sent. */
export interface MissedEventPoller extends Disposable {
  /**
   * Looks into the log at once. What was sent by then and has not come is fetched. Answers whether there is more of it
   * than there was room for. Never throws.
   */
  look(untilMs: number): Promise<boolean>;
}

/** How long a delivery may be on its way before it counts as missed. */
const graceMs = 60_000;

export function startMissedEventPoller(options: MissedEventPollerOptions): MissedEventPoller {
  const { listening, registration, messages, now, everyMs = 60_000 } = options;
  let isFailing = false;
  let isOff = false;
  let looking = Promise.resolve(false);
  const timer = setInterval(() => void look(now().getTime() - graceMs), everyMs);
  return { look, [Symbol.dispose]: () => clearInterval(timer) };

  /** One look after the other. */
  function look(untilMs: number): Promise<boolean> {
    looking = looking.then(() => compare(untilMs));
    return looking;
  }

  async function compare(untilMs: number): Promise<boolean> {
    try {
      const isActive = await registration.isActive();
      if (!isActive && !isOff) {
        messages.warn(
          'The service has switched the endpoint off: it sends nothing more. Start again to switch it on.',
        );
      }
      isOff = !isActive;
      const { count, hasMore } = await listening.fetchMissed(registration, untilMs);
      if (count > 0) messages.info(`${countOf(count, 'events')} had not come: fetched from the log.`);
      if (isFailing) messages.info('The service can be asked again.');
      isFailing = false;
      return hasMore;
    } catch (thrown) {
      fail(thrown);
      return false;
    }
  }

  function fail(thrown: unknown): void {
    if (!(thrown instanceof SalonError)) {
      listening.close(thrown);
    } else if (thrown.code === 'not_found') {
      const message = 'The endpoint was removed at the service: nothing would come any more.';
      listening.close(new SalonError('not_found', message, { hint: 'Start again to register another.' }));
    } else {
      if (!isFailing) {
        messages.warn(
          `Whether something is missed cannot be seen now: ${thrown.message} What comes is dealt with.`,
        );
      }
      isFailing = true;
    }
  }
}
