import { SalonError } from '../../contract/errors.ts';
import { countOf } from '../../contract/numbers.ts';
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

/** Regularly compares received events with the service's delivery log. */
export interface MissedEventPoller extends Disposable {
  /**
   * Reads the log now and fetches missed events. Returns whether more remain for which there was no room. Never
   * throws.
   */
  look(untilMs: number): Promise<boolean>;
}

/** How long a delivery may take before it counts as missed. */
const graceMs = 60_000;

export function startMissedEventPoller(options: MissedEventPollerOptions): MissedEventPoller {
  const { intake, registration, messages, now, everyMs = 60_000 } = options;
  let isFailing = false;
  let isOff = false;
  let looking = Promise.resolve(false);
  const timer = setInterval(() => void look(now().getTime() - graceMs), everyMs);
  return { look, [Symbol.dispose]: () => clearInterval(timer) };

  /** Runs one check at a time. */
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
      fail(thrown);
      return false;
    }
  }

  function fail(thrown: unknown): void {
    if (!(thrown instanceof SalonError)) {
      intake.close(thrown);
    } else if (thrown.code === 'not_found') {
      const message = 'The endpoint was deleted at the service.';
      intake.close(
        new SalonError('not_found', message, { hint: 'Restart the listener to register a new one.' }),
      );
    } else {
      if (!isFailing) {
        messages.warn(
          `Cannot check for missed events: ${thrown.message} Incoming events are still processed.`,
        );
      }
      isFailing = true;
    }
  }
}
