import { describe, expect, it } from 'vitest';
import { createWaitingLine } from '../../../src/cli/listen/waiting-line.ts';
import { collect } from '../../support/collect.ts';

const mebibyte = 1_048_576;

describe('a waiting line', () => {
  it('hands out what was put in, in that order, until it is closed', async () => {
    const line = createWaitingLine<number>();
    line.put(1, 1);
    const taken = collect(line.items());
    await new Promise(setImmediate);
    line.put(2, 1);
    line.put(3, 1);
    line.close();
    expect(await taken).toEqual([1, 2, 3]);
  });

  it('has room for 64 MiB, and for more once something was taken', async () => {
    const line = createWaitingLine<number>();
    const put = Array.from({ length: 70 }, (_, number) => line.put(number, mebibyte));
    expect(put.filter(Boolean)).toHaveLength(64);
    const items = line.items();
    await items.next();
    expect([line.put(64, mebibyte), line.put(65, mebibyte)]).toEqual([true, false]);
  });

  it('takes nothing more once it is closed', () => {
    const line = createWaitingLine<number>();
    line.close();
    expect(line.put(1, 1)).toBe(false);
  });

  it('fails at once with the error it was closed with, also where it is being waited', async () => {
    const line = createWaitingLine<number>();
    const next = line.items().next();
    line.close(new Error('gone'));
    line.close();
    await expect(next).rejects.toThrow('gone');
  });
});
