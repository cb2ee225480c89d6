import { createReadStream } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { ConsistencyReport } from '../../client/pagination/consistency.ts';
import type { ResumePoint } from '../../client/pagination/page.ts';
import { createRecentKeys } from '../../client/pagination/paginate.ts';
import type { SeenKeys } from '../../client/pagination/seen-keys.ts';
import { systemCodeOf } from '../jobs/file-access.ts';
import { readJournal } from '../jobs/journal.ts';
import { type CompleteEntry, type ExportEntry, type Position, start } from '../jobs/journal-entries.ts';

/** Where an export that stopped can go on: as far as its journal and its rows are both sound. */
export interface Checkpoint {
  readonly isDone: boolean;
  /** Set where every row has come, and the file at `source` is whole. */
  readonly complete: CompleteEntry | undefined;
  /** The file that holds the rows; undefined where there is none to go on with. */
  readonly source: string | undefined;
  readonly position: Position;
  /** Up to here the journal is kept. */
  readonly journalBytes: number;
  readonly before: Before;
  /** Where the list goes on behind what is there; undefined where it has to be read from its start. */
  readonly resume: ResumePoint | undefined;
  /** Whether the list was read to its end, and rows were missing. */
  readonly isReadToEnd: boolean;
  /** Whether something had to be left out because it was damaged. */
  readonly isDamaged: boolean;
}

interface Step extends Position {
  readonly endsAt: number;
  readonly total: number | undefined;
  readonly version: number | undefined;
  readonly resume: ResumePoint | undefined;
}

/**
 * Finds where to go on. `sources` are the files in which the rows may lie, the likeliest first, and `target` the one
 * they may be in already. Of those the one counts that agrees with the journal the farthest.
 */
export async function findCheckpoint(
  journal: string,
  { sources, target }: { readonly sources: readonly string[]; readonly target: string },
): Promise<Checkpoint> {
  const steps: Step[] = [];
  let complete: (CompleteEntry & { endsAt: number }) | undefined;
  let newest: ExportEntry | undefined;
  const { isDamaged } = await readJournal<ExportEntry>(journal, (entry, endsAt) => {
    newest = entry;
    if (entry.type === 'complete') complete = { ...entry, endsAt };
    if (entry.type !== 'page') return;
    complete = undefined;
    const { rows, written, bytes, crc } = entry;
    steps.push({
      ...{ rows, written, bytes, crc, endsAt },
      total: entry.total ?? undefined,
      version: entry.version ?? undefined,
      resume: entry.resume ?? undefined,
    });
  });
  const isDone = newest?.type === 'done';
  const whole =
    complete === undefined || isDone ? undefined : await findWhole([...sources, target], complete);
  if (whole !== undefined && complete !== undefined) {
    return {
      ...toFooting(steps, isDamaged),
      complete,
      source: whole,
      position: complete,
      journalBytes: complete.endsAt,
    };
  }
  const { source, sound } = isDone ? { source: undefined, sound: 0 } : await findSound(sources, steps);
  return {
    ...toFooting(steps.slice(0, sound), isDamaged || (!isDone && sound < steps.length)),
    isDone,
    source,
    isReadToEnd: newest?.type === 'stopped' && newest.code === 'disagreement' && sound === steps.length,
  };
}

/** Shows the keys of all rows up to a footing to `sightings`, and answers where a walk goes on behind them. */
export async function findResumePoint(
  journal: string,
  { journalBytes, resume }: Pick<Checkpoint, 'journalBytes' | 'resume'>,
  sightings: SeenKeys,
): Promise<ResumePoint | undefined> {
  const trail = createRecentKeys();
  await readJournal<ExportEntry>(journal, (entry, endsAt) => {
    if (entry.type !== 'page' || endsAt > journalBytes) return;
    sightings.add(entry.keys);
    trail.add(entry.keys);
  });
  return resume === undefined ? undefined : { ...resume, behind: trail.keys() };
}

function toFooting(steps: readonly Step[], isDamaged: boolean): Checkpoint {
  const [first, last] = [steps[0], steps.at(-1)];
  const { rows, written, bytes, crc } = last ?? start;
  return {
    isDone: false,
    complete: undefined,
    source: undefined,
    position: { rows, written, bytes, crc },
    journalBytes: last?.endsAt ?? 0,
    before: {
      rows,
      pages: steps.length,
      firstTotal: first?.total,
      firstVersion: first?.version,
      isOneVersion: steps.every(({ version }) => version === first?.version),
    },
    resume: last?.resume,
    isReadToEnd: false,
    isDamaged,
  };
}

async function findWhole(files: readonly string[], complete: Position): Promise<string | undefined> {
  for (const file of files) {
    const { sound, bytes } = await compare(file, [complete]);
    if (sound === 1 && bytes === complete.bytes) return file;
  }
  return undefined;
}

async function findSound(files: readonly string[], steps: readonly Position[]) {
  let best: { source: string | undefined; sound: number } = { source: undefined, sound: 0 };
  for (const source of files) {
    const { sound } = await compare(source, steps);
    if (sound > best.sound) best = { source, sound };
  }
  return best;
}

/** How many of the positions a file agrees with, and its length. */
async function compare(
  file: string,
  positions: readonly Position[],
): Promise<{ sound: number; bytes: number }> {
  let [bytes, crc, reached, sound] = [0, 0, 0, 0];
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      let rest = chunk;
      for (let next = positions[reached]; next !== undefined && next.bytes <= bytes + rest.length; ) {
        const part = rest.subarray(0, next.bytes - bytes);
        crc = crc32(part, crc);
        bytes += part.length;
        rest = rest.subarray(part.length);
        reached += 1;
        if (crc === next.crc) sound = reached;
        next = positions[reached];
      }
      crc = crc32(rest, crc);
      bytes += rest.length;
    }
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
  }
  return { sound, bytes };
}

/** What earlier runs of an export knew of the list. */
export interface Before {
  readonly rows: number;
  readonly pages: number;
  readonly firstTotal: number | undefined;
  /** Of the first page, and whether all pages had the same. */
  readonly firstVersion: number | undefined;
  readonly isOneVersion: boolean;
}

/**
 * The verdict on an export in several runs, given that of the last one. Rows of earlier runs may have been deleted
 * since, so that more rows than the list has are no contradiction. Each page of an earlier run counts as one request.
 */
export function joinVerdicts(before: Before, last: ConsistencyReport, rows: number): ConsistencyReport {
  const { firstVersion, firstTotal, isOneVersion } = before;
  const versions =
    firstVersion === undefined || last.versions === undefined
      ? undefined
      : { first: firstVersion, last: last.versions.last };
  return {
    ...last,
    kind: toKind(last, { rows, isOneMoment: isOneVersion && last.versions?.first === firstVersion }),
    rows,
    distinct: rows,
    firstTotal: firstTotal ?? last.firstTotal,
    pages: before.pages + last.pages,
    requests: before.pages + last.requests,
    versions,
  };
}

function toKind(
  { kind, lastTotal, versions }: ConsistencyReport,
  { rows, isOneMoment }: { rows: number; isOneMoment: boolean },
): ConsistencyReport['kind'] {
  if (lastTotal !== undefined && rows < lastTotal && kind === 'disagreement') return 'disagreement';
  if (kind === 'exact' && isOneMoment && versions !== undefined) return 'exact';
  return kind === 'not proven' ? 'not proven' : 'consistent';
}
