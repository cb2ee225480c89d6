import { describe, expect, it } from 'vitest';
import { toEventType } from '../../src/contract/events.ts';
import { readEventName } from '../../src/webhooks/verify.ts';

describe('the event name', () => {
  it.each([
    [{ type: 'booking.created' }, 'booking.created'],
    [{ event: 'appointment.created' }, 'appointment.created'],
    [{ event_type: 'PAYMENT_UPDATED' }, 'PAYMENT_UPDATED'],
    [{ type: 'booking.created', event: 'other' }, 'booking.created'],
    [{ type: { name: 'x' }, event: '', event_type: 'client.updated' }, 'client.updated'],
    [{ name: 'booking.created' }, undefined],
  ])('in %o is %s', (body, name) => {
    expect(readEventName(body)).toBe(name);
  });

  it.each([
    ['appointment.cancelled', 'booking.cancelled'],
    ['customer.deleted', 'client.deleted'],
    ['appointments.cancelled', 'appointments.cancelled'],
    ['stock.low', 'stock.low'],
  ])('%s maps to %s', (name, type) => {
    expect(toEventType(name)).toBe(type);
  });
});
