import type { Command } from 'commander';
import { listJobIds } from '../../../bulk/jobs/job-folder.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addPrintOptions, type PrintFlags } from '../../flags/options.ts';
import { type ColumnSet, columnSet } from '../../output/columns.ts';
import { type CommandResult, onePage } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { jobsFolder } from '../../session/folders.ts';
import { describeJob } from './show.ts';

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
  }),
  // The ID stays whole, to be copied.
  optional: ['total', 'output', 'source'],
};

export function registerJobsList(parent: Command, runner: ActionRunner): void {
  const command = parent.command('list').description('List jobs on this machine, newest first');
  addPrintOptions(command).addHelpText('after', stateNotes);
  addExamples(command, [
    ['salon jobs list', 'List running, interrupted and finished jobs'],
    [`salon jobs list --json | jq -r '.[] | select(.state != "done").id'`, 'Print unfinished jobs'],
  ]);
  command.action(runner.action(listJobs));
}

const stateNotes = `
States:
  running      A process is working on it
  interrupted  Stopped, or its process ended; continue with: salon jobs resume
  failed       An error stopped it; fix that, then: salon jobs resume
  done         Finished; rows may have failed: salon jobs results --failed
  damaged      Its files cannot be read; see: salon jobs show`;

async function listJobs({ io }: CommandContext<PrintFlags>): Promise<CommandResult> {
  const root = jobsFolder(io);
  const ids = await listJobIds(root);
  const rows = await Promise.all(ids.map((id) => describeJob(root, id)));
  const shown = rows.map((row) => Object.fromEntries(columns.table.map((name) => [name, row[name]])));
  return { show: 'records', noun: 'jobs', columns, pages: onePage(shown) };
}
