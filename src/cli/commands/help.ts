import type { Command } from 'commander';
import { SalonError } from '../../contract/errors.ts';
import type { ActionRunner, Handler } from '../action-runner.ts';
import { findCommand } from '../command-line.ts';
import { describeCommands } from '../flags/describe-command.ts';
import { renderBulkFlags, renderGlobalFlags } from '../flags/help-page.ts';
import { version } from '../io.ts';
import { renderExitCodes } from '../messages/exit-codes.ts';

export function registerHelp(command: Command, runner: ActionRunner): void {
  runner.define(command, {
    args: { '[words...]': `A command, or a topic: ${Object.keys(topics).join(', ')}` },
    examples: {
      'salon help appointments create': 'A command',
      'salon help clients update --json': 'A command for scripts: its flags, types, examples, exit codes',
      'salon help flags': topics.flags.purpose,
      'salon help exit-codes': topics['exit-codes'].purpose,
    },
    handler: async () => showHelp,
  });
}

const bulkEdits = `Bulk edits:

  With --file, a command works on every row of a CSV, XLSX, NDJSON or JSON
  file. A blank cell leaves the field unchanged; \\N clears it. With flags
  that select, such as --tag vip, it works on every record that matches them all.

  1. Every row is checked, and errors name their line. Nothing is sent yet.
  2. The plan shows what would change. --plan-file saves it for salon jobs apply.
  3. You confirm, or pass --yes. --max-changes and --max-clears set a limit.
  4. Rows that failed are written to a file that you can fix and run again.
  5. salon jobs resume continues after an interruption, salon jobs undo restores
     the previous values.

  --dry-run stops after step 2 and has the service check every row.
  --simulate does all of it on a local copy.
`;

const manualPages = `Manual pages:

  man salon               Every command
  man salon-clients-list  One command: its words, joined by hyphens
  man salon-exit-codes    A topic of salon help

  npm install -g and the Debian package install them. In any other installation,
  download salon-${version}-man.tar.gz of the release, then:

  mkdir -p ~/.local/share/man
  tar -xzf salon-${version}-man.tar.gz -C ~/.local/share/man
`;

interface Topic {
  readonly purpose: string;
  /** Whether it shows what is in the commands. */
  readonly needsCommands?: true;
  render(program: Command, columns: number): string;
}

/** What `salon help` explains besides the commands. */
export const topics = {
  flags: { purpose: 'The flags that every command takes', render: renderGlobalFlags },
  'bulk-edits': {
    purpose: 'How commands change many records',
    needsCommands: true,
    render: (program, columns) => `${bulkEdits}\n${renderBulkFlags(program, columns)}`,
  },
  'exit-codes': { purpose: 'What the exit codes mean', render: renderExitCodes },
  man: { purpose: 'How to read this help as manual pages', render: () => manualPages },
} satisfies Readonly<Record<string, Topic>>;

const showHelp: Handler = async (context, words) => {
  const name = words.join(' ');
  const isJson = context.flags.json || context.flags.format === 'json';
  const topic = Object.entries<Topic>(topics).find(([known]) => known === name)?.[1];
  // Only what is shown is loaded.
  const program = await context.program(isJson || topic?.needsCommands ? undefined : words);
  if (topic !== undefined) {
    return { show: 'text', text: topic.render(program, context.io.terminal.columns) };
  }
  const command = findCommand(program, words);
  if (command === undefined) {
    throw new SalonError('usage', `No command or topic "${name}".`, { hint: 'See salon --help.' });
  }
  if (isJson) return { show: 'record', record: describeCommands(command) };
  return { show: 'nothing', exitCode: await context.runCommand([...words, '--help']) };
};
