import type { Command } from 'commander';
import type { Call } from '../../call.ts';
import type { Frame } from '../../frame.ts';
import { addExamples, addPrintOptions, type PrintFlags } from '../../options.ts';
import type { Outcome } from '../../output/outcome.ts';
import { clientColumns } from '../../print/columns.ts';

export function registerClientsGet(parent: Command, frame: Frame): void {
  const command = parent
    .command('get')
    .argument('<id>', 'identifier of the client')
    .description('Show one client');
  addPrintOptions(command);
  addExamples(command, [
    ['salon clients get cli_01jd…', 'everything the salon knows about this client'],
    ['salon clients get cli_01jd… --json | jq -r .email', 'one field, for a script'],
  ]);
  command.action(frame.action(getClient));
}

async function getClient(call: Call<PrintFlags>, id: string): Promise<Outcome> {
  const client = await call.client();
  return { show: 'record', record: await client.clients.get(id), columns: clientColumns };
}
