import { describe, expect, it } from 'vitest';
import { foldStatus, freesSlot, readStatus } from '../../src/client/appointment-status.ts';
import { appointmentStatuses } from '../../src/contract/appointment.ts';
import { ExactNumber } from '../../src/text/json.ts';

describe('the status of an appointment', () => {
  it.each([
    ['CONFIRMED', 'confirmed'],
    ['Canceled', 'cancelled'],
    ['canceled', 'cancelled'],
    [' Cancelled ', 'cancelled'],
    ['CANCELLED_BY_CUSTOMER', 'cancelled'],
    ['CanceledByClient', 'cancelled'],
    ['no-show', 'no_show'],
    ['No show', 'no_show'],
    ['NoShow', 'no_show'],
    ['NOSHOW', 'no_show'],
    ['InService', 'in_service'],
    ['in-progress', 'in_service'],
    ['Checked in', 'arrived'],
    ['ACCEPTED', 'confirmed'],
    ['DECLINED', 'cancelled'],
    ['Done', 'completed'],
  ])('is read from %j as %s', (word, status) => {
    expect(readStatus(word)).toBe(status);
  });

  it('is itself in the contract', () => {
    expect(appointmentStatuses.map(readStatus)).toEqual([...appointmentStatuses]);
  });

  it.each([
    'waitlisted',
    'cancellation_requested',
    'not_cancelled',
    'uncanceled',
    'constructor',
    '',
    3,
    new ExactNumber('1.0'),
    null,
    true,
    { name: 'cancelled' },
  ])('is not known from %j, which takes up its time', (word) => {
    expect([readStatus(word), freesSlot(word)]).toEqual([undefined, false]);
  });

  it('frees the time of a stylist when cancelled or missed, however that is spelled', () => {
    const words = ['CANCELED', 'No-Show', 'declined', 'CONFIRMED', 'Completed', 'pending'];
    expect(words.map(freesSlot)).toEqual([true, true, true, false, false, false]);
  });

  it('is compared in one spelling where the word is unknown', () => {
    expect([foldStatus('Wait-Listed'), foldStatus('wait listed')]).toEqual(['wait_listed', 'wait_listed']);
  });
});
