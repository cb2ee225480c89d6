import { expect, it } from 'vitest';
import { forEachConcurrent } from '../../src/bulk/concurrent.ts';

it('an item that comes when work may no longer go on is answered, and not worked on', async () => {
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
