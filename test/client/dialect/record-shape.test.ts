import { describe, expect, it } from 'vitest';
import { toRow } from '../../../src/client/dialect/record-form.ts';

describe('a row', () => {
  const plain = { fieldsKey: null, idKey: 'id' };

  it('has the attributes of a JSON:API resource object as its own members', () => {
    const record = { type: 'clients', id: '1', attributes: { email: 'a@x.test' }, links: { self: '/1' } };
    expect(toRow(record, plain)).toEqual({
      type: 'clients',
      id: '1',
      links: { self: '/1' },
      email: 'a@x.test',
    });
  });

  it.each([
    ['attributes beside other fields', { id: '1', name: 'Ana', attributes: { vip: true } }],
    ['attributes without an ID', { attributes: { vip: true } }],
    ['no attributes', { id: 1, name: 'Ana' }],
  ])('stays as it is with %s', (_what, record) => {
    expect(toRow(record, plain)).toEqual(record);
  });

  it('has the ID from its link to itself if it has no other, as Spring Data REST', () => {
    const record = { _links: { self: { href: 'https://x.test/clients/a%20b' } } };
    expect(toRow(record, plain)).toEqual({ ...record, id: 'a b' });
  });

  it.each([
    ['_links.self.href', { _links: { self: { href: 'https://x.test/clients/42?a=1' } } }, '42'],
    ['ClientID', { ClientID: 42 }, 42],
    ['key', { key: 'a/b' }, 'a/b'],
    ['documentId', { id: 12, documentId: 'abc' }, 'abc'],
  ])('has the ID from %s', (idKey, record, id) => {
    expect(toRow(record, { fieldsKey: null, idKey })).toEqual({ ...record, id });
  });
});
