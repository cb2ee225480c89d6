import { describe, expect, it } from 'vitest';
import { createEventIntake } from '../../../src/cli/listen/event-intake.ts';
import type { Registration } from '../../../src/cli/listen/registration.ts';
import type { Delivery } from '../../../src/contract/delivery.ts';
import { createGapLedger, emptyGapLedger } from '../../../src/webhooks/gap-ledger.ts';
import { bodyOf, sign, signedAt, webhookSecret } from '../../support/signed-webhook.ts';

const nowMs = signedAt.getTime();
const long = 'x'.repeat(1_048_576);

function logged(number: number, event: object | null): Delivery {
  const created_at = new Date(nowMs - 100_000 + number).toISOString();
  return { event_id: `evt_${number}`, event_type: 'client.created', event, created_at } as Delivery;
}

/** A registration whose service has these deliveries in its log. */
function registrationWith(log: readonly Delivery[]): Registration {
  const ledger = createGapLedger(emptyGapLedger(nowMs - 200_000));
  return {
    secret: webhookSecret,
    ledger,
    aliveAtMs: undefined,
    switchedOffAt: undefined,
    async *readMissed(untilMs) {
      yield* ledger.findMissed(log, untilMs);
    },
    isActive: async () => true,
    saveSoon() {},
    save() {},
    remove: async () => {},
  };
}

function open(registration?: Registration) {
  const said: string[] = [];
  const listening = createEventIntake({
    events: ['client.*', 'booking.*'],
    url: () => 'http://127.0.0.1/',
    now: () => signedAt,
    say: (text) => void said.push(text),
  });
  const begin = () => listening.start([webhookSecret], registration);
  return { listening, said, begin };
}

function message(id: string) {
  const body = bodyOf(id);
  return { headers: new Map(Object.entries(sign(id, body))), body: Buffer.from(body) };
}

describe('what comes in', () => {
  it('waits until it is known what it is signed with', async () => {
    const { listening, begin } = open();
    const taken = listening.receive(message('evt_1'));
    await new Promise(setImmediate);
    expect(listening.pending).toBe(0);
    begin();
    await taken;
    expect(listening.pending).toBe(1);
  });

  it('is not fetched where it has come, and not told again where it comes after it was fetched', async () => {
    const event = JSON.parse(bodyOf('evt_2'));
    const registration = registrationWith([logged(1, event), logged(2, event)]);
    const { listening, said, begin } = open(registration);
    begin();
    await listening.receive(message('evt_1'));
    expect(await listening.fetchMissed(registration, nowMs)).toEqual({ count: 1, hasMore: false });
    await listening.receive(message('evt_2'));
    expect([listening.pending, listening.duplicates, said]).toEqual([2, 0, []]);
    await listening.receive(message('evt_2'));
    expect([listening.duplicates, said]).toEqual([1, ['Dropped a duplicate: booking.cancelled evt_2']]);
  });

  it('passes over what the log has of a client who was erased', async () => {
    const registration = registrationWith([logged(1, null)]);
    const { listening, begin } = open(registration);
    begin();
    expect(await listening.fetchMissed(registration, nowMs)).toEqual({ count: 0, hasMore: false });
  });

  it('is fetched in pieces where there is more than there is room for: each once, in the order of the log', async () => {
    const log = Array.from({ length: 100 }, (_, number) =>
      logged(number, { id: `evt_${number}`, type: 'client.created', data: { long } }),
    );
    const registration = registrationWith(log);
    const { listening, begin } = open(registration);
    begin();
    const dealt: (string | undefined)[] = [];
    const arrivals = listening.events();
    for (let hasMore = true; hasMore; ) {
      ({ hasMore } = await listening.fetchMissed(registration, nowMs));
      while (listening.pending > 0) {
        const { value } = await arrivals.next();
        if (!value) break;
        dealt.push(value.id);
        await listening.acknowledge(value);
      }
    }
    expect(dealt).toEqual(log.map(({ event_id }) => event_id));
  });
});
