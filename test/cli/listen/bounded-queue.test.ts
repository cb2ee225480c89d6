import { describe, expect, it } from 'vitest';
import { createBoundedQueue } from '../../../src/cli/listen/bounded-queue.ts';
import { collect } from '../../support/collect.ts';

const mebibyte = 1_048_576;

describe('a bounded queue', () => {
  it('yields items in order until closed', async () => {
    const line = createBoundedQueue<number>();
    line.offer(1, 1);
    const taken = collect(line.items());
    await new Promise(setImmediate);
    line.offer(2, 1);
    line.offer(3, 1);
    line.close();
    expect(await taken).toEqual([1, 2, 3]);
  });

  it('holds 64 MiB, and more once items are taken', async () => {
    const line = createBoundedQueue<number>();
    const put = Array.from({ length: 70 }, (_, number) => line.offer(number, mebibyte));
    expect(put.filter(Boolean)).toHaveLength(64);
    const items = line.items();
    await items.next();
    expect([line.offer(64, mebibyte), line.offer(65, mebibyte)]).toEqual([true, false]);
  });

  it('accepts nothing once closed', () => {
    const line = createBoundedQueue<number>();
    line.close();
    expect(line.offer(1, 1)).toBe(false);
  });

  it('throws the closing error at once, to a waiting reader too', async () => {
    const line = createBoundedQueue<number>();
    const next = line.items().next();
    line.close(new Error('gone'));
    line.close();
    await expect(next).rejects.toThrow('gone');
  });
});
