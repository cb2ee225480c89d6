import { describe, expect, it } from 'vitest';
import { createEventBuffer, createEventIntake } from '../../../src/cli/listen/event-intake.ts';
import { emptyGapLedger, GapLedger } from '../../../src/cli/listen/gap-ledger.ts';
import type { Registration } from '../../../src/cli/listen/registration.ts';
import type { Delivery } from '../../../src/contract/delivery.ts';
import { collect } from '../../support/collect.ts';

import { bodyOf, sign, signedAt, webhookSecret } from '../../support/signed-webhook.ts';

const nowMs = signedAt.getTime();
const long = 'x'.repeat(1_048_576);

function logged(number: number, event: object | null): Delivery {
  const created_at = new Date(nowMs - 100_000 + number).toISOString();
  return { event_id: `evt_${number}`, event_type: 'client.created', event, created_at } as Delivery;
}

/** A registration whose service has these deliveries in its log. */
function registrationWith(log: readonly Delivery[]): Registration {
  const ledger = new GapLedger(emptyGapLedger(nowMs - 200_000));
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

const mebibyte = 1_048_576;

describe('the buffer of events', () => {
  it('yields items in order until closed', async () => {
    const line = createEventBuffer<number>();
    line.offer(1, 1);
    const taken = collect(line.items());
    await new Promise(setImmediate);
    line.offer(2, 1);
    line.offer(3, 1);
    line.close();
    expect(await taken).toEqual([1, 2, 3]);
  });

  it('holds 64 MiB, and more once items are taken', async () => {
    const line = createEventBuffer<number>();
    const put = Array.from({ length: 70 }, (_, number) => line.offer(number, mebibyte));
    expect(put.filter(Boolean)).toHaveLength(64);
    const items = line.items();
    await items.next();
    expect([line.offer(64, mebibyte), line.offer(65, mebibyte)]).toEqual([true, false]);
  });

  it('accepts nothing once closed', () => {
    const line = createEventBuffer<number>();
    line.close();
    expect(line.offer(1, 1)).toBe(false);
  });

  it('throws the closing error at once, to a waiting reader too', async () => {
    const line = createEventBuffer<number>();
    const next = line.items().next();
    line.close(new Error('gone'));
    line.close();
    await expect(next).rejects.toThrow('gone');
  });
});
