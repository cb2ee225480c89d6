import { describe, expect, it } from 'vitest';
import { contractDialect, type Dialect } from '../../../src/client/dialect/dialect.ts';
import { toRecordBody } from '../../../src/client/dialect/record-form.ts';
import type { Fields } from '../../../src/client/json-object.ts';
import { parseJson } from '../../../src/text/json.ts';

function write(fields: Fields, parts: Partial<Dialect>, { id, key }: { id?: string; key?: string } = {}) {
  return toRecordBody(fields, { dialect: { ...contractDialect, ...parts }, noun: 'clients', id, key });
}

describe('the body of a record', () => {
  it('is the record itself by default, in the content type of every request', () => {
    expect(write({ notes: null }, {})).toEqual({ text: '{"notes":null}', contentType: undefined });
  });

  it('is wrapped, and repeats the idempotency key, where the server wants that', () => {
    const parts = { bodyKeys: { clients: 'client' }, idempotencyField: 'idempotency_key' };
    const { text } = write({ notes: 'a' }, parts, { key: 'k1' });
    expect(JSON.parse(text)).toEqual({ client: { notes: 'a' }, idempotency_key: 'k1' });
  });

  it('has no idempotency key if it changes a record', () => {
    expect(write({ notes: 'a' }, { idempotencyField: 'key' }, { id: '7' }).text).toBe('{"notes":"a"}');
  });

  it.each<[what: string, fields: Fields, form: string]>([
    ['null as an empty text', { phone: null }, 'phone='],
    ['members with their keys', { metadata: { a: 1, 'b c': null } }, 'metadata[a]=1&metadata[b c]='],
    ['arrays with their indexes', { tags: ['x', 'y'] }, 'tags[0]=x&tags[1]=y'],
    ['an empty object as an empty text', { metadata: {}, tags: [] }, 'metadata=&tags='],
    ['special characters', { name: 'Ø & 100 %=+' }, 'name=Ø+%26+100+%25%3D%2B'],
    ['every digit of a number', { total: parseJson('[9007199254740993]') }, 'total[0]=9007199254740993'],
  ])('as a form has %s', (_what, fields, form) => {
    const { text, contentType } = write(fields, { bodyFormat: 'form' });
    expect([...new URLSearchParams(text)]).toEqual([...new URLSearchParams(form)]);
    expect(contentType).toBe('application/x-www-form-urlencoded');
  });

  it('as a JSON:API document has the type and ID, and only fields as attributes', () => {
    const row = {
      id: '7',
      type: 'clients',
      links: {},
      notes: 'a',
      relationships: { stylist: { data: null } },
    };
    const { text, contentType } = write(
      row,
      { bodyFormat: 'jsonapi', resources: { clients: 'people' } },
      { id: '7' },
    );
    expect(JSON.parse(text)).toEqual({
      data: {
        type: 'people',
        id: '7',
        attributes: { notes: 'a' },
        relationships: { stylist: { data: null } },
      },
    });
    expect(contentType).toBe('application/vnd.api+json');
  });
});
