import { rm } from 'node:fs/promises';
import type { Command } from 'commander';
import {
  hasJob,
  listJobIds,
  lockJob,
  readDamagedStatus,
  readJob,
  removeJob,
} from '../../../bulk/jobs/job-folder.ts';
import { partialPath } from '../../../bulk/jobs/partial-file.ts';
import { SalonError } from '../../../contract/errors.ts';
import { countOf } from '../../../text/numbers.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import {
  againFlag,
  applyFlags,
  type BudgetFlags,
  budgetFlags,
  type EditFlags,
  type UndoFlags,
  undoFlags,
} from '../../flags/edit-flags.ts';
import {
  confirmationFlags,
  confirmFlag,
  type PrintFlags,
  printFlags,
  writeFlags,
  yesFlag,
} from '../../flags/options.ts';
import { jobsFolder } from '../../folders.ts';
import { renderChoice, type SearchChoice } from '../../messages/plain-prompts.ts';
import { renderShortTime } from '../../messages/short-times.ts';
import { type ColumnSet, columnSet } from '../../output/columns.ts';
import { type CommandResult, onePage } from '../../output/command-result.ts';
import { readLayout } from '../../output/format.ts';
import { readOutputTarget } from '../../output/output-file.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { describeJob, showJob } from './show.ts';

export function registerJobs(jobs: Command, runner: ActionRunner): void {
  runner.define(jobs.command('list'), {
    description: 'List jobs on this machine, newest first',
    flags: printFlags,
    notes: stateNotes,
    examples: {
      'salon jobs list': 'List running, interrupted and finished jobs',
      [`salon jobs list --json | jq -r '.[] | select(.state != "done").id'`]: 'Print unfinished jobs',
    },
    handler: async () => listJobs,
  });
  runner.define(jobs.command('show'), {
    description: 'Show the details and state of a job',
    args: { '<id>': { help: 'job ID', complete: 'jobs' } },
    flags: printFlags,
    examples: {
      'salon jobs show 20261121-093000-1f2e3d': 'Show why it stopped and how many rows are done',
    },
    handler: async () => showJob,
  });
  runner.define(jobs.command('apply'), {
    description: 'Apply a saved plan (records changed since are skipped)',
    args: { '<plan>': 'plan saved with --plan-file' },
    flags: {
      expect: {
        flag: '--expect <fingerprint>',
        help: 'apply only the plan that --plan-file printed this for',
      },
      again: { ...againFlag.again, help: 'add the rows of a file that a job has added once more' },
      dryRun: { ...writeFlags.dryRun, help: 'show the changes; send nothing' },
      ...applyFlags,
      ...confirmationFlags,
    },
    examples: {
      'salon clients update --file clients.csv --plan-file plan.json': 'save the plan and review it',
      'salon jobs apply plan.json --expect 3f2a91bc0d4e7a11': 'apply exactly the plan reviewed',
    },
    undo: 'salon jobs undo',
    handler: async () => applyPlan,
  });
  runner.define(jobs.command('resume'), {
    description: 'Resume an unfinished job',
    args: { '<id>': { help: 'job ID, or the file of an export', complete: 'jobs' } },
    flags: { maxErrors: budgetFlags.maxErrors, ...confirmFlag },
    examples: {
      'salon jobs resume 20261121-093000-1f2e3d': 'Continue where it stopped',
      'salon jobs resume orders.csv': 'Continue an export that was killed, or that another machine began',
    },
    undo: 'salon jobs undo',
    handler: async () => resume,
  });
  runner.define(jobs.command('undo'), {
    description: 'Undo a bulk edit or a merge (later changes are kept)',
    args: { '[id]': { help: 'job ID; at a terminal you choose without it', complete: 'jobs' } },
    flags: undoFlags,
    examples: {
      'salon jobs undo 20261121-093000-1f2e3d --dry-run': 'Show what would be restored',
      'salon jobs undo 20261121-093000-1f2e3d --yes': 'Undo it; deleted clients get new IDs',
    },
    undo: 'salon jobs undo',
    handler: async () => (context, id?: string) => context.prompts.inTurn(() => undo(context, id)),
  });
  runner.define(jobs.command('results'), {
    description: 'Show the result of every row of a bulk edit',
    args: { '<id>': { help: 'job ID of a bulk edit', complete: 'jobs' } },
    flags: {
      failed: { flag: '--failed', help: 'Only rows that failed' },
      all: { flag: '--all', help: 'In a table, show unchanged rows too' },
      ...printFlags,
    },
    examples: {
      'salon jobs results 20261121-093000-1f2e3d --failed': 'Show failed rows and why',
      'salon jobs results 20261121-093000-1f2e3d -f csv -o results.csv': 'Save all results',
    },
    handler: async () => showResults,
  });
  runner.define(jobs.command('remove'), {
    description: 'Delete a job and the records it saved on this machine',
    args: { '<id>': { help: 'job ID', complete: 'jobs' } },
    flags: yesFlag,
    examples: {
      'salon jobs remove 20261121-093000-1f2e3d': 'Delete it; it can be neither resumed nor undone then',
    },
    changes: 'this machine',
    handler: async () => remove,
  });
}

