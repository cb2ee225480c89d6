import { createReadStream } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { ConsistencyReport } from '../../client/pagination/consistency.ts';
import type { ResumePoint } from '../../client/pagination/page.ts';
import { createRecentKeys } from '../../client/pagination/paginate.ts';
import type { SeenKeys } from '../../client/pagination/seen-keys.ts';
import { systemCodeOf } from '../jobs/file-access.ts';
import {
  type CompleteEntry,
  type ExportEntry,
  type ExportPosition,
  exportStart,
  type PageEntry,
  readEntries,
  readJournal,
} from '../jobs/journal.ts';
/** Where an interrupted export resumes: the last position at which its journal and its file agree. */
export interface Checkpoint {
  readonly isDone: boolean;
  /** Set if the file at `source` is complete. */
  readonly complete: CompleteEntry | undefined;
  /** The file with the rows; undefined if there is none to resume. */
  readonly source: string | undefined;
  readonly position: ExportPosition;
  /** Length of the journal up to this position. */
  readonly journalBytes: number;
  readonly earlierRuns: EarlierRuns;
  /** Where the list continues; undefined if it has to be read from its start. */
  readonly resume: ResumePoint | undefined;
  /** Whether the whole list was read and rows were missing. */
  readonly isReadToEnd: boolean;
  /** Whether damaged entries or rows were left out. */
  readonly isDamaged: boolean;
}

/** What the earlier runs of an export found out about the list. */
export interface EarlierRuns {
  readonly rows: number;
  readonly pages: number;
  readonly firstTotal: number | undefined;
  readonly firstVersion: number | undefined;
  /** Whether all pages had that version. */
  readonly isOneVersion: boolean;
}

/** Without the keys of its rows, which may be millions in all. */
type PagePosition = Omit<PageEntry, 'keys'> & { readonly endsAt: number };

/**
 * Finds the checkpoint of an export. Its rows are in one of the files `sources`, or at `target` already; the file
 * that agrees longest with the journal counts.
 */
export async function findCheckpoint(
  journal: string,
  { sources, target }: { readonly sources: readonly string[]; readonly target: string },
): Promise<Checkpoint> {
  const pages: PagePosition[] = [];
  let complete: (CompleteEntry & { endsAt: number }) | undefined;
  let newest: ExportEntry | undefined;
  const { isDamaged } = await readJournal<ExportEntry>(journal, (entry, endsAt) => {
    newest = entry;
    if (entry.type === 'complete') complete = { ...entry, endsAt };
    if (entry.type !== 'page') return;
    complete = undefined;
    const { keys: _keys, ...page } = entry;
    pages.push({ ...page, endsAt });
  });
  const isDone = newest?.type === 'done';
  if (complete !== undefined && !isDone) {
    const source = await findComplete([...sources, target], complete);
    const { endsAt: journalBytes } = complete;
    if (source !== undefined) {
      return { ...toCheckpoint(pages, isDamaged), complete, source, position: complete, journalBytes };
    }
  }
  const { source, valid } = isDone ? { source: undefined, valid: 0 } : await findLongest(sources, pages);
  return {
    ...toCheckpoint(pages.slice(0, valid), isDamaged || (!isDone && valid < pages.length)),
    isDone,
    source,
    isReadToEnd: newest?.type === 'stopped' && newest.code === 'disagreement' && valid === pages.length,
  };
}

/** Adds the keys of all rows before a checkpoint to `seen`. Returns where the list continues. */
export async function readResumePoint(
  journal: string,
  { journalBytes, resume }: Pick<Checkpoint, 'journalBytes' | 'resume'>,
  seen: SeenKeys,
): Promise<ResumePoint | undefined> {
  const recent = createRecentKeys();
  for await (const { entry, endsAt } of readEntries<ExportEntry>(journal)) {
    if (entry.type !== 'page' || endsAt > journalBytes) continue;
    seen.add(entry.keys);
    recent.add(entry.keys);
  }
  return resume === undefined ? undefined : { ...resume, behind: recent.keys() };
}

function toCheckpoint(pages: readonly PagePosition[], isDamaged: boolean): Checkpoint {
  const [first, last] = [pages[0], pages.at(-1)];
  const { rows, written, bytes, crc } = last ?? exportStart;
  return {
    isDone: false,
    complete: undefined,
    source: undefined,
    position: { rows, written, bytes, crc },
    journalBytes: last?.endsAt ?? 0,
    earlierRuns: {
      rows,
      pages: pages.length,
      firstTotal: first?.total ?? undefined,
      firstVersion: first?.version ?? undefined,
      isOneVersion: pages.every(({ version }) => version === first?.version),
    },
    resume: last?.resume ?? undefined,
    isReadToEnd: false,
    isDamaged,
  };
}

/** How many positions of a journal, or of a checkpoint beside the file, a file agrees with. */
export async function comparePartial(journal: string, file: string): Promise<{ readonly valid: number }> {
  const positions: ExportPosition[] = [];
  for await (const { entry } of readEntries<ExportEntry>(journal))
    if (entry.type === 'page' || entry.type === 'complete') positions.push(entry);
  return compare(file, positions);
}

async function findComplete(files: readonly string[], complete: ExportPosition): Promise<string | undefined> {
  for (const file of files) {
    const { valid, bytes } = await compare(file, [complete]);
    if (valid === 1 && bytes === complete.bytes) return file;
  }
  return undefined;
}

async function findLongest(files: readonly string[], positions: readonly ExportPosition[]) {
  let longest: { source: string | undefined; valid: number } = { source: undefined, valid: 0 };
  for (const source of files) {
    const { valid } = await compare(source, positions);
    if (valid > longest.valid) longest = { source, valid };
  }
  return longest;
}

/** Counts the positions that a file agrees with, and its bytes. */
async function compare(
  file: string,
  positions: readonly ExportPosition[],
): Promise<{ valid: number; bytes: number }> {
  let [bytes, crc, reached, valid] = [0, 0, 0, 0];
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      let rest = chunk;
      for (let next = positions[reached]; next !== undefined && next.bytes <= bytes + rest.length; ) {
        const part = rest.subarray(0, next.bytes - bytes);
        crc = crc32(part, crc);
        bytes += part.length;
        rest = rest.subarray(part.length);
        reached += 1;
        if (crc === next.crc) valid = reached;
        next = positions[reached];
      }
      crc = crc32(rest, crc);
      bytes += rest.length;
    }
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
  }
  return { valid, bytes };
}

/**
 * The report on an export of several runs. Rows of earlier runs may have been deleted since, so more rows than the
 * list has are no disagreement. Each page of an earlier run counts as one request.
 */
export function mergeReports(earlier: EarlierRuns, last: ConsistencyReport, rows: number): ConsistencyReport {
  const { firstVersion, firstTotal, isOneVersion } = earlier;
  const versions =
    firstVersion === undefined || last.versions === undefined
      ? undefined
      : { first: firstVersion, last: last.versions.last };
  const { kind, lastTotal } = last;
  const isOne = isOneVersion && last.versions !== undefined && last.versions.first === firstVersion;
  const isMissing = lastTotal !== undefined && rows < lastTotal && kind === 'disagreement';
  const isProven = isMissing || kind === 'not proven' || (kind === 'exact' && isOne);
  return {
    ...last,
    kind: isProven ? kind : 'consistent',
    rows,
    distinct: rows,
    firstTotal: firstTotal ?? last.firstTotal,
    pages: earlier.pages + last.pages,
    requests: earlier.pages + last.requests,
    versions,
  };
}
