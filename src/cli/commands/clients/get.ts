import type { Command } from 'commander';
import { retell, SalonError } from '../../../contract/errors.ts';
import type { Call } from '../../call.ts';
import type { Frame } from '../../frame.ts';
import type { ClientHistory } from '../../history/read-history.ts';
import { addExamples, addPrintOptions, type PrintFlags } from '../../flags/options.ts';
import type { Outcome } from '../../output/outcome.ts';
import { readLayout, readStyle } from '../../output/print-style.ts';
import { clientColumns } from '../../print/columns.ts';

interface Flags extends PrintFlags {
  readonly history?: boolean;
}

export function registerClientsGet(parent: Command, frame: Frame): void {
  const command = parent
    .command('get')
    .argument('<id>', 'identifier of the client')
    .description('Show one client, and to people their appointments and what they paid')
    .option('--history', 'the history in JSON too, as a member of that name')
    .option('--no-history', 'the record alone: saves the requests for the history');
  addPrintOptions(command);
  addExamples(command, [
    ['salon clients get cli_01jd…', 'everything the salon knows about this client'],
    ['salon clients get cli_01jd… --json | jq -r .email', 'one field, for a script'],
    ['salon clients get cli_01jd… --history --json | jq .history.counts', 'how often they came, and did not'],
  ]);
  command.action(frame.action(getClient));
}

async function getClient(call: Call<Flags>, id: string): Promise<Outcome> {
  const { flags } = call;
  const layout = await readLayout(call);
  const isTable = layout === 'table';
  if (flags.history && (layout === 'csv' || layout === 'tsv')) {
    throw new SalonError('usage', 'A history has no place in one row.', {
      hint: 'Use --history with --json or -f ndjson, or at a terminal.',
    });
  }
  const client = await call.client();
  const record = await client.clients.get(id);
  const outcome = { show: 'record', record, columns: clientColumns } as const;
  if (isTable) {
    const isWanted = flags.history ?? flags.columns === undefined;
    const below = isWanted ? await renderBelow(call, id) : undefined;
    return below === undefined ? outcome : { ...outcome, below };
  }
  return flags.history ? { ...outcome, record: { ...record, history: await readMember(call, id) } } : outcome;
}

async function readHistory(call: Call, id: string): Promise<ClientHistory> {
  const { readHistory: read } = await import('../../history/read-history.ts');
  return read(await call.client(), id, call.talk.explain);
}

/** The record is there and is shown, whatever becomes of its history. */
async function renderBelow(call: Call<Flags>, id: string): Promise<string | undefined> {
  const { io, talk, flags } = call;
  try {
    const history = await readHistory(call, id);
    const { renderHistory } = await import('../../print/history.ts');
    const style = await readStyle(call);
    const nowMs = io.now().getTime();
    return renderHistory({ ...history, clientId: id }, { ...style, width: io.terminal.columns, nowMs });
  } catch (error) {
    if (!(error instanceof SalonError) || error.code === 'interrupted') throw error;
    const { message } = error;
    if (flags.history) throw retell(error, { message: `The history could not be read. ${message}` });
    talk.warn(`The history could not be read. ${message}`);
    return undefined;
  }
}

async function readMember(call: Call, id: string) {
  const { appointments, payments } = await readHistory(call, id);
  const { countStatuses } = await import('../../print/history.ts');
  return {
    appointments: appointments.rows,
    total: appointments.total ?? null,
    counts: countStatuses(appointments.rows),
    payments: payments?.rows ?? null,
    payments_total: payments?.total ?? null,
  };
}
