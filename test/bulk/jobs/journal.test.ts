import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type JournalReading, openJournal, readJournal } from '../../../src/bulk/jobs/journal.ts';
import { countBySpeed } from '../../support/speed.ts';

interface Entry {
  readonly number: number;
  readonly text: string;
}

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'salon-journal-'));
  path = join(folder, 'journal');
});

afterEach(() => rmSync(folder, { recursive: true }));

async function writeAll(entries: readonly Entry[], intactBytes = 0): Promise<void> {
  await using journal = await openJournal<Entry>(path, intactBytes);
  for (const entry of entries) await journal.append(entry);
  await journal.commit();
}

async function readAll(reading?: JournalReading) {
  const entries: Entry[] = [];
  const end = await readJournal<Entry>(path, (entry) => entries.push(entry), reading);
  return { entries, ...end };
}

const some = [
  { number: 1, text: 'ü' },
  { number: 2, text: 'line\u2028break\r\n' },
  { number: 3, text: '' },
];

describe('a journal', () => {
  it('returns entries in order', async () => {
    await writeAll(some);
    const intactBytes = readFileSync(path).length;
    expect(await readAll()).toEqual({ entries: some, intactBytes, isDamaged: false, hasGap: false });
  });

  it('is empty if it does not exist', async () => {
    expect(await readAll()).toEqual({ entries: [], intactBytes: 0, isDamaged: false, hasGap: false });
  });

  it('keeps every entry of concurrent appends and commits', async () => {
    const entries = Array.from({ length: 500 }, (_, number) => ({ number, text: 'x' }));
    {
      await using journal = await openJournal<Entry>(path, 0);
      await Promise.all(
        entries.map(async (entry) => {
          await journal.append(entry);
          await journal.commit();
        }),
      );
    }
    expect((await readAll()).entries).toEqual(entries);
  });

  it('flushes again for an entry that comes during a flush', async () => {
    await using journal = await openJournal<Entry>(path, 0);
    const first = journal.commit();
    const turns = async () => {
      for (let turn = 0; turn < 20; turn += 1) await undefined;
    };
    await turns();
    let isFlushed = false;
    const second = journal.commit().then(() => {
      isFlushed = true;
    });
    await first;
    // Promises alone finish no flush: the disk does, in a later turn of the event loop.
    await turns();
    expect(isFlushed).toBe(false);
    await second;
  });

  it('can be replaced and continued', async () => {
    await writeAll(some);
    {
      await using journal = await openJournal<Entry>(path, 0);
      await journal.append({ number: 8, text: 'before' });
      await journal.replace([{ number: 9, text: 'instead' }]);
      await journal.append({ number: 10, text: 'behind' });
    }
    expect((await readAll()).entries.map(({ number }) => number)).toEqual([9, 10]);
  });

  it('rejects entries after a failure', async () => {
    await using journal = await openJournal<{ size: bigint | number }>(path, 0);
    await expect(journal.append({ size: 1n })).rejects.toThrow(TypeError);
    await expect(journal.append({ size: 1 })).rejects.toThrow(TypeError);
    expect(readFileSync(path, 'utf8')).toBe('');
  });
});

describe('a damaged journal', () => {
  const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }), { minLength: 1, maxLength: 8 });

  it('returns the entries before a truncation and can be continued', async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.nat(), async (written, cut) => {
        const entries = written.map((text, number) => ({ number, text }));
        rmSync(path, { force: true });
        await writeAll(entries);
        const whole = readFileSync(path);
        const length = cut % whole.length;
        writeFileSync(path, whole.subarray(0, length));
        const read = await readAll();
        expect(read.entries).toEqual(entries.slice(0, read.entries.length));
        expect(read.isDamaged).toBe(read.intactBytes < length);
        const next = { number: 99, text: 'next' };
        await writeAll([next], read.intactBytes);
        expect((await readAll()).entries).toEqual([...read.entries, next]);
      }),
      { numRuns: countBySpeed(50) },
    );
  });

  it('can skip the damage, say that entries are lost, and be continued', async () => {
    await writeAll(some);
    const lines = readFileSync(path, 'latin1').split('\n');
    for (const noise of ['\0\xff\x80 binary', lines[1]?.slice(0, -2) ?? '', '00000000 {}']) {
      writeFileSync(path, [lines[0], noise, lines[2], 'torn'].join('\n'), 'latin1');
      const read = await readAll({ skipsDamage: true });
      expect(read.entries).toEqual([some[0], some[2]]);
      expect(read).toMatchObject({ isDamaged: true, hasGap: true });
      await writeAll([{ number: 9, text: 'next' }], read.intactBytes);
      expect((await readAll({ skipsDamage: true })).entries.at(-1)).toEqual({ number: 9, text: 'next' });
    }
  });

  it('that only lacks the end of its last line has lost no entries', async () => {
    await writeAll(some);
    writeFileSync(path, readFileSync(path).subarray(0, -3));
    expect(await readAll({ skipsDamage: true })).toMatchObject({ isDamaged: true, hasGap: false });
  });

  it('never returns a changed entry', async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.nat(), fc.integer({ min: 1, max: 255 }), async (written, at, change) => {
        const entries = written.map((text, number) => ({ number, text }));
        rmSync(path, { force: true });
        await writeAll(entries);
        const bytes = readFileSync(path);
        const place = at % bytes.length;
        bytes[place] = (bytes[place] ?? 0) ^ change;
        writeFileSync(path, bytes);
        const read = await readAll();
        expect(read.isDamaged).toBe(true);
        expect(read.entries).toEqual(entries.slice(0, read.entries.length));
        expect(read.entries.length).toBeLessThan(entries.length);
      }),
      { numRuns: countBySpeed(50) },
    );
  });
});
