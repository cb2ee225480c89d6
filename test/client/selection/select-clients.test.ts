import { describe, expect, it } from 'vitest';
import type { ClientConditions } from '../../../src/client/selection/client-conditions.ts';
import { selectClients } from '../../../src/client/selection/select-clients.ts';
import { openClient, refusal } from '../../support/open-client.ts';
import { select } from './select-from-server.ts';

const asOf = '2026-11-22T12:00:00Z';
const people = [
  { id: 'a', tags: ['vip', 'Colour'], email: 'ana@x.test', birthday: '1990-11-25' },
  { id: 'b', tags: ['VIP'], email: null, birthday: '1988-02-29' },
  { id: 'c', tags: [], email: '', birthday: null },
];

describe('selectClients', () => {
  it.each<[string, ClientConditions, string[]]>([
    ['a tag, whatever its case', { tags: ['Vip'] }, ['a', 'b']],
    ['every tag that is named', { tags: ['vip', 'colour'] }, ['a']],
    ['a tag that is missing', { withoutTags: ['colour'] }, ['b', 'c']],
    ['a blank field', { blank: ['email'] }, ['b', 'c']],
    ['two conditions at once', { tags: ['vip'], blank: ['email'] }, ['b']],
    ['a birthday on the first day', { birthday: { from: '2026-11-25', to: '2026-12-02' } }, ['a']],
    ['a birthday on the last day', { birthday: { from: '2026-11-18', to: '2026-11-25' } }, ['a']],
    ['a birthday of 29 February, on the 28th', { birthday: { from: '2027-02-28', to: '2027-02-28' } }, ['b']],
    ['29 February itself in a leap year', { birthday: { from: '2028-02-28', to: '2028-02-28' } }, []],
    ['birthdays in the new year', { birthday: { from: '2026-11-26', to: '2027-11-25' } }, ['a', 'b']],
  ])('finds %s', async (_what, conditions, ids) => {
    expect((await select({ clients: people }, conditions)).ids).toEqual(ids);
  });

  it.each<[string, object, string]>([
    ['unknown', { q: 'an' }, 'There is no condition q.'],
    ['mistyped', { tag: ['vip'] }, 'There is no condition tag. Did you mean tags?'],
    ['missing', {}, 'There is no condition, so it would be every client.'],
    ['undefined', { tags: undefined }, 'The condition tags is empty or not valid.'],
    ['empty', { tags: [] }, 'The condition tags is empty or not valid.'],
    ['blank', { tags: ['vip', ' '] }, 'The condition tags is empty or not valid.'],
    ['a text for a list', { tags: 'vip' }, 'The condition tags is empty or not valid.'],
    ['about an unknown field', { blank: ['notes'] }, 'The condition blank is empty or not valid.'],
    [
      'no day',
      { birthday: { from: 'mon', to: '2026-12-02' } },
      'The condition birthday is empty or not valid.',
    ],
    ['no instant', { notSeenSince: '6mo', asOf }, 'The condition notSeenSince is empty or not valid.'],
    [
      'without the present time',
      { notSeenSince: asOf },
      'notSeenSince needs asOf, such as the present time.',
    ],
    ['no count', { minVisits: 0, asOf }, 'The condition minVisits is empty or not valid.'],
    ['a count that is a text', { minNoShows: '2', asOf }, 'The condition minNoShows is empty or not valid.'],
    [
      'about visits without the present time',
      { upcoming: false },
      'upcoming needs asOf, such as the present time.',
    ],
    ['the present time alone', { asOf }, 'There is no condition, so it would be every client.'],
    ['all and a tag', { all: true, tags: ['vip'] }, 'all: true cannot be combined with conditions.'],
    ['not all', { all: false }, 'The condition all is empty or not valid.'],
  ])('throws before anything is read where a condition is %s', (_what, conditions, message) => {
    const select = () => selectClients({} as never, conditions);
    expect(select).toThrow(expect.objectContaining({ code: 'usage', message }));
  });

  it.each([
    ['no conditions', undefined, {}],
    ['null', null, {}],
    ['an unknown option', { withoutTags: ['zz'] }, { qurey: { q: 'an' } }],
    ['a filter that is null', { withoutTags: ['zz'] }, { query: { q: null } }],
  ])('is refused for %s', async (_what, conditions, options) => {
    await using client = openClient('http://127.0.0.1:9');
    const select = () => selectClients(client, conditions as never, options as never);
    expect(select).toThrow(expect.objectContaining({ code: 'usage' }));
  });

  it('names the unknown condition and the valid ones', () => {
    const known = [
      ...['tags', 'withoutTags', 'blank', 'birthday', 'seenSince', 'notSeenSince', 'asOf', 'upcoming'],
      ...['neverVisited', 'firstVisitFrom', 'firstVisitTo', 'minVisits', 'minNoShows'],
      ...['emailConsent', 'smsConsent', 'all'],
    ];
    const select = () => selectClients({} as never, { q: 'an' } as object);
    expect(select).toThrow(expect.objectContaining({ members: { unknown: 'q', known } }));
    expect(select).toThrow(expect.objectContaining({ hint: `Each condition: ${known.join(', ')}.` }));
  });

  it('selects everyone with all: true, and by a filter of the list alone', async () => {
    expect((await select({ clients: people }, { all: true })).ids).toEqual(['a', 'b', 'c']);
    const query = { email: 'ana@x.test' };
    expect((await select({ clients: people }, {}, { query })).ids).toEqual(['a']);
    await expect(select({ clients: people }, {}, { query: { q: '' } })).rejects.toThrow(
      'There is no condition',
    );
  });

  it('finds who agreed to marketing, however the server writes it', async () => {
    const clients = [true, 'yes', 1, false, null, 'maybe'].map((consent, id) => ({
      id: `${id}`,
      email_marketing_consent: consent,
    }));
    const { ids, facts } = await select({ clients }, { emailConsent: true });
    expect(ids).toEqual(['0', '1', '2']);
    expect([...facts.unreadable]).toEqual([['email_marketing_consent', 1]]);
  });

  it('reads birthdays without a year, and counts those it cannot read', async () => {
    const clients = ['--11-25', '1990-11-25T00:00:00Z', '25 Nov', ''].map((birthday, id) => ({
      id: `${id}`,
      birthday,
    }));
    const { ids, facts } = await select({ clients }, { birthday: { from: '2026-11-20', to: '2026-11-27' } });
    expect(ids).toEqual(['0', '1']);
    expect([...facts.unreadable]).toEqual([['birthday', 1]]);
  });

  it('counts a limit in matches', async () => {
    const clients = Array.from({ length: 500 }, (_, index) => ({
      id: `${index}`,
      tags: index % 2 ? ['vip'] : [],
    }));
    const { ids } = await select({ clients }, { tags: ['vip'] }, { limit: 120 });
    expect(ids).toEqual(Array.from({ length: 120 }, (_, index) => `${index * 2 + 1}`));
  });

  it('names a tag that nobody has, and a similar one', async () => {
    const { facts } = await select({ clients: people }, { tags: ['vpi'] });
    expect(facts).toMatchObject({
      matches: 0,
      unknownTags: [{ tag: 'vpi', similar: expect.stringMatching(/vip/i) }],
    });
  });

  it.each<[string, ClientConditions]>([
    ['has the value', { tags: ['vip'] }],
    ['lacks the value', { withoutTags: ['vip'] }],
    ['is blank', { blank: ['phone'] }],
    ['is near', { birthday: { from: '2026-11-20', to: '2026-11-27' } }],
  ])('fails where no record has the field: %s', async (_what, conditions) => {
    const error = await refusal(select({ clients: [{ id: '1', name: 'Ana' }] }, conditions));
    expect(error.code).toBe('not_supported');
    expect(error.message).toMatch(
      /^Clients on this server have no (tags|phone|birthday), so nothing can match\.$/,
    );
  });

  it('finds nothing in an empty list, without an error', async () => {
    expect((await select({ clients: [] }, { tags: ['vip'] })).ids).toEqual([]);
  });

  it('reads fields under the names that the dialect declares', async () => {
    const clients = [
      { id: '1', emailAddress: 'ana@x.test', dateOfBirth: '1990-11-25' },
      { id: '2', emailAddress: null, dateOfBirth: '1990-11-25' },
    ];
    const conditions = { blank: ['email'], birthday: { from: '2026-11-25', to: '2026-11-25' } } as const;
    const fields = { clients: { email: 'emailAddress', birthday: 'dateOfBirth' } };
    expect((await select({ clients, fields }, conditions)).ids).toEqual(['2']);
  });
});
