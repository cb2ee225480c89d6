import { describe, expect, it } from 'vitest';
import { pageRoom } from '../../../../src/service/db/pages.ts';
import { toRecords } from '../../../../src/service/db/postgres/page-bytes.ts';

describe('the records of a page', () => {
  const texts = {
    'ASCII only': '{"name":"Mia"}',
    'umlauts and an emoji': '{"name":"Zoë Müller 💇"},{"name":"Łucja’s"}',
    'more than fits into the reused memory': `{"notes":"${'ł'.repeat(200_000)}"}`,
  };

  for (const [name, text] of Object.entries(texts)) {
    it(`are the bytes of their text: ${name}`, () => {
      expect(String(toRecords(text, 'lines').dataJson)).toBe(`${text}\n`);
      const { dataJson, hasRoom } = toRecords(text, undefined);
      const first = toRecords('{}', undefined).dataJson;
      expect(String(dataJson)).toBe(`[${text}]`);
      expect(String(first)).toBe('[{}]');
      const { buffer, byteOffset, byteLength } = dataJson as Buffer;
      expect(hasRoom).toBe(true);
      expect(byteOffset).toBeGreaterThanOrEqual(pageRoom.before);
      expect(buffer.byteLength - byteOffset - byteLength).toBeGreaterThanOrEqual(pageRoom.after);
    });
  }
});
