import { describe, expect, it } from 'vitest';
import { findMeant, readTraits } from '../../../src/bulk/plan/who-is-meant.ts';
import { createPhones } from '../../../src/text/phone-reader.ts';

const phones = createPhones('DE');
const [mother, daughter] = ['cli_01m8jqj0m03wdeqdyv2mc8tztk', 'cli_01m8jqj0m03wdeqdyv2mc8tztm'];

/** `first|last|phone|email|birthday` */
function person(text: string, more: object = {}) {
  const [first_name, last_name, phone, email, birthday] = text.split('|');
  return readTraits({ first_name, last_name, phone, email, birthday, ...more }, phones);
}

function find(row: ReturnType<typeof person>, ...known: ReturnType<typeof person>[]) {
  const people = known.map((traits, index) => ({ ...traits, index }));
  const found = findMeant(row, people);
  return found && [found.same, found.differs, ...found.people.map(({ index }) => index)];
}

describe('one client', () => {
  it.each([
    ['the same phone and name', 'Ana|Costa|030 123456', 'Ana|Costa|+4930123456', 'phone and name', null],
    ['case and accents', 'ÁNA|costa|030 123456', 'Ana|Costa|030123456', 'phone and name', null],
    ['the other order of names', 'Costa|Ana|030 123456', 'Ana|Costa|030123456', 'phone and name', null],
    [
      'another email, as of a family',
      'Ana|Costa|030123456|a@x.example',
      'Ana|Costa|030123456|b@x.example',
      'phone and name',
      null,
    ],
    [
      'email in other letters',
      'Ana|Costa||ANA@x.example',
      'Ana|Costa||ana@x.example',
      'email and name',
      null,
    ],
    ['a middle name', 'Ana|Costa|030123456', 'Ana Maria|Costa|030123456', 'phone', null],
    ['a hyphen', 'Anna-Lena|Costa|030123456', 'Anna Lena|Costa|030123456', 'phone and name', null],
    ['a first name alone', 'Ana||030123456', 'Ana|Costa|030123456', 'phone', null],
    [
      'a name in one script without a space',
      '太郎|山田|030123456',
      '太郎|山田|030123456',
      'phone and name',
      null,
    ],
    [
      'name and birthday',
      'Ana|Costa|||1990-05-01',
      'Ana|Costa|030123456||1990-05-01',
      'name and birthday',
      null,
    ],
    [
      'name and the day of a birthday without a year',
      'Ana|Costa|||--05-01',
      'Ana|Costa|030123456||1990-05-01',
      'name and birthday',
      null,
    ],
    [
      'the day, too',
      'Ana|Costa|030123456||--05-01',
      'Ana|Costa|030123456||1990-05-01',
      'phone and name',
      null,
    ],
    [
      'a son with another day',
      'Jan|Frei|030123456||--05-02',
      'Jan|Frei|030123456||1960-05-01',
      'phone',
      'birthday',
    ],
    ['an email and no names', '|||a@x.example', '|||a@x.example', 'email', null],
    ['a family name alone', '|Costa|030123456', 'Ana|Costa|030123456', 'phone', 'unclear name'],
    ['no name in the row', '||030123456', 'Ana|Costa|030123456', 'phone', 'unclear name'],
    ['no name of the client', 'Ana|Costa|030123456', '||030123456', 'phone', 'unclear name'],
    ['a phone and no names', '||030123456', '||030123456', 'phone', 'unclear name'],
    ['a daughter', 'Tochter|Costa|030123456', 'Mutter|Costa|030123456', 'phone', 'name'],
    [
      'a husband of another name',
      'Ben|Frei|030123456|a@x.example',
      'Ana|Costa|030123456|a@x.example',
      'email',
      'name',
    ],
    [
      'a son of the same name',
      'Jan|Frei|030123456||1990-05-01',
      'Jan|Frei|030123456||1960-05-01',
      'phone',
      'birthday',
    ],
    [
      'name and birthday, but another phone',
      'Ana|Costa|030123456||1990-05-01',
      'Ana|Costa|030999999||1990-05-01',
      'name and birthday',
      'phone or email',
    ],
  ])('is meant, or only like it, with %s', (_, row, client, same, differs) => {
    expect(find(person(row), person(client))).toEqual([same, differs, 0]);
    expect(find(person(client), person(row))).toEqual([same, differs, 0]);
  });

  it.each([
    ['the name alone', 'Ana|Costa|', 'Ana|Costa|'],
    ['a first name and a birthday', 'Ana||||1990-05-01', 'Ana||||1990-05-01'],
    ['the day of another year', 'Ana|Costa|||1991-05-01', 'Ana|Costa|||1990-05-01'],
    ['nothing', '||||', '||||'],
  ])('is not found by %s', (_, row, client) => {
    expect(find(person(row), person(client))).toBeUndefined();
  });
});

describe('of several clients', () => {
  it('the ID counts before the external ID, and that before email, phone and name', () => {
    const row = person('Ana|Costa|030123456', { id: mother, external_id: 'C-1' });
    const byName = person('Ana|Costa|030123456');
    const byExternalId = person('Eva|Frei|', { external_id: 'C-1' });
    const byId = person('Ida|Roth|', { id: mother });
    expect(find(row, byName, byExternalId, byId)).toEqual(['ID', null, 2]);
    expect(find(row, byName, byExternalId)).toEqual(['external ID', null, 1]);
    expect(find(row, byName)).toEqual(['phone and name', null, 0]);
  });

  it('an ID of another program counts for nothing', () => {
    expect(find(person('||', { id: '17' }), person('||', { id: '17' }))).toBeUndefined();
    expect(find(person('||', { id: mother }), person('||', { id: daughter }))).toBeUndefined();
  });

  it('the same name counts before one that only fits', () => {
    const [one, other] = [person('Ana|Costa|030123456'), person('Ana Maria|Costa|030123456')];
    expect(find(one, other, one)).toEqual(['phone and name', null, 1]);
    expect(find(other, one, other)).toEqual(['phone and name', null, 1]);
  });

  it('all are named who fit equally well', () => {
    const ana = person('Ana|Costa|030123456');
    expect(find(ana, ana, person('Eva|Costa|030123456'), ana)).toEqual(['phone and name', null, 0, 2]);
    const maria = person('Ana Maria|Costa|030123456');
    expect(find(person('Ana||030123456'), ana, maria)).toEqual(['phone', null, 0, 1]);
  });
});
