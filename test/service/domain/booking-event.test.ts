import { describe, expect, it } from 'vitest';
import type { Appointment } from '../../../src/contract/appointment.ts';
import { toBookingEvent } from '../../../src/service/domain/events.ts';

const former: Appointment = {
  id: 'apt_1',
  client_id: 'cli_1',
  stylist_id: 'sty_1',
  service: 'Cut',
  start_time: '2026-12-01T09:00:00Z',
  duration: 60,
  status: 'arrived',
  notes: null,
  cancellation_reason: null,
  created_at: '2026-11-21T12:00:00.000Z',
  updated_at: '2026-11-21T12:00:00.000Z',
  price: null,
  paid_amount: 0,
};
const move = { start_time: '2026-12-01T10:00:00Z', stylist_id: 'sty_2', duration: 30 };
const edit = { notes: 'by the window', service: 'Colour', client_id: 'cli_2' };

describe('a changed appointment has the event', () => {
  it.each([
    ['booking.updated', { status: 'pending' }],
    ['booking.confirmed', { status: 'confirmed' }],
    ['booking.started', { status: 'in_service' }],
    ['booking.completed', { status: 'completed' }],
    ['booking.cancelled', { status: 'cancelled', cancellation_reason: 'ill' }],
    ['booking.no_show', { status: 'no_show' }],
    ['booking.completed', { status: 'completed', ...move, ...edit }],
    ['booking.rescheduled', { start_time: move.start_time }],
    ['booking.rescheduled', { stylist_id: move.stylist_id }],
    ['booking.rescheduled', { duration: move.duration }],
    ['booking.rescheduled', { ...move, ...edit }],
    ['booking.updated', { notes: edit.notes }],
    ['booking.updated', { service: edit.service }],
    ['booking.updated', { client_id: edit.client_id }],
  ] as const)('%s where it is %o', (type, change) => {
    expect(toBookingEvent(former, { ...former, ...change })).toBe(type);
  });

  it('booking.arrived where it becomes arrived', () => {
    expect(toBookingEvent({ ...former, status: 'confirmed' }, former)).toBe('booking.arrived');
  });
});
