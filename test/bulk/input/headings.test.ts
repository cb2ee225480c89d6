import { describe, expect, it } from 'vitest';
import { matchHeadings } from '../../../src/bulk/input/map-columns.ts';

const known = [
  'id',
  'first_name',
  'email',
  'start_time',
  'client_id',
  'updated_at',
  'client_name',
  'client_phone',
];

describe('a heading', () => {
  it.each([
    ['ID', 'id'],
    ['\u00EF\u00BB\u00BFid', 'id'],
    ['First Name', 'first_name'],
    ['FIRST_NAME', 'first_name'],
    ['first-name', 'first_name'],
    [' E-mail ', 'email'],
    ['Start', 'start_time'],
    ['Client', 'client_id'],
    ['client_name', 'client_id'],
    ['Client Name', 'client_id'],
    ['client_phone', 'client_id'],
    ['start_time_local', 'start_time'],
    ['Updated At Local', 'updated_at'],
    ['Loyalty Points', 'Loyalty Points'],
    ['constructor', 'constructor'],
    ['amount_eux', 'amount_eux'],
  ])('%j means %s', (heading, field) => {
    expect(matchHeadings([heading], known).fields ?? [heading]).toEqual([field]);
  });

  it.each(['amount_eur', 'Tip amount (EUR)'])('%j is an amount in euros', (heading) => {
    const { fields = [], currencies } = matchHeadings([heading], known);
    expect(currencies).toEqual({ [fields[0] ?? '']: 'EUR' });
    expect(fields[0]).toMatch(/^(?:tip_)?amount$/);
  });

  it('with names is ignored beside one with IDs', () => {
    const { fields } = matchHeadings(['Client ID', 'Client name'], known);
    expect(fields).toEqual(['client_id', 'client_name']);
  });

  it('that is spelt like its field needs no mapping', () => {
    expect(matchHeadings(known, known)).toEqual({});
  });
});
