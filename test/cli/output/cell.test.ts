import { describe, expect, it } from 'vitest';
import { renderInstant, renderMinutes } from '../../../src/cli/output/cell.ts';

describe('renderInstant', () => {
  it.each([
    ['2026-11-21T08:30:00Z', 'Europe/Berlin', '2026-11-21 09:30'],
    ['2026-07-21T08:30:00.123Z', 'Europe/Berlin', '2026-07-21 10:30'],
    ['2026-11-21T23:30:00+00:00', 'Asia/Tokyo', '2026-11-22 08:30'],
    ['2026-11-21T00:00:00Z', 'UTC', '2026-11-21 00:00'],
  ])('%s in %s is %s', (iso, timeZone, expected) => {
    expect(renderInstant(iso, { timeZone })).toBe(expected);
  });

  it.each([
    '',
    'soon',
    '2026-11-21',
    '2026-11-21T08:30:00',
    '2026-13-45T08:30:00Z',
    '0001-01-01T00:00:00Z',
    '1700000000',
  ])('shows "%s" as it is', (text) => {
    expect(renderInstant(text, { timeZone: 'Europe/Berlin' })).toBe(text);
  });
});

describe('renderMinutes', () => {
  it.each([
    [0, '0 min'],
    [45, '45 min'],
    [60, '1 h'],
    [90, '1 h 30 min'],
    [1440, '24 h'],
    [-5, '-5'],
    [1.5, '1.5'],
    [Number.NaN, 'NaN'],
  ])('%d is %s', (minutes, expected) => {
    expect(renderMinutes(minutes)).toBe(expected);
  });
});