const applyPlan: Handler<EditFlags, [path: string]> = async (context, path) => {
  const { applySavedPlan } = await import('../../edit/bulk-edit.ts');
  return applySavedPlan(path, context);
};

const columns: ColumnSet = {
  ...columnSet({
    id: 'text',
    kind: 'text',
    state: 'text',
    started: 'instant',
    rows: 'integer',
    total: 'integer',
    output: 'text',
    source: 'text',
    operation: 'text',
  }),
  table: ['id', 'kind', 'operation', 'state', 'started', 'rows', 'total', 'output', 'source'],
  // The ID stays whole, to be copied.
  optional: ['total', 'output', 'source'],
};

const stateNotes = `States:
  running      A process is working on it
  interrupted  Stopped, or its process ended; continue with: salon jobs resume
  failed       An error stopped it; fix that, then: salon jobs resume
  done         Finished; rows may have failed: salon jobs results --failed
  damaged      Its files cannot be read; see: salon jobs show`;

const listJobs: Handler<PrintFlags> = async ({ io }) => {
  const root = jobsFolder(io);
  const ids = await listJobIds(root);
  const rows = await Promise.all(ids.map((id) => describeJob(root, id)));
  const shown = rows.map(({ list, verb = 'export', undoes, ...row }) => {
    const operation = list ? `${verb} ${list}${undoes ? ' (undo)' : ''}` : null;
    return Object.fromEntries(
      columns.all.map(({ key }) => [key, key === 'operation' ? operation : row[key]]),
    );
  });
  return { show: 'records', noun: 'jobs', columns, pages: onePage(shown) };
};

const remove: Handler<object, [id: string]> = async ({ io, confirmLocal }, id) => {
  const root = jobsFolder(io);
  if (!(await hasJob(root, id))) await readJob(root, id);
  const { state } = await readDamagedStatus(root, id);
  const end = state === 'done' ? 'undone' : 'resumed';
  await confirmLocal(`Delete job ${id}? It is ${state} and cannot be ${end} afterwards.`);
  await using _lock = await lockJob(root, id);
  await removeUnfinishedFile(root, id);
  await removeJob(root, id);
  return { show: 'nothing', message: `Deleted job ${id}.` };
};

/** A killed export leaves its rows beside the output. */
async function removeUnfinishedFile(root: string, id: string): Promise<void> {
  const job = await readJob(root, id).catch(() => undefined);
  if (job?.kind !== 'export') return;
  const target = await readOutputTarget(job.work.output).catch(() => undefined);
  if (target !== undefined) await rm(partialPath(target, id), { force: true }).catch(() => {});
}

