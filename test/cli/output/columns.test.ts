import { describe, expect, it } from 'vitest';
import { nouns } from '../../../src/cli/nouns/nouns.ts';
import {
  chooseColumns,
  columnsOf,
  findOtherFields,
  findWantedNames,
  joinFields,
} from '../../../src/cli/output/columns.ts';
import type { Fields } from '../../../src/client/json-object.ts';
import { appointment } from '../../../src/contract/appointment.ts';
import { client } from '../../../src/contract/client.ts';

function keys(requested?: string, sample?: Record<string, unknown>): string[] {
  return chooseColumns(nouns.clients.columns, { requested, sample, forPeople: true }).map(({ key }) => key);
}

describe('the columns of the contract', () => {
  it.each([
    ['appointments', nouns.appointments.columns, appointment.properties],
    ['clients', nouns.clients.columns, client.properties],
  ])('match the schema of %s, in its order', (_, set, properties) => {
    expect(set.all.map(({ key }) => key)).toEqual(Object.keys(properties));
    const names = Object.keys(set.names ?? {});
    expect([...Object.keys(properties), ...names]).toEqual(expect.arrayContaining([...set.table]));
  });

  it('have a kind per field', () => {
    const kinds = Object.fromEntries(
      [...nouns.clients.columns.all, ...nouns.appointments.columns.all].map(({ key, kind }) => [key, kind]),
    );
    expect(kinds).toMatchObject({
      id: 'text',
      birthday: 'day',
      tags: 'list',
      sms_marketing_consent: 'boolean',
      start_time: 'instant',
      duration: 'minutes',
      status: 'status',
    });
  });
});

describe('chooseColumns', () => {
  it('returns all fields for programs and the default ones for people', () => {
    expect(chooseColumns(nouns.clients.columns, {})).toEqual(nouns.clients.columns.all);
    expect(keys()).toEqual(nouns.clients.columns.table);
  });

  it.each([
    ['email,id', ['email', 'id']],
    [' email , id ,', ['email', 'id']],
    ['id,id', ['id']],
    ['+birthday', [...nouns.clients.columns.table, 'birthday']],
    ['+email', [...nouns.clients.columns.table]],
    ['id,+birthday', ['id', 'birthday']],
  ])('returns the columns of "%s"', (requested, expected) => {
    expect(keys(requested)).toEqual(expected);
  });

  it('accepts fields of the first record that are not in the contract', () => {
    const sample = { id: 'x', loyalty: 3, __proto__: null };
    expect(keys('id,loyalty', sample)).toEqual(['id', 'loyalty']);
    expect(new Set(keys('+all', sample))).toEqual(
      new Set([...nouns.clients.columns.all.map(({ key }) => key), 'loyalty']),
    );
  });

  it('suggests a name for a mistyped one and lists all', () => {
    expect(() => keys('frist_name')).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: 'No column "frist_name". Did you mean first_name?',
        hint: expect.stringContaining('last_name, email'),
      }),
    );
  });

  it.each(['', ',', '+', 'constructor', '__proto__'])('refuses "%s"', (requested) => {
    expect(() => keys(requested)).toThrow(expect.objectContaining({ code: 'usage' }));
  });

  it('lets a table leave out the phone, the duration and the ID unless requested', () => {
    const optional = (requested?: string) =>
      chooseColumns(nouns.appointments.columns, { requested, forPeople: true })
        .filter((column) => column.optional)
        .map(({ key }) => key);
    expect(optional()).toEqual(['client_phone', 'duration', 'id']);
    expect(optional('id,client_id')).toEqual([]);
  });
});

describe('columns with names', () => {
  const keys = (requested: string | undefined, sample: Fields | undefined, forPeople = true) =>
    chooseColumns(nouns.appointments.columns, { requested, sample, forPeople }).map(({ key }) => key);

  it('are columns on request, not fields of the API', () => {
    expect(keys(undefined, undefined, false)).not.toContain('client_name');
    expect(keys('+all', undefined, false)).not.toContain('client_name');
    expect(keys('+client_name', undefined, false)).toEqual([
      ...nouns.appointments.columns.all.map(({ key }) => key),
      'client_name',
    ]);
    expect(keys('start_time,stylist_name', undefined, false)).toEqual(['start_time', 'stylist_name']);
  });

  it('give way to the IDs in a table where nobody has a name', () => {
    const row = { client_id: 'c1', stylist_id: 's1', service: 'Cut' };
    expect(keys(undefined, { ...row, client_name: 'Ana' })).toEqual(
      expect.arrayContaining(['client_name', 'stylist_id']),
    );
    expect(keys(undefined, row).slice(1, 3)).toEqual(['client_id', 'stylist_id']);
  });

  it.each([
    [undefined, true, ['client_name', 'client_phone', 'stylist_name']],
    ['+notes', true, ['client_name', 'client_phone', 'stylist_name']],
    ['id,client_name', true, ['client_name']],
    ['id', true, []],
    [undefined, false, []],
    ['+client_name', false, ['client_name']],
    ['start_time, stylist_name', false, ['stylist_name']],
    ['+all', false, []],
  ])('are looked up for --columns %s, for people: %s', (requested, forPeople, expected) => {
    expect(Object.keys(findWantedNames(nouns.appointments.columns, { requested, forPeople }))).toEqual(
      expected,
    );
  });
});

describe('columnsOf', () => {
  it('keeps the record’s order and infers the kind of unknown fields', () => {
    expect(columnsOf({ vip: true, created_at: 'x', points: 3, seats: [1], weight: 2.5 })).toEqual([
      { key: 'vip', kind: 'boolean' },
      { key: 'created_at', kind: 'instant' },
      { key: 'points', kind: 'integer' },
      { key: 'seats', kind: 'list' },
      { key: 'weight', kind: 'text' },
    ]);
  });
});

describe('joinFields', () => {
  it('returns all fields with their first value', () => {
    const rows = [{ id: 'a', points: null }, { id: 'b', points: 3, ['__proto__']: 'x' }, {}];
    expect(Object.entries(joinFields(rows))).toEqual([
      ['id', 'a'],
      ['points', 3],
      ['__proto__', 'x'],
    ]);
  });
});

describe('findOtherFields', () => {
  it('finds fields that are not in the contract', () => {
    expect(findOtherFields(nouns.clients.columns, { vip: true, id: 'a', points: 3 })).toEqual([
      'vip',
      'points',
    ]);
  });
});
