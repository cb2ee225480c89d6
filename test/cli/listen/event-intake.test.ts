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
    disabledAt: undefined,
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
  const intake = createEventIntake({
    events: ['client.*', 'booking.*'],
    url: () => 'http://127.0.0.1/',
    now: () => signedAt,
    say: (text) => void said.push(text),
  });
  const begin = () => intake.start([webhookSecret], registration);
  return { intake, said, begin };
}

function message(id: string) {
  const body = bodyOf(id);
  return { headers: new Map(Object.entries(sign(id, body))), body: Buffer.from(body) };
}

describe('the event intake', () => {
  it('holds requests until the secrets are known', async () => {
    const { intake, begin } = open();
    const taken = intake.receive(message('evt_1'));
    await new Promise(setImmediate);
    expect(intake.pending).toBe(0);
    begin();
    await taken;
    expect(intake.pending).toBe(1);
  });

  it('does not fetch received events, nor repeat fetched ones', async () => {
    const event = JSON.parse(bodyOf('evt_2'));
    const registration = registrationWith([logged(1, event), logged(2, event)]);
    const { intake, said, begin } = open(registration);
    begin();
    await intake.receive(message('evt_1'));
    expect(await intake.fetchMissed(registration, nowMs)).toEqual({ count: 1, hasMore: false });
    await intake.receive(message('evt_2'));
    expect([intake.pending, intake.duplicates, said]).toEqual([2, 0, []]);
    await intake.receive(message('evt_2'));
    expect([intake.duplicates, said]).toEqual([1, ['Dropped a duplicate: booking.cancelled evt_2']]);
  });

  it('skips log entries of an erased client', async () => {
    const registration = registrationWith([logged(1, null)]);
    const { intake, begin } = open(registration);
    begin();
    expect(await intake.fetchMissed(registration, nowMs)).toEqual({ count: 0, hasMore: false });
  });

  it('fetches in batches when the queue is full: each event once, in log order', async () => {
    const log = Array.from({ length: 100 }, (_, number) =>
      logged(number, { id: `evt_${number}`, type: 'client.created', data: { long } }),
    );
    const registration = registrationWith(log);
    const { intake, begin } = open(registration);
    begin();
    const dealt: (string | undefined)[] = [];
    const webhooks = intake.events();
    for (let hasMore = true; hasMore; ) {
      ({ hasMore } = await intake.fetchMissed(registration, nowMs));
      while (intake.pending > 0) {
        const { value } = await webhooks.next();
        if (!value) break;
        dealt.push(value.id);
        await intake.acknowledge(value);
      }
    }
    expect(dealt).toEqual(log.map(({ event_id }) => event_id));
  });
});
