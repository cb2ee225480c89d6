import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findCheckpoint, readResumePoint } from '../../../src/bulk/export/checkpoint.ts';
import { type ExportEntry, openJournal, type PageEntry } from '../../../src/bulk/jobs/journal.ts';
import { openSeenKeys } from '../../../src/client/pagination/seen-keys.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'salon-checkpoint-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const path = (name: string) => join(folder, name);

/** Pages of two rows, ten bytes each, as a journal and as the text of their file. */
function toPages(count: number): { entries: PageEntry[]; text: string } {
  const text = Array.from({ length: count }, (_, index) => `page ${String(index).padStart(4, '0')}\n`).join(
    '',
  );
  const entries = Array.from({ length: count }, (_, index): PageEntry => {
    const bytes = (index + 1) * 10;
    return {
      type: 'page',
      rows: (index + 1) * 2,
      written: (index + 1) * 2,
      bytes,
      crc: crc32(text.slice(0, bytes)),
      total: 100,
      version: 7,
      keys: [`${index}a`, `${index}b`],
      resume: { page: index + 2, perPage: 2, rows: (index + 1) * 2, cursor: `?after=${index}b` },
    };
  });
  return { entries, text };
}

async function writeJournal(entries: readonly ExportEntry[]): Promise<void> {
  await using journal = await openJournal<ExportEntry>(path('journal'), 0);
  for (const entry of entries) await journal.append(entry);
}

function find() {
  return findCheckpoint(path('journal'), {
    sources: [path('own'), path('kept')],
    target: path('target'),
  });
}

const { entries, text } = toPages(5);
const complete: ExportEntry = {
  type: 'complete',
  rows: 10,
  written: 10,
  bytes: 50,
  crc: crc32(text),
  verdict: null,
};

describe('the checkpoint of an export', () => {
  it.each([
    ['all of its pages', text, 10],
    ['all of its pages and half of one more', `${text}half`, 10],
    ['three pages and a half', text.slice(0, 35), 6],
    ['two pages and other data', `${text.slice(0, 20)}xxxxxxxxxxxxxxxxxxxx`, 4],
    ['other data only', 'something else, and rather long', 0],
    ['nothing', '', 0],
  ])('in a file with %s is after %3$i rows', async (_title, content, rows) => {
    await writeJournal(entries);
    writeFileSync(path('own'), content);
    const checkpoint = await find();
    expect(checkpoint.position.rows).toBe(rows);
    expect(checkpoint.isDamaged).toBe(rows < 10);
    expect(checkpoint.source).toBe(rows === 0 ? undefined : path('own'));
  });

  it('is in the file that agrees longest', async () => {
    await writeJournal(entries);
    writeFileSync(path('own'), text.slice(0, 20));
    writeFileSync(path('kept'), text.slice(0, 40));
    expect(await find()).toMatchObject({ source: path('kept'), position: { rows: 8, bytes: 40 } });
  });

  it.each(['own', 'kept', 'target'])('is at the end if the file %s is complete', async (name) => {
    await writeJournal([...entries, complete]);
    writeFileSync(path(name), text);
    expect(await find()).toMatchObject({ source: path(name), complete: { rows: 10 } });
  });

  it('is not in a file that replaced the export', async () => {
    await writeJournal([...entries, complete]);
    writeFileSync(path('target'), `${text}and more`);
    expect(await find()).toMatchObject({ source: undefined, complete: undefined, position: { rows: 0 } });
  });

  it('has the next page and the keys before it', async () => {
    await writeJournal(entries);
    writeFileSync(path('own'), text.slice(0, 30));
    using seen = openSeenKeys();
    const point = await readResumePoint(path('journal'), await find(), seen);
    const keys = ['0a', '0b', '1a', '1b', '2a', '2b'];
    expect(point).toEqual({ page: 4, perPage: 2, rows: 6, cursor: '?after=2b', behind: keys });
    expect(seen.has(['0a', '2b', '3a'])).toEqual([true, true, false]);
  });
});
