import type { Command } from 'commander';
import { SalonError, withContext } from '../../../contract/errors.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addPrintOptions, type PrintFlags } from '../../flags/options.ts';
import type { ClientHistory } from '../../history/read-history.ts';
import { clientColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import { readLayout, readStyle } from '../../output/format.ts';
import type { CommandContext } from '../../session/command-context.ts';

interface Flags extends PrintFlags {
  readonly history?: boolean;
}

export function registerClientsGet(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('get')
    .argument('<client...>', 'client: name, email, phone or ID')
    .description('Show one client, with appointments and payments')
    .option('--history', 'Include who changed what, and the history in JSON output')
    .option('--no-history', 'Omit the history (saves requests)');
  addPrintOptions(command);
  addExamples(command, [
    ['salon clients get Ana Costa', 'Show the client and their history'],
    ['salon clients get 912345678 --json | jq -r .email', 'Find by phone, print one field'],
    ['salon clients get cli_01jd… --history --json | jq .history.counts', 'Count visits and no-shows'],
  ]);
  command.action(runner.action(getClient));
}

async function getClient(context: CommandContext<Flags>, words: readonly string[]): Promise<CommandResult> {
  const { flags } = context;
  const layout = await readLayout(context);
  const isTable = layout === 'table';
  if (flags.history && (layout === 'csv' || layout === 'tsv')) {
    throw new SalonError('usage', 'CSV and tab-separated output cannot contain the history.', {
      hint: 'Use --json or -f ndjson with --history.',
    });
  }
  const { resolveClient } = await import('../../people/resolve.ts');
  const { id } = await resolveClient(words.join(' '), context);
  const client = await context.client();
  const record = await client.clients.get(id);
  const outcome = { show: 'record', record, columns: clientColumns } as const;
  if (isTable) {
    const isWanted = flags.history ?? flags.columns === undefined;
    const footer = isWanted ? await renderFooter(context, id) : undefined;
    return footer === undefined ? outcome : { ...outcome, footer };
  }
  return flags.history
    ? { ...outcome, record: { ...record, history: await toHistoryMember(context, id) } }
    : outcome;
}

async function loadHistory(context: CommandContext<Flags>, id: string): Promise<ClientHistory> {
  const { readHistory } = await import('../../history/read-history.ts');
  const withChanges = context.flags.history === true;
  return readHistory(await context.client(), id, { explain: context.messages.verbose, withChanges });
}

/** The record is shown even if the history cannot be read, unless the history was asked for. */
async function renderFooter(context: CommandContext<Flags>, id: string): Promise<string | undefined> {
  const { io, messages, flags } = context;
  try {
    const history = await loadHistory(context, id);
    const { renderHistory } = await import('../../history/render-history.ts');
    const style = { ...(await readStyle(context)), width: io.terminal.columns, nowMs: io.now().getTime() };
    return renderHistory(history, { ...style, clientId: id });
  } catch (error) {
    if (!(error instanceof SalonError) || error.code === 'interrupted') throw error;
    const message = `Could not read the history. ${error.message}`;
    if (flags.history) throw withContext(error, { message });
    messages.warn(message);
    return undefined;
  }
}

async function toHistoryMember(context: CommandContext<Flags>, id: string) {
  const { appointments, payments, changes } = await loadHistory(context, id);
  const { countStatuses } = await import('../../output/status.ts');
  return {
    appointments: appointments.rows,
    total: appointments.total ?? null,
    counts: countStatuses(appointments.rows),
    payments: payments?.rows ?? null,
    payments_total: payments?.total ?? null,
    changes: changes?.rows ?? null,
    changes_total: changes?.total ?? null,
  };
}
