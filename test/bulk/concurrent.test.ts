import { expect, it } from 'vitest';
import { forEachConcurrent } from '../../src/bulk/concurrent.ts';

it('returns an item that arrives after the stop without working on it', async () => {
  let mayGoOn = true;
  async function* items() {
    yield 'first';
    mayGoOn = false;
    yield 'late';
  }
  const worked: string[] = [];
  const work = async (item: string) => {
    worked.push(item);
  };
  const left = await forEachConcurrent(items(), { most: 1, mayGoOn: () => mayGoOn, work });
  expect({ worked, left }).toEqual({ worked: ['first'], left: ['late'] });
});
