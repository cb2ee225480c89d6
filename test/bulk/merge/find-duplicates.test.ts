import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareClients,
  findSimilarNames,
  isSimilar,
  type Sureness,
} from '../../../src/bulk/merge/duplicate-evidence.ts';
import { findDuplicates, toComparedClient } from '../../../src/bulk/merge/find-duplicates.ts';
import { countBySpeed } from '../../support/speed.ts';

function toClients(records: readonly object[]) {
  return records
    .map((record, index) => toComparedClient({ id: `cli_${index}`, ...record }))
    .filter((one) => one !== undefined);
}

function compare(one: object, other: object) {
  const { pairs } = findDuplicates(toClients([one, other]), 'possible');
  expect(pairs.length).toBeLessThan(2);
  return pairs[0] === undefined ? undefined : `${pairs[0].sure}: ${pairs[0].why}`;
}

const ana = { first_name: 'Ana', last_name: 'Costa' };

describe('two clients', () => {
  it.each<[string, object, object, string | undefined]>([
    [
      'one phone in two forms and one name',
      { ...ana, phone: '+351 912 345 678' },
      { ...ana, phone: '00351912345678' },
      'certain: same phone and name',
    ],
    [
      'a national and an international phone',
      { ...ana, phone: '+49 30 1234567' },
      { ...ana, phone: '(030) 123-4567' },
      'certain: same phone and name',
    ],
    [
      'an email in other letters',
      { first_name: 'Bea', email: 'Bea@Salon.Example' },
      { first_name: 'Bea', email: 'bea@salon.example' },
      'likely: same email',
    ],
    [
      'other accents, case and word order',
      { first_name: 'ÁNA', last_name: 'Cósta', email: 'a@x.example' },
      { first_name: 'Costa', last_name: 'ana', email: 'a@x.example' },
      'certain: same email and name',
    ],
    [
      'a typing mistake and one phone',
      { ...ana, phone: '+351912345678' },
      { first_name: 'Anna', last_name: 'Costa', phone: '912345678' },
      'likely: same phone, similar name',
    ],
    [
      'swapped letters and one birthday',
      { first_name: 'Brian', last_name: 'Reed', birthday: '1990-01-02', phone: '+4930111111' },
      { first_name: 'Brain', last_name: 'Reed', birthday: '1990-01-02', phone: '+4930222222' },
      'likely: same birthday, similar name',
    ],
    ['one name and nothing that differs', ana, { ...ana, email: 'ana@x.example' }, 'likely: same name'],
    [
      'one name and two phones',
      { ...ana, phone: '+351912345678' },
      { ...ana, phone: '+351912345679' },
      'possible: same name',
    ],
    [
      'one phone and two names',
      { ...ana, phone: '+351912345678' },
      { first_name: 'Rui', last_name: 'Costa', phone: '+351912345678' },
      'possible: same phone, other name',
    ],
    [
      'another birthday',
      { ...ana, phone: '+351912345678', birthday: '1990-01-02' },
      { ...ana, phone: '+351912345678', birthday: '1960-01-02' },
      'likely: same phone and name, other birthday',
    ],
    [
      'a birthday without a year',
      { first_name: 'Brian', last_name: 'Reed', birthday: '--01-02', phone: '+4930111111' },
      { first_name: 'Brain', last_name: 'Reed', birthday: '1990-01-02', phone: '+4930222222' },
      'likely: same birthday, similar name',
    ],
    [
      'another day without a year',
      { ...ana, phone: '+351912345678', birthday: '--01-03' },
      { ...ana, phone: '+351912345678', birthday: '1960-01-02' },
      'likely: same phone and name, other birthday',
    ],
    [
      'a Korean name in one word and in two',
      { first_name: '서연', last_name: '박', phone: '+4930123456' },
      { first_name: '박서연', phone: '030 123456' },
      'certain: same phone and name',
    ],
    [
      'a Chinese name of two letters',
      { first_name: '芳', last_name: '王', email: 'w@x.example' },
      { first_name: '芳', last_name: '王', email: 'w@x.example' },
      'certain: same email and name',
    ],
    ['a first name only', { first_name: 'Ana' }, { first_name: 'Ana' }, undefined],
    ['one digit in all places', { phone: '00000000' }, { phone: '00000000' }, undefined],
    ['two different letters', ana, { first_name: 'Anke', last_name: 'Costa' }, undefined],
    [
      'two short words',
      { first_name: 'Al', last_name: 'Moe' },
      { first_name: 'Ed', last_name: 'Moe' },
      undefined,
    ],
    ['phones of two countries', { phone: '+351912345678' }, { phone: '+34912345678' }, undefined],
    ['nothing at all', {}, {}, undefined],
  ])('with %s', (_title, one, other, expected) => {
    expect(compare(one, other)).toBe(expected);
    expect(compare(other, one)).toBe(expected);
  });

  it('are read from the fields of other servers', () => {
    expect(
      compare(
        { given_name: 'Ana', family_name: 'Costa', phone_number: '+351912345678' },
        { name: 'Costa Ana', mobile: '00351 912 345 678' },
      ),
    ).toBe('certain: same phone and name');
  });
});

