import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contractDialect } from '../../../src/client/dialect/dialect.ts';
import { dialectParts, parseDialect } from '../../../src/client/dialect/parse-dialect.ts';
import { presetNames, presets, readPreset } from '../../../src/client/dialect/presets.ts';
import { SalonError } from '../../../src/contract/errors.ts';

function messageOf(value: unknown): string {
  try {
    parseDialect(value);
  } catch (thrown) {
    if (thrown instanceof SalonError && thrown.code === 'usage') return thrown.message;
    throw thrown;
  }
  throw new Error('The dialect was accepted.');
}

function readGuide(): string {
  return readFileSync(new URL('../../../docs/other-servers.md', import.meta.url), 'utf8');
}

describe('a dialect', () => {
  it('has a valid default for each of its members', () => {
    expect(parseDialect(contractDialect)).toEqual(contractDialect);
    expect(Object.keys(contractDialect).sort()).toEqual(dialectParts.toSorted());
  });

  it('is valid in every example of the guide', () => {
    const examples = [...readGuide().matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) =>
      JSON.parse(text),
    );
    expect(examples.length).toBeGreaterThan(2);
    for (const example of examples) expect(() => parseDialect(example)).not.toThrow();
  });

  it.each(presetNames)('%s has a row in the guide', (name) => {
    expect(readGuide()).toContain(`\n| \`${name}\``);
  });

  it.each(presetNames)('%s is valid as it is, and after being stored as JSON', (name) => {
    expect(parseDialect(JSON.parse(JSON.stringify(presets[name])))).toEqual(presets[name]);
  });

  it('may be written with the names of settings, on top of a ready-made one', () => {
    const parsed = parseDialect({
      extends: 'spring',
      page_parameter: 'p',
      perPage: 50,
      sort_parameter: null,
    });
    expect(parsed).toEqual({ ...presets.spring, pageParameter: 'p', perPage: 50, sortParameter: null });
  });

  it('keeps what a ready-made one says about other fields and lists', () => {
    const { fields, lists } = parseDialect({
      extends: 'square',
      fields: { clients: { notes: 'memo' } },
      lists: { appointments: { per_page: 50 }, payments: { paging: 'link' } },
    });
    const { clients, ...others } = readPreset('square').fields ?? {};
    expect(fields).toEqual({ ...others, clients: { ...clients, notes: 'memo' } });
    const { stylists } = readPreset('square').lists ?? {};
    expect(lists).toEqual({
      stylists,
      appointments: { mostDays: 31, perPage: 50 },
      payments: { paging: 'link' },
    });
  });

  it.each([
    [{ rate: '100/h' }, 'requests in so many minutes, such as 100/2m'],
    [{ rate: '0/m' }, 'requests in so many minutes, such as 100/2m'],
    [{ status_flags: { absent: 'gone' } }, 'status_flags'],
    [[], 'It must be a JSON object'],
    [{ paging: 'pages' }, '"paging" must be one of page, offset'],
    [{ pageing: 'page' }, '"pageing" is not a setting of a dialect'],
    [{ first_page: 2 }, '"first_page" must be a whole number from 0 to 1 (found 2)'],
    [{ filter_names: { q: 7 } }, '"filter_names.q" must be'],
    [{ filterNames: { 'a b': 'c' } }, '"filterNames.a b" must be'],
    [{ headers: { 'x-a': 'one\r\ntwo: 2' } }, '"headers.x-a" must be'],
    [{ listPath: '/../{resource}' }, '"listPath" must be a path with {resource}'],
    [{ resources: { clients: '../accounts' } }, '"resources.clients" must be'],
    [{ resources: { clients: 'v2/./x' } }, '"resources.clients" must be'],
    [{ itemPath: '/{resource}' }, '"itemPath" must be a path with {resource} and {id}'],
    [{ prefix: 'api' }, '"prefix" must be a path such as /api/v1'],
    [{ readOnlyFields: [1] }, '"readOnlyFields" must be an array of names'],
    [
      { fields: { clients: { frist_name: 'a' } } },
      '"fields.clients.frist_name" must be a field of the contract',
    ],
    [{ fields: { clients: { id: 'key' } } }, '"fields.clients.id" must be'],
    [{ fields: { customers: { first_name: 'a' } } }, '"fields.customers.first_name" must be'],
    [
      { fields: { clients: { first_name: 'name', last_name: 'name' } } },
      '"fields.clients.last_name" must be',
    ],
    [{ fields: { appointments: { start_time: 'at+at' } } }, '"fields.appointments.start_time" must be'],
    [{ fields: { clients: { first_name: 7 } } }, '"fields.clients.first_name" must be'],
    [{ statuses: { Open: 'opened' } }, '"statuses.Open" must be'],
    [{ lists: { appointments: { most_days: 0 } } }, '"lists.appointments" must be'],
    [{ clear_headers: { 'x y': '1' } }, '"clear_headers.x y" must be'],
    [{ page_parameter: 'p', pageParameter: 'q' }, '"pageParameter" is given twice, also as page_parameter'],
    [{ lists: { clients: { per_page: 5, perPage: 6 } } }, '"lists.clients" must be'],
    [{ extends: 'crm.json' }, '"crm.json" is not a ready-made dialect'],
    [{ extends: 'soap' }, '"soap" is not a ready-made dialect'],
    [{ extends: 1 }, '"extends" must be one of square'],
  ])('that is %j is refused, naming the member', (value, message) => {
    expect(messageOf(value)).toContain(message);
  });
});
