import { describe, expect, it } from 'vitest';
import { emptyGapLedger, GapLedger } from '../../../src/cli/listen/gap-ledger.ts';
import { startMissedEventPoller } from '../../../src/cli/listen/missed-event-poller.ts';
import type { Registration } from '../../../src/cli/listen/registration.ts';
import { SalonError } from '../../../src/contract/errors.ts';

const registration: Registration = {
  secret: '',
  ledger: new GapLedger(emptyGapLedger(0)),
  aliveAtMs: undefined,
  disabledAt: undefined,
  async *readMissed() {},
  isActive: async () => true,
  saveSoon() {},
  save() {},
  remove: async () => {},
};

function watch(change: Partial<Registration>, fetchMissed: () => Promise<number> = async () => 0) {
  const printed: string[] = [];
  const closed = Promise.withResolvers<unknown>();
  const messages = {
    info: (text: string) => void printed.push(text),
    warn: (text: string) => void printed.push(text),
  };
  const started = startMissedEventPoller({
    intake: {
      fetchMissed: async () => ({ count: await fetchMissed(), hasMore: false }),
      close: closed.resolve,
    },
    registration: { ...registration, ...change },
    messages,
    now: () => new Date(0),
    everyMs: 1,
  });
  return { printed, closed: closed.promise, watch: started };
}

describe('the missed-event poller', () => {
  it('polls regularly and reports missed events', async () => {
    const looks = Promise.withResolvers<void>();
    let count = 0;
    const started = watch({}, async () => {
      count += 1;
      if (count === 3) looks.resolve();
      return count === 2 ? 5 : 0;
    });
    using _ = started.watch;
    await looks.promise;
    expect(started.printed).toEqual(['Fetched 5 missed events from the log.']);
  });

  it('warns once when the service is down and once when it is back', async () => {
    let isThere = false;
    const started = watch({
      isActive: async () => {
        if (isThere) return true;
        throw new SalonError('connection_failed', 'No connection.');
      },
    });
    using own = started.watch;
    await own.look(0);
    await own.look(0);
    isThere = true;
    await own.look(0);
    expect(started.printed).toEqual([
      'Cannot check for missed events: No connection. Incoming events are still processed.',
      'The service responds again.',
    ]);
  });

  it('warns once when the endpoint is disabled', async () => {
    const started = watch({ isActive: async () => false });
    using own = started.watch;
    await own.look(0);
    await own.look(0);
    expect(started.printed).toEqual([expect.stringContaining('The service disabled the endpoint')]);
  });

  it('stops the listener when the endpoint is gone or polling fails unexpectedly', async () => {
    const gone = watch({ isActive: () => Promise.reject(new SalonError('not_found', 'Gone.')) });
    using _gone = gone.watch;
    expect(await gone.closed).toMatchObject({ code: 'not_found' });
    const fault = watch({ isActive: () => Promise.reject(new TypeError('fault')) });
    using _fault = fault.watch;
    expect(await fault.closed).toBeInstanceOf(TypeError);
  });
});
