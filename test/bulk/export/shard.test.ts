import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashFnv1a, isInShard } from '../../../src/bulk/jobs/job.ts';

describe('a shard', () => {
  it.each([
    ['', 0x811c9dc5],
    ['a', 0xe40c292c],
    ['foobar', 0xbf9cf968],
  ])('uses the FNV-1a hash of the ID: %j', (text, hash) => {
    expect(hashFnv1a(text)).toBe(hash);
  });

  it('depends only on the ID and is counted from 1', () => {
    const index = (hashFnv1a('cli_ü') % 4) + 1;
    for (const row of [{ id: 'cli_ü' }, { id: 'cli_ü', notes: 'changed' }]) {
      expect([1, 2, 3, 4].filter((shard) => isInShard(row, { index: shard, count: 4 }))).toEqual([index]);
    }
  });

  it('contains every row in exactly one shard, with or without an ID', () => {
    const rows = fc.oneof(fc.record({ id: fc.string() }), fc.record({ name: fc.string() }));
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 40 }), (row, count) => {
        const shards = Array.from({ length: count }, (_, index) => ({ index: index + 1, count }));
        expect(shards.filter((shard) => isInShard(row, shard))).toHaveLength(1);
      }),
    );
  });

  it('gets its share of the rows', () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => ({ id: `apt_${index.toString(36)}` }));
    for (let index = 1; index <= 4; index += 1) {
      const own = rows.filter((row) => isInShard(row, { index, count: 4 })).length;
      expect(own).toBeGreaterThan(2_300);
      expect(own).toBeLessThan(2_700);
    }
  });
});