async function resume(context: CommandContext<BudgetFlags>, id: string): Promise<CommandResult> {
  // A job ID has no dots, and the name of a file does not end with one.
  if (/[./\\].*[^./\\]$/.test(id)) {
    const { resumePartial } = await import('../../export/resume-export.ts');
    return { show: 'nothing', exitCode: await resumePartial(id, context) };
  }
  const job = await readJob(jobsFolder(context.io), id);
  if (job.kind === 'edit') {
    const { resumeJob } = await import('../../edit/bulk-edit.ts');
    return resumeJob(job, context);
  }
  if (context.flags.maxErrors !== undefined) {
    const kind = job.kind === 'merge' ? 'a merge' : 'an export';
    throw new SalonError('usage', `Job ${id} is ${kind}: --max-errors is for bulk edits.`, {
      hint: `Resume it: salon jobs resume ${id}`,
    });
  }
  if (job.kind === 'merge') {
    const { resumeMerge } = await import('../../merge/merge-jobs.ts');
    return resumeMerge(job, context);
  }
  const { resumeExport } = await import('../../export/resume-export.ts');
  return { show: 'nothing', exitCode: await resumeExport(job, context) };
}

async function undo(context: CommandContext<UndoFlags>, given?: string): Promise<CommandResult> {
  const id = given ?? (await chooseJob(context));
  const job = await readJob(jobsFolder(context.io), id);
  if (job.kind === 'merge') {
    const { undoMerge } = await import('../../merge/merge-jobs.ts');
    return undoMerge(job, context);
  }
  const { undoJob } = await import('../../edit/bulk-edit.ts');
  return undoJob(id, context);
}

const maxOffered = 10;
/** Older jobs are not looked at. */
const maxRead = 100;

/** Has somebody at a terminal choose what to undo; elsewhere throws `usage`. */
async function chooseJob({ io, prompts, session }: CommandContext): Promise<string> {
  const see = { hint: 'See: salon jobs list' };
  if (!prompts.isInteractive) throw new SalonError('usage', 'Missing required argument "id".', see);
  const root = jobsFolder(io);
  const style = { timeZone: (await session()).settings.timeZone.value, now: io.now() };
  const latest = (await listJobIds(root)).slice(0, maxRead);
  const jobs = await Promise.all(latest.map((id) => describeJob(root, id)));
  const undone = new Set(jobs.map(({ state, undoes }) => (state === 'done' ? undoes : null)));
  const choices = jobs.flatMap(({ kind, state, started, verb, rows, list, source, undoes }, at) => {
    const value = latest[at] ?? '';
    if ((kind !== 'edit' && kind !== 'merge') || state === 'running' || undone.has(value)) return [];
    const what = kind === 'merge' ? String(verb) : `${verb} ${countOf(Number(rows), String(list))}`;
    const hint = source !== null ? String(source) : undoes !== null ? 'an undo' : undefined;
    return [{ value, label: `${renderShortTime(String(started), style)}, ${what}`, hint }];
  });
  const offered: SearchChoice<string>[] = choices.slice(0, maxOffered);
  if (offered.length === 0) throw new SalonError('not_found', 'There is nothing to undo.', see);
  const find = async (typed: string) =>
    offered.filter((one) => renderChoice(one).toLowerCase().includes(typed.toLowerCase()));
  return prompts.search('Undo what?', { find });
}

const resultColumns = columnSet({
  line: 'integer',
  id: 'text',
  result: 'text',
  old: 'text',
  planned: 'text',
  present: 'text',
  code: 'text',
  detail: 'text',
  request_id: 'text',
});

const showResults: Handler<{ readonly failed?: boolean; readonly all?: boolean }, [id: string]> = async (
  context,
  id,
) => {
  const { failed = false, all = false } = context.flags;
  const { readJobResults } = await import('../../edit/bulk-edit.ts');
  const hidesUnchanged = !all && (await readLayout(context)) === 'table';
  const pages = await readJobResults(context, id, { failedOnly: failed, hidesUnchanged });
  return { show: 'records', noun: 'rows', columns: resultColumns, pages };
};
