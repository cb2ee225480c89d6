import { describe, expect, it } from 'vitest';
import { readRecordNames } from '../../../src/service/domain/audit-log.ts';

type Reader = Parameters<typeof readRecordNames>[0];

const idOf = (prefix: string, number: number) => `${prefix}${String(number).padStart(26, '0')}`;

describe('readRecordNames', () => {
  it('runs one query for each kind of record, however many entries there are', async () => {
    const texts: string[] = [];
    const reader = {
      run: async (text: string, [, ...ids]: string[]) => {
        texts.push(text);
        if (!text.startsWith('select record ')) return ids.map((id) => ({ id, name: 'name' }));
        return ids.map((id) => ({ record: JSON.stringify({ id, first_name: 'Ana' }) }));
      },
    } as unknown as Reader;
    const ids = Array.from({ length: 100 }, (_, index) => idOf('cli_', index));
    const keys = Array.from({ length: 100 }, (_, index) => idOf('key_', index));
    const names = await readRecordNames(reader, 'acc_1', [...ids, ...keys, ...ids]);
    expect(names.size).toBe(200);
    expect(names.get(idOf('cli_', 7))).toBe('Ana');
    expect(texts).toHaveLength(2);
  });
});
