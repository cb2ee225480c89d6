import { SalonError } from '../../contract/errors.ts';
import { countOf } from '../../text/numbers.ts';
import type { Messages } from '../messages/messages.ts';
import type { EventIntake } from './event-intake.ts';
import type { Registration } from './registration.ts';

export interface MissedEventPollerOptions {
  readonly intake: Pick<EventIntake, 'fetchMissed' | 'close'>;
  readonly registration: Registration;
  readonly messages: Pick<Messages, 'info' | 'warn'>;
  readonly now: () => Date;
  /** How often to read the delivery log; default: a minute. */
  readonly everyMs?: number;
}

/** How long a delivery may take before it counts as missed. */
const graceMs = 60_000;

/** Regularly compares received events with the service's delivery log. */
export type MissedEventPoller = ReturnType<typeof startMissedEventPoller>;

export function startMissedEventPoller(options: MissedEventPollerOptions) {
  const { intake, registration, messages, now, everyMs = 60_000 } = options;
  let isFailing = false;
  let isOff = false;
  let looking = Promise.resolve(false);
  const timer = setInterval(() => void look(now().getTime() - graceMs), everyMs);
  return { look, [Symbol.dispose]: () => clearInterval(timer) };

  /**
   * Reads the log now and fetches missed events, one check at a time. Returns whether more remain for which there was
   * no room. Never throws.
   */
  function look(untilMs: number): Promise<boolean> {
    looking = looking.then(() => compare(untilMs));
    return looking;
  }

  async function compare(untilMs: number): Promise<boolean> {
    try {
      const isActive = await registration.isActive();
      if (!isActive && !isOff) {
        messages.warn('The service disabled the endpoint. Restart the listener to enable it.');
      }
      isOff = !isActive;
      const { count, hasMore } = await intake.fetchMissed(registration, untilMs);
      if (count > 0) messages.info(`Fetched ${countOf(count, 'missed events')} from the log.`);
      if (isFailing) messages.info('The service responds again.');
      isFailing = false;
      return hasMore;
    } catch (thrown) {
      if (!(thrown instanceof SalonError)) {
        intake.close(thrown);
      } else if (thrown.code === 'not_found') {
        const hint = 'Restart the listener to register a new one.';
        intake.close(new SalonError('not_found', 'The endpoint was deleted at the service.', { hint }));
      } else {
        const message = `Cannot check for missed events: ${thrown.message} Incoming events are still processed.`;
        if (!isFailing) messages.warn(message);
        isFailing = true;
      }
      return false;
    }
  }
}
