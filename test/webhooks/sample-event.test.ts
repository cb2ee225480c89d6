import { Compile } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { event, eventTypes } from '../../src/contract/events.ts';
import { createSampleEvent } from '../../src/webhooks/sample-event.ts';

const now = new Date('2026-11-21T12:00:00Z');
const random = (size: number) => crypto.getRandomValues(new Uint8Array(size));
const shape = Compile(event);

describe('a sample event', () => {
  it.each(eventTypes)('matches the contract: %s', (type) => {
    const sample = createSampleEvent(type, { now, random });
    expect(sample).toMatchObject({ type, api_version: 'v1.0', timestamp: now.toISOString() });
    expect([...shape.Errors(sample)[1]]).toEqual([]);
  });

  it('differs each time', () => {
    const ids = ['client.created', 'client.created'] as const;
    expect(new Set(ids.map((type) => createSampleEvent(type, { now, random }).id)).size).toBe(2);
  });

  it.each([
    ['booking.cancelled', { status: 'confirmed', cancellation_reason: null }],
    ['booking.arrived', { status: 'confirmed' }],
    ['payment.refunded', { refunded_amount: 0 }],
    ['client.updated', { phone: null }],
  ] as const)('lists the previous values: %s', (type, former) => {
    const { data } = createSampleEvent(type, { now, random });
    expect(data.previous_attributes).toEqual(former);
    expect(data.object).not.toMatchObject(former);
  });
});