describe('the search for duplicates', () => {
  const letter = fc.constantFrom('a', 'b', 'é');
  const word = fc.array(letter, { minLength: 1, maxLength: 5 }).map((letters) => letters.join(''));
  const phone = fc.constantFrom(
    '',
    '+4930123456',
    '030123456',
    '0049 30 123456',
    '+33123456789',
    '0123456789',
  );
  const record = fc.record({
    first_name: word,
    last_name: word,
    email: fc.constantFrom('', 'a@x.example', 'A@x.example', 'b@x.example'),
    phone,
    birthday: fc.constantFrom('', '1990-01-01', '1991-01-01'),
  });

  it('finds every pair that a comparison of all pairs finds', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 11 }), (records) => {
        const clients = toClients(records);
        const all = clients.flatMap((one, at) =>
          clients.slice(at + 1).flatMap((other) => {
            const evidence = compareClients(one, other);
            return evidence === undefined ? [] : [`${one.id} ${other.id} ${evidence.sure} ${evidence.why}`];
          }),
        );
        const { pairs, counts } = findDuplicates(clients, 'possible');
        const found = pairs.map(
          ({ client, duplicate, sure, why }) => `${client.id} ${duplicate.id} ${sure} ${why}`,
        );
        expect(found.toSorted()).toEqual(all.toSorted());
        expect(counts.certain + counts.likely + counts.possible).toBe(all.length);
      }),
      { numRuns: countBySpeed(500) },
    );
  });

  it('finds similar names without comparing all of them', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(word, word), { maxLength: 30 }), (names) => {
        const forms = names.map((words) => words.toSorted());
        const all = forms.flatMap((one, at) =>
          forms.flatMap((other, index) => (index > at && isSimilar(one, other) ? [`${at} ${index}`] : [])),
        );
        const found = [...findSimilarNames(forms)].map((pair) => pair.toSorted((a, b) => a - b).join(' '));
        expect(found.toSorted()).toEqual(all.toSorted());
      }),
      { numRuns: countBySpeed(500) },
    );
  });

  it('finds each of many clients with one phone, in one group', () => {
    const many = Array.from({ length: 500 }, (_, index) => ({
      first_name: `Client ${index}`,
      phone: '+4930123456',
    }));
    const { pairs } = findDuplicates(toClients(many), 'possible');
    expect(pairs.length).toBeLessThan(1500);
    expect(new Set(pairs.flatMap(({ client, duplicate }) => [client.id, duplicate.id])).size).toBe(500);
    expect(new Set(pairs.map(({ group }) => group))).toEqual(new Set([1]));
  });

  it.each<[Sureness, number]>([
    ['certain', 1],
    ['likely', 2],
    ['possible', 3],
  ])('lists pairs that are at least %s, and counts the others', (atLeast, expected) => {
    const clients = toClients([
      { ...ana, phone: '+351912345678' },
      { ...ana, phone: '912345678' },
      { first_name: 'Eva', last_name: 'Reed' },
      { first_name: 'Eva', last_name: 'Reed' },
      { first_name: 'Jo', last_name: 'Marsh', email: 'j@x.example' },
      { first_name: 'Jo', last_name: 'Marsh', email: 'jo@x.example' },
    ]);
    const { pairs, counts } = findDuplicates(clients, atLeast);
    expect(pairs).toHaveLength(expected);
    expect(counts).toEqual({ certain: 1, likely: 1, possible: 1 });
  });

  it('compares few of 20,000 clients, which would take minutes for all pairs', () => {
    const clients = toClients(
      Array.from({ length: 20_000 }, (_, index) => ({
        first_name: toLetters(index * 7919),
        last_name: toLetters(index * 104_729),
        email: `u${index}@x.example`,
        // Every thousandth has the phone of the one before.
        phone: `+4930${1_000_000 + index - (index % 1000 === 999 ? 1 : 0)}`,
      })),
    );
    const { pairs } = findDuplicates(clients, 'possible');
    const withPhone = pairs.filter(({ why }) => why.includes('same phone'));
    expect(withPhone.map(({ duplicate }) => duplicate.id)).toEqual(
      Array.from({ length: 20 }, (_, index) => `cli_${index * 1000 + 999}`),
    );
  });
});

function toLetters(number: number): string {
  return number.toString(26).replaceAll(/[0-9]/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '');
}
