import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEventDescriber } from '../../../src/cli/listen/event-renderer.ts';

const describeEvent = createEventDescriber('Europe/Berlin');
const start = '2026-11-28T09:00:00Z';

describe('an event description', () => {
  it.each([
    ['booking.created', { service: 'Cut', start_time: start }, undefined, 'Cut, 2026-11-28 10:00'],
    [
      'booking.rescheduled',
      { service: 'Cut', start_time: start },
      { start_time: '2026-11-27T09:00:00Z' },
      'Cut, 2026-11-28 10:00 (was 2026-11-27 10:00)',
    ],
    [
      'booking.cancelled',
      { service: 'Cut', start_time: start, cancellation_reason: 'Ill' },
      undefined,
      'Cut, 2026-11-28 10:00, Ill',
    ],
    [
      'payment.created',
      { amount: 4550, currency: 'EUR', method: 'gift_card' },
      undefined,
      '45.50 EUR, gift card',
    ],
    ['payment.created', { amount: 4550, currency: 'JPY', method: 'cash' }, undefined, '4550 JPY, cash'],
    [
      'payment.refunded',
      { amount: 4550, currency: 'EUR', method: 'card', refunded_amount: 50 },
      undefined,
      '45.50 EUR, card, 0.50 EUR refunded',
    ],
    ['client.created', { first_name: 'Ana', last_name: null, email: 'a@b.c' }, undefined, 'Ana'],
    ['client.created', { email: 'a@b.c' }, undefined, 'a@b.c'],
    ['client.updated', { first_name: 'Ana' }, { phone: null, notes: 'x' }, 'Ana: phone, notes'],
    ['client.deleted', { id: 'cli_1', deleted: true }, undefined, 'cli_1 deleted'],
    ['webhook.test', { id: 'whk_1' }, undefined, 'test of whk_1'],
    ['stock.low', { id: 'stk_1' }, undefined, 'stk_1'],
  ])('is short: %s', (type, object, previous_attributes, words) => {
    expect(describeEvent({ type, data: { object, previous_attributes } })).toBe(words);
  });

  it('accepts payloads of any shape', () => {
    const type = fc.constantFrom('booking.created', 'payment.created', 'client.updated', 'webhook.test', '');
    fc.assert(
      fc.property(type, fc.jsonValue(), (name, data) => {
        expect(typeof describeEvent({ type: name, data })).toBe('string');
      }),
    );
  });
});
