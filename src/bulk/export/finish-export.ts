import { readFile, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ConsistencyReport } from '../../client/pagination/consistency.ts';
import { readSha256 } from '../jobs/file-access.ts';
import type { ExportJob, ExportWork } from '../jobs/job.ts';
import type { OutputTarget, PartialFile } from '../jobs/partial-file.ts';
import type { ExportWriter } from './export-writer.ts';
import { removeKept } from './partial-checkpoint.ts';

export interface FinishOptions {
  readonly writer: Pick<ExportWriter, 'finish' | 'position'>;
  /** The complete data; undefined if it is at its target already. */
  readonly file: PartialFile | undefined;
  readonly target: OutputTarget;
  readonly work: ExportWork;
  readonly job: Pick<ExportJob, 'origin' | 'createdAt'>;
  readonly report: ConsistencyReport | undefined;
  readonly now: () => Date;
  readonly salonVersion: string;
  /** Writes a small file atomically. */
  writeFile(path: string, text: string): Promise<void>;
}

/**
 * Moves a complete export to its target and removes what an earlier run kept beside it, then writes its manifest and
 * checksum, then the state that the next export starts from. Every step can be repeated, so an interrupted export runs
 * them all again. A manifest never sits beside a file it does not describe.
 */
export async function finishExport(options: FinishOptions): Promise<void> {
  const { writer, file, target, work, writeFile } = options;
  const sha256 = work.manifest ? await readSha256(file?.path ?? target.realPath) : undefined;
  const name = basename(work.output);
  const [manifestPath, checksumPath] = [`${work.output}.manifest.json`, `${work.output}.sha256`];
  // Those of the file that is about to be replaced would not match the new one.
  const isManifest = (await readFile(manifestPath, 'utf8').catch(() => '')).includes('"manifest_version"');
  if (isManifest) await rm(manifestPath, { force: true });
  const checksum = await readFile(checksumPath, 'utf8').catch(() => '');
  if (/^\\?[0-9a-f]{64} {2}[^\n]+\n$/.test(checksum)) await rm(checksumPath, { force: true });
  await file?.commit();
  await removeKept(target);
  const endedAt = options.now().toISOString();
  if (sha256 !== undefined) {
    const manifest = toManifest(options, { sha256, endedAt });
    await writeFile(manifestPath, `${JSON.stringify(manifest, null, 2)}\n`);
    // `sha256sum` escapes names with a backslash or line break, and says so with a backslash.
    const escaped = name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
    await writeFile(checksumPath, `${escaped === name ? '' : '\\'}${sha256}  ${escaped}\n`);
  }
  if (work.state !== null) await writeFile(work.state.path, work.state.text);
  await writer.finish(endedAt);
}

/** Describes an export in a file beside it. Times are instants; `rows` are those in the file. */
function toManifest(
  { work, report, writer, job, salonVersion }: FinishOptions,
  { sha256, endedAt }: { readonly sha256: string; readonly endedAt: string },
): Readonly<Record<string, unknown>> {
  return {
    manifest_version: 1,
    salon_version: salonVersion,
    file: basename(work.output),
    sha256,
    bytes: writer.position.bytes,
    rows: writer.position.written,
    pages: report?.pages ?? null,
    requests: report?.requests ?? null,
    verdict: report?.kind ?? null,
    unverified: report?.unverified ?? [],
    first_total: report?.firstTotal ?? null,
    last_total: report?.lastTotal ?? null,
    collection_versions: report?.versions ?? null,
    origin: job.origin,
    list: work.noun,
    query: { ...work.query, ...work.parameters },
    ...(work.conditions === undefined ? {} : { conditions: work.conditions }),
    limit: work.limit,
    shard: work.shard,
    time_zone: work.timeZone,
    layout: work.layout,
    columns: work.columns,
    started_at: job.createdAt,
    ended_at: endedAt,
  };
}
