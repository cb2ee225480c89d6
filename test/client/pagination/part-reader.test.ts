import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findUnreadLines } from '../../../src/client/pagination/unread-rows.ts';
import { createPartReader, type Part } from '../../../src/client/pagination/whole-response.ts';
import { parseJson } from '../../../src/contract/json.ts';

const isMark = (line: object) => !('id' in line);

/** Reads lines that arrive in chunks of a size. */
function readParts(text: string | Buffer, size = 65_536): Part[] {
  const bytes = Buffer.from(text);
  const reader = createPartReader(isMark);
  const parts: Part[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    reader.add(bytes.subarray(at, at + size));
    for (let part = reader.next(); part !== undefined; part = reader.next()) parts.push(part);
  }
  return parts;
}

function readRows(lines: readonly string[], size?: number) {
  const [part] = readParts([...lines, '{"end":true}'].map((line) => `${line}\n`).join(''), size);
  return part?.rows ?? [];
}

const isUnread = (rows: readonly unknown[]) => findUnreadLines(rows) !== undefined;

describe('createPartReader', () => {
  it('divides lines at marks', () => {
    const parts = readParts('{"id":"a"}\n{"id":"b"}\n{"cursor":"b"}\n{"id":"c"}\n{"end":true}\n');
    expect(parts).toEqual([
      { rows: [{ id: 'a' }, { id: 'b' }], mark: { cursor: 'b' } },
      { rows: [{ id: 'c' }], mark: { end: true } },
    ]);
    expect(readParts('{"end":true}\n')).toEqual([{ rows: [], mark: { end: true } }]);
  });

  it('returns the same rows however the lines arrive', () => {
    const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.string({ unit: 'binary' }), fc.double());
    const rows = fc
      .uniqueArray(fc.string({ unit: 'binary', maxLength: 5 }), { maxLength: 3 })
      .chain((names) =>
        fc.array(
          fc.record({
            id: fc.oneof({ weight: 5, arbitrary: fc.string() }, { weight: 1, arbitrary: value }),
            ...Object.fromEntries(names.map((name) => [name, value])),
          }),
          { maxLength: 4 },
        ),
      );
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 40 }), (records, size) => {
        const lines = records.map((record) => JSON.stringify(record));
        expect(JSON.stringify(readRows(lines, size))).toBe(
          JSON.stringify(lines.map((line) => parseJson(line))),
        );
      }),
    );
  });

  it('parses no row before it is read', () => {
    const rows = readRows([
      '{"id":"a","name":"Zoë \\"Z\\"","tags":["x"]}',
      '{"id":"b","name":null,"tags":[]}',
    ]);
    expect([rows.length, rows.slice(), isUnread(rows)]).toEqual([2, rows, true]);
    expect(rows.slice(1)).toEqual([{ id: 'b', name: null, tags: [] }]);
    expect(isUnread(rows)).toBe(false);
    expect(rows).toEqual([
      { id: 'a', name: 'Zoë "Z"', tags: ['x'] },
      { id: 'b', name: null, tags: [] },
    ]);
  });

  it('is read like any array', () => {
    const rows = readRows(['{"id":"a"}', '{"id":"b"}']);
    expect(Array.isArray(rows)).toBe(true);
    expect([...rows]).toEqual([{ id: 'a' }, { id: 'b' }]);
    expect(readRows(['{"id":"a"}'])).toEqual([{ id: 'a' }]);
    expect(JSON.stringify(readRows(['{"id":"a"}']))).toBe('[{"id":"a"}]');
    expect([readRows(['{"id":"a"}'])].flat()).toEqual([{ id: 'a' }]);
    expect(Object.keys(readRows(['{"id":"a"}']))).toEqual(['0']);
    expect(0 in readRows(['{"id":"a"}'])).toBe(true);
  });

  it.each([
    ['other members', ['{"id":"a","x":1}', '{"id":"b","y":1}']],
    ['members in another order', ['{"id":"a","x":1}', '{"x":1,"id":"b"}']],
    ['spaces', ['{"id":"a","x":1}', '{"id": "b", "x": 1}']],
    ['an ID with other letters', ['{"id":"a","x":1}', '{"id":"é","x":1}']],
    ['an ID that is a number', ['{"id":"a","x":1}', '{"id":7,"x":1}']],
    ['an object in it', ['{"id":"a","x":1}', '{"id":"b","x":{"y":1}}']],
    ['no ID', ['{"x":1,"id":"a"}', '{"x":1,"id":"a","id":"b"}']],
  ])('parses rows where one has %s', (_what, lines) => {
    const rows = readRows(lines);
    expect(isUnread(rows)).toBe(false);
    expect(rows).toEqual(lines.map((line) => JSON.parse(line)));
  });

  it.each(['01', '1.', '+1', 'nul', '"a\tb"', '"\\x"', '"a', '[1,]', ''])(
    'rejects a row with the value %s',
    (value) => {
      const text = `{"id":"a","x":1}\n{"id":"b","x":${value}}\n{"end":true}\n`;
      expect(() => readParts(text)).toThrow(/instead of JSON lines/);
    },
  );

  it('rejects text that is not UTF-8', () => {
    const text = Buffer.from('{"id":"a","x":"é"}\n{"end":true}\n', 'latin1');
    expect(() => readParts(text)).toThrow('text that is not UTF-8');
  });
});
