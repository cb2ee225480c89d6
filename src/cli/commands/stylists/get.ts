import type { Command } from 'commander';
import type { Call } from '../../call.ts';
import type { Frame } from '../../frame.ts';
import { addExamples, addPrintOptions, type PrintFlags } from '../../flags/options.ts';
import type { Outcome } from '../../output/outcome.ts';
import { stylistColumns } from '../../print/columns.ts';

export function registerStylistsGet(parent: Command, frame: Frame): void {
  const command = parent
    .command('get')
    .argument('<id>', 'identifier of the stylist')
    .description('Show one stylist');
  addPrintOptions(command);
  addExamples(command, [
    ['salon stylists get sty_01jd…', 'name, services, and whether they still work here'],
  ]);
  command.action(frame.action(getStylist));
}

async function getStylist(call: Call<PrintFlags>, id: string): Promise<Outcome> {
  const client = await call.client();
  return { show: 'record', record: await client.stylists.get(id), columns: stylistColumns };
}
