import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openWholeResponse } from '../../../src/client/ours/whole-list.ts';
import { parseJson } from '../../../src/text/json.ts';
import { refusal } from '../../support/open-client.ts';

const headers = { 'salon-total': '2', 'preference-applied': 'cursors' };

/** Reads the parts of a response that arrives in chunks of a size. */
async function readParts(text: string | Buffer, size = 65_536) {
  const bytes = Buffer.from(text);
  async function* toChunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const stream = { chunks: toChunks(), cancel() {}, ended: Promise.resolve({ bytes: 0, start: bytes }) };
  const toLink = (cursor: string) => `/clients?after=${cursor}`;
  const whole = openWholeResponse(
    { status: 200, headers, body: undefined, stream },
    { origin: 'http://salon.test', toLink },
  );
  const parts = [];
  for (let part = await whole?.next(); part !== undefined; part = await whole?.next()) {
    parts.push({ rows: part.rows, link: whole?.link });
  }
  return parts;
}

async function readRows(lines: readonly string[], size?: number) {
  const end = JSON.stringify({ end: true, rows: lines.length });
  const [part] = await readParts([...lines, end].map((line) => `${line}\n`).join(''), size);
  return part?.rows;
}

describe('the lines of a list in one response', () => {
  it('are divided at marks', async () => {
    const text = '{"id":"a"}\n{"id":"b"}\n{"cursor":"b"}\n{"id":"c"}\n{"end":true,"rows":3}\n';
    expect(await readParts(text)).toEqual([
      { rows: [{ id: 'a' }, { id: 'b' }], link: '/clients?after=b' },
      { rows: [{ id: 'c' }], link: undefined },
    ]);
    expect(await readParts('{"end":true,"rows":0}\n')).toEqual([{ rows: [], link: undefined }]);
  });

  it('are the same rows however they arrive', async () => {
    const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.string({ unit: 'binary' }), fc.double());
    const row = fc.record({ id: fc.oneof(fc.string(), value), a: value, 'ü "': value });
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 4 }),
        fc.integer({ min: 1, max: 40 }),
        async (all, size) => {
          const lines = all.map((record) => JSON.stringify(record));
          const expected = lines.map((line) => parseJson(line));
          expect(JSON.stringify(await readRows(lines, size))).toBe(JSON.stringify(expected));
        },
      ),
    );
  });

  it('may have other members and another order each', async () => {
    const lines = ['{"id":"a","x":1}', '{"x":1.50,"id":"b"}', '{"id": 7, "y": {"z":[]}}', '{"x":1,"id":"é"}'];
    const rows = await readRows(lines);
    expect(rows?.map((row) => JSON.stringify(row))).toEqual([
      lines[0],
      lines[1],
      '{"id":7,"y":{"z":[]}}',
      lines[3],
    ]);
  });

  it.each(['01', '1.', '+1', 'nul', '"a\tb"', '"\\x"', '"a', '[1,]', ''])(
    'are refused with the value %s',
    async (value) => {
      const error = await refusal(readRows(['{"id":"a","x":1}', `{"id":"b","x":${value}}`]));
      expect(error.message).toMatch(/instead of JSON lines/);
    },
  );

  it.each<[string, string | Buffer, string]>([
    ['text that is not UTF-8', Buffer.from('{"id":"é"}\n{"end":true,"rows":1}\n', 'latin1'), 'not UTF-8'],
    ['a line after the end', '{"end":true,"rows":0}\n{"id":"a"}\n', 'rows after the end'],
    ['the start of a line after the end', '{"end":true,"rows":0}\n{"id"', 'rows after the end'],
    ['too much without a mark', Buffer.alloc(65 * 1_048_576, '{"id":"a"}\n'), 'more rows at once'],
    ['a line that is too long', Buffer.alloc(65 * 1_048_576, 'x'), 'more rows at once'],
    ['deeply nested JSON', `${'['.repeat(200)}${']'.repeat(200)}\n`, 'nested too deeply'],
    ['no end', '{"id":"a"}\n{"end":true,"ro', 'incomplete'],
  ])('are refused with %s', async (_what, text, message) => {
    expect((await refusal(readParts(text))).message).toContain(message);
  });
});
