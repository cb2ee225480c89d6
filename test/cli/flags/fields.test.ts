import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAssignments, readStdin } from '../../../src/cli/flags/fields.ts';

describe('parseAssignments', () => {
  it.each([
    ['text', ['first_name=Anna'], { first_name: 'Anna' }],
    ['text with further =', ['notes=a=b'], { notes: 'a=b' }],
    ['empty text', ['notes='], { notes: '' }],
    ['text that looks like JSON', ['notes=null'], { notes: 'null' }],
    ['text with := inside', ['notes=a:=b'], { notes: 'a:=b' }],
    ['a list', ['tags:=["vip"]'], { tags: ['vip'] }],
    ['null', ['notes:=null'], { notes: null }],
    ['nothing', [], {}],
  ])('parses %s', (_, set, expected) => {
    expect(parseAssignments(set, undefined)).toEqual(expected);
  });

  it('overrides --data with --set', () => {
    expect(parseAssignments(['notes=new'], { notes: 'old', phone: '1' })).toEqual({
      notes: 'new',
      phone: '1',
    });
  });

  it('treats __proto__ like any other name', () => {
    const fields = parseAssignments(['__proto__:={"admin":true}'], JSON.parse('{"constructor":1}'));
    expect(Object.entries(fields)).toEqual([
      ['constructor', 1],
      ['__proto__', { admin: true }],
    ]);
    expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });

  it.each([
    ['no =', ['notes']],
    ['no name', ['=x']],
    ['no name before :=', [':=1']],
    ['nothing', ['']],
    ['broken JSON', ['tags:=[vip]']],
    ['no JSON', ['tags:=']],
    ['a name twice', ['a=1', 'a:=2']],
  ])('refuses %s', (_, set) => {
    expect(() => parseAssignments(set, undefined)).toThrow(expect.objectContaining({ code: 'usage' }));
  });

  it.each([[null], [[1]], ['text'], [4], [true]])('refuses --data of %j', (data) => {
    expect(() => parseAssignments([], data)).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining('--data') }),
    );
  });

  it('sends every text and every JSON value as given', () => {
    const name = fc.stringMatching(/^[a-z_]+$/);
    fc.assert(
      fc.property(name, fc.string(), fc.jsonValue(), (key, text, json) => {
        expect(parseAssignments([`${key}=${text}`], undefined)).toEqual(Object.fromEntries([[key, text]]));
        const typed = JSON.stringify(json);
        expect(parseAssignments([`${key}:=${typed}`], undefined)).toEqual(
          Object.fromEntries([[key, JSON.parse(typed)]]),
        );
      }),
    );
  });
});

describe('standard input of a command that starts again', () => {
  it('is read from its beginning and to its end, although the first attempt stopped in between', async () => {
    const stdin = Readable.from(['one ', 'two ', 'three'].map((text) => Buffer.from(text)));
    for await (const chunk of readStdin({ stdin })) {
      expect(String(chunk)).toBe('one ');
      break;
    }
    expect(await text(readStdin({ stdin }))).toBe('one two three');
    expect(await text(readStdin({ stdin }))).toBe('one two three');
  });
});
