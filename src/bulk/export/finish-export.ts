import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ConsistencyReport } from '../../client/pagination/consistency.ts';
import type { ExportWork } from '../jobs/job.ts';
import type { ExportRun } from './export-writer.ts';
import type { PartialFile } from './partial-file.ts';

export interface Finishing {
  readonly run: Pick<ExportRun, 'finish' | 'position'>;
  /** Where the finished data lies, and the file to put it in its place; undefined where it is there already. */
  readonly dataPath: string;
  readonly file: PartialFile | undefined;
  readonly work: ExportWork;
  readonly origin: string;
  readonly verdict: ConsistencyReport | undefined;
  readonly startedAt: string;
  readonly now: () => Date;
  readonly salonVersion: string;
  /** Writes a small file, whole or not at all. */
  writeWhole(path: string, text: string): Promise<void>;
}

/**
 * Puts a complete export in its place, then its manifest, then the state that the next one starts from. Each can be
 * done twice, so that an end in between is made good by doing all of it again. No manifest is ever beside the file
 * of another.
 */
export async function finishExport(finishing: Finishing): Promise<void> {
  const { run, dataPath, file, work, origin, verdict, startedAt, salonVersion, writeWhole } = finishing;
  const sha256 = work.manifest ? await readSha256(dataPath) : undefined;
  await removeStaleManifest(work.output);
  await file?.commit();
  const endedAt = finishing.now().toISOString();
  if (sha256 !== undefined) {
    const { bytes, written } = run.position;
    const facts = { work, origin, fileName: basename(work.output), sha256, bytes, written, verdict };
    const manifest = toManifest({ ...facts, startedAt, endedAt, salonVersion });
    await writeWhole(manifestPath(work.output), `${JSON.stringify(manifest, null, 2)}\n`);
  }
  if (work.state !== null) await writeWhole(work.state.path, work.state.text);
  await run.finish(endedAt);
}

/** What an export says of itself beside its file. Times are instants. */
export interface Manifest {
  readonly manifest_version: 1;
  readonly salon_version: string;
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
  /** Rows in the file. */
  readonly rows: number;
  readonly pages: number | null;
  readonly requests: number | null;
  readonly verdict: ConsistencyReport['kind'] | null;
  readonly first_total: number | null;
  readonly last_total: number | null;
  readonly collection_versions: { readonly first: number; readonly last: number } | null;
  readonly origin: string;
  readonly list: ExportWork['noun'];
  readonly query: Readonly<Record<string, string>>;
  readonly limit: number | null;
  readonly shard: ExportWork['shard'];
  readonly time_zone: string;
  readonly layout: string;
  readonly columns: readonly string[] | null;
  readonly started_at: string;
  readonly ended_at: string;
}

export interface ManifestFacts {
  readonly work: ExportWork;
  readonly origin: string;
  readonly fileName: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly written: number;
  readonly verdict: ConsistencyReport | undefined;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly salonVersion: string;
}

export function toManifest(facts: ManifestFacts): Manifest {
  const { work, verdict } = facts;
  return {
    manifest_version: 1,
    salon_version: facts.salonVersion,
    file: facts.fileName,
    sha256: facts.sha256,
    bytes: facts.bytes,
    rows: facts.written,
    pages: verdict?.pages ?? null,
    requests: verdict?.requests ?? null,
    verdict: verdict?.kind ?? null,
    first_total: verdict?.firstTotal ?? null,
    last_total: verdict?.lastTotal ?? null,
    collection_versions: verdict?.versions ?? null,
    origin: facts.origin,
    list: work.noun,
    query: { ...work.query, ...work.parameters },
    limit: work.limit,
    shard: work.shard,
    time_zone: work.timeZone,
    layout: work.layout,
    columns: work.columns,
    started_at: facts.startedAt,
    ended_at: facts.endedAt,
  };
}

export function manifestPath(file: string): string {
  return `${file}.manifest.json`;
}

/** The SHA-256 of a file, in hexadecimal digits. */
export async function readSha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Removes the manifest of the file that is about to be replaced, so that nobody reads it beside the new one. */
export async function removeStaleManifest(file: string): Promise<void> {
  const path = manifestPath(file);
  const text = await readFile(path, 'utf8').catch(() => '');
  if (text.includes('"manifest_version"')) await rm(path, { force: true });
}
