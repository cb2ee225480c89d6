import { basename, dirname, join, resolve } from 'node:path';
import { comparePartial } from '../../bulk/export/checkpoint.ts';
import {
  adoptCheckpoint,
  type CheckpointHead,
  checkpointPath,
  keepKilled,
  readCheckpointHead,
} from '../../bulk/export/partial-checkpoint.ts';
import { keptPath } from '../../bulk/export/partial-file.ts';
import { SalonError } from '../../contract/errors.ts';
import { readOutputTarget, toShownPath } from '../output/output-file.ts';
import { readAccount } from '../session/account.ts';
import type { CommandContext } from '../session/command-context.ts';
import { jobsFolder } from '../session/folders.ts';
import { openJobContext } from '../session/job-context.ts';
import { toKeyFingerprint } from '../session/session.ts';
import { resumeExport } from './resume-export.ts';

/**
 * Resumes an export from a file beside its output, or that one's name, as a killed process or another machine left it.
 * Its checkpoint is not trusted: origin and account must be those of this command, and the rows must be those that the
 * checkpoint describes. Returns the exit code.
 */
export async function resumePartial(given: string, context: CommandContext): Promise<number> {
  const output = await findOutput(resolve(context.io.cwd, given));
  const target = await readOutputTarget(output);
  if (target === undefined) {
    throw new SalonError('usage', `Cannot resume ${given}: ${output} is not a file.`);
  }
  const file = toShownPath(keptPath(target), context.io.cwd);
  await keepKilled(target, context.io.now());
  const head = await readCheckpointHead(checkpointPath(target));
  const own = await openJobContext(head.job, context);
  await assertSameAccount(head, file, own);
  const { valid } = await comparePartial(checkpointPath(target), keptPath(target));
  if (valid === 0) {
    throw new SalonError('usage', `${file} does not have the rows that its checkpoint describes.`, {
      hint: 'Copy both files again, or run the export again.',
    });
  }
  const job = await adoptCheckpoint(jobsFolder(context.io), target);
  if (head.job.work.state !== null && job.work.state === null) {
    context.messages.warn('The state of --since-last is not saved: its file belongs to another machine.');
  }
  return resumeExport(job, context);
}

/** The output of an export, from its name, that of its `.partial` file, or of a hidden file of a killed process. */
async function findOutput(path: string): Promise<string> {
  const [, hidden] = /^(.*[\\/]\.salon-[^\\/]+)\.(?:tmp|job|lock)$/.exec(path) ?? [];
  if (hidden === undefined) return path.replace(/\.partial(?:\.job)?$/, '');
  const { job } = await readCheckpointHead(`${hidden}.job`);
  return join(dirname(path), basename(job.work.output));
}

/** Throws `usage` if the rows so far may be those of another account. */
async function assertSameAccount(
  { job, key }: CheckpointHead,
  file: string,
  context: CommandContext,
): Promise<void> {
  const session = await context.session();
  if (key === toKeyFingerprint(session)) return;
  const account = job.account === null ? undefined : (await readAccount(await context.client()))?.id;
  if (account !== undefined && account === job.account) return;
  throw new SalonError(
    'usage',
    `${file} was exported with another API key, and ${
      account === undefined ? 'its account cannot be compared' : 'that of another account'
    }.`,
    { hint: 'Use the same key, or run the export again.' },
  );
}
