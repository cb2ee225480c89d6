import { describe, expect, it } from 'vitest';
import { untilNothingNew } from '../../../src/bulk/export/until-nothing-new.ts';
import { openSightings } from '../../../src/client/walk/sightings.ts';

/** Pages of one row each, by identifier, and then the last of them for ever. */
async function* pagesOf(ids: readonly string[], { isEndless = false } = {}) {
  for (const id of ids) yield { rows: [{ id }] };
  while (isEndless) yield { rows: [{ id: ids.at(-1) }] };
}

async function read(pages: AsyncIterable<{ rows: { id?: string | undefined }[] }>, known: readonly string[]) {
  using sightings = openSightings('');
  sightings.note(known);
  const found: unknown[] = [];
  for await (const { rows } of untilNothingNew(pages, { sightings, pagesBefore: known.length })) {
    found.push(...rows.map((row) => row['id']));
  }
  return found;
}

describe('the rest of a list', () => {
  it('is what is not known yet', async () => {
    expect(await read(pagesOf(['a', 'b', 'c', 'a', 'd']), ['a', 'c'])).toEqual(['b', 'd']);
  });

  it('is read behind as many known pages as were read before', async () => {
    const known = Array.from({ length: 500 }, (_, index) => `k${String(index).padStart(3, '0')}`);
    expect(await read(pagesOf([...known, 'new']), known)).toEqual(['new']);
  });

  it('ends where a server repeats itself for ever', async () => {
    expect(await read(pagesOf(['a', 'b', 'c'], { isEndless: true }), ['a'])).toEqual(['b', 'c']);
  });
});
