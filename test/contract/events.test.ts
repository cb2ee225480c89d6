import { describe, expect, it } from 'vitest';
import {
  event,
  eventTypes,
  isEventPattern,
  matchesEvent,
  type SalonEvent,
} from '../../src/contract/events.ts';

describe('the event catalogue', () => {
  it('has each type in one schema, once', () => {
    const inSchemas = event.oneOf.flatMap(({ properties }) => [...properties.type.enum]);
    expect(inSchemas).toEqual([...eventTypes]);
    expect(new Set(eventTypes).size).toBe(eventTypes.length);
  });

  it('narrows the record by the event type', () => {
    const describeEvent = (salonEvent: SalonEvent): string => {
      switch (salonEvent.type) {
        case 'booking.rescheduled':
          return salonEvent.data.previous_attributes?.start_time ?? salonEvent.data.object.start_time;
        case 'payment.refunded':
          return `${salonEvent.data.object.refunded_amount}`;
        case 'client.deleted':
          return `${salonEvent.data.object.deleted satisfies true}`;
        default:
          return salonEvent.data.object.id;
      }
    };
    const gone = { resource: 'client', object: { id: 'cli_1', deleted: true } } as const;
    const about = { id: 'evt_1', timestamp: '2026-11-21T12:00:00Z', api_version: 'v1.0' };
    expect(describeEvent({ ...about, type: 'client.deleted', data: gone })).toBe('true');
  });
});

describe('an event pattern', () => {
  it.each([
    ['*', 'booking.created', true],
    ['*', 'something.else', true],
    ['booking.*', 'booking.no_show', true],
    ['booking.*', 'appointment.moved', true],
    ['booking.*', 'bookings.created', false],
    ['booking.*', 'booking', false],
    ['client.*', 'customer.created', true],
    ['client.*', 'booking.created', false],
    ['booking.cancelled', 'appointment.cancelled', true],
    ['booking.cancelled', 'booking.created', false],
  ] as const)('%s matches %s: %s', (pattern, name, isTaken) => {
    expect(matchesEvent([pattern], name)).toBe(isTaken);
    expect(matchesEvent(['webhook.test', pattern], name)).toBe(isTaken);
  });

  it('is needed for a match', () => {
    expect(matchesEvent([], 'booking.created')).toBe(false);
  });

  it.each(['*', 'booking.*', 'client.deleted', 'webhook.test'])('is valid: %s', (text) => {
    expect(isEventPattern(text)).toBe(true);
  });

  it.each([
    '',
    'booking',
    'booking.',
    'booking.moved',
    'appointment.*',
    '*.created',
    'booking.**',
    'BOOKING.*',
  ])('is invalid: "%s"', (text) => {
    expect(isEventPattern(text)).toBe(false);
  });
});
