import { describe, expect, it } from 'vitest';
import { explainRefusal } from '../../../src/cli/messages/errors.ts';
import { SalonError, type SalonErrorCode } from '../../../src/contract/errors.ts';

const style = { timeZone: 'Europe/Lisbon', now: new Date('2026-07-01T08:00:00Z') };
const ana = { id: 'a1', start_time: '2026-07-03T09:00:00Z', duration: 60, client_name: 'Ana Costa' };
const ben = { id: 'a2', start_time: '2026-07-03T10:00:00Z', duration: 30, client_name: null };

function explain(code: SalonErrorCode, members: object): string {
  return explainRefusal(new SalonError(code, 'As the server said.', { members: { ...members } }), style)
    .message;
}

describe('a conflict', () => {
  const stylist_name = 'Mia';

  it.each([
    [
      { stylist_name, conflicts: [ana], free_from: '2026-07-03T10:00:00Z' },
      'Mia is booked Fri 3 Jul 10:00–11:00 (Ana Costa). Free from 11:00.',
    ],
    [
      { stylist_name, conflicts: [ana, ben], free_from: '2026-07-03T10:30:00Z' },
      'Mia is booked Fri 3 Jul 10:00–11:00 (Ana Costa), 11:00–11:30. Free from 11:30.',
    ],
    [
      { conflicts: [ana], conflicting_appointment_ids: ['a1', 'a2', 'a3'], free_from: null },
      'The stylist is booked Fri 3 Jul 10:00–11:00 (Ana Costa) and 2 more appointments.',
    ],
    [
      { stylist_name, conflicts: [{ ...ana, start_time: '2026-07-03T22:30:00Z' }] },
      'Mia is booked Fri 3 Jul 23:30–Sat 4 Jul 00:30 (Ana Costa).',
    ],
  ])('names person, local time and the next free time: %#', (members, expected) => {
    expect(explain('appointment_conflict', members)).toBe(expected);
  });

  it('promises no free time on another day', () => {
    const members = { stylist_name, conflicts: [ana], free_from: '2026-07-04T08:00:00Z' };
    expect(explain('appointment_conflict', members)).not.toContain('Free');
  });

  it.each([
    {},
    { conflicts: null },
    { conflicts: 'a1' },
    { conflicts: [null, 1] },
    { conflicts: [{ start_time: 'soon', duration: 30 }] },
    { conflicts: [{ ...ana, duration: 'an hour' }] },
  ])('keeps the words of a server that does not say when: %j', (members) => {
    expect(explain('appointment_conflict', members)).toBe('As the server said.');
  });

  it('keeps everything else of the error', () => {
    const members = { stylist_name, conflicts: [ana] };
    const error = new SalonError('appointment_conflict', 'x', { members, requestId: 'r1', status: 409 });
    expect(explainRefusal(error, style)).toMatchObject({ members, requestId: 'r1', status: 409 });
  });
});

describe('upcoming appointments', () => {
  const visit = { start_time: '2026-07-03T09:00:00Z', service: 'Cut', stylist_name: 'Mia' };

  it('are listed with their times', () => {
    const members = { client_name: 'Ana Costa', appointments: [visit, { ...visit, stylist_name: null }] };
    expect(explain('client_has_upcoming_appointments', members)).toBe(
      'Ana Costa has 2 upcoming appointments: Fri 3 Jul 10:00 Cut (Mia), Fri 3 Jul 10:00 Cut.',
    );
    const more = { appointments: [visit], appointment_ids: ['a1', 'a2'] };
    expect(explain('client_has_upcoming_appointments', more)).toBe(
      'The client has 2 upcoming appointments: Fri 3 Jul 10:00 Cut (Mia) and 1 more appointment.',
    );
  });

  it('are not invented', () => {
    expect(explain('client_has_upcoming_appointments', { appointment_ids: ['a1'] })).toBe(
      'As the server said.',
    );
    expect(explain('conflict', { conflicts: [ana] })).toBe('As the server said.');
  });
});
