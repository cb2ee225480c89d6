import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addExtensions, type PrintFlags } from '../../flags/options.ts';
import type { CommandResult } from '../../output/command-result.ts';
import { readLayout } from '../../output/format.ts';
import type { CommandContext } from '../../session/command-context.ts';

export function registerClientsCard(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('card')
    .argument('<client...>', 'client: name, email, phone or ID')
    .description('Show everything stored about a client, to hand over to them')
    .option('-o, --output <file>', 'Write to a file: .html, .json, or .txt');
  addExtensions(command, ['.html']);
  runner.add(command, showCard, [
    ['salon clients card Ana Costa -o ana.html', 'Write a page to print or send'],
    ['salon clients card Ana Costa -o ana.json', 'The records as the service has them'],
  ]);
}

async function showCard(
  context: CommandContext<PrintFlags>,
  words: readonly string[],
): Promise<CommandResult> {
  const [{ resolveClient }, { findPageFile, writePage }, cards] = await Promise.all([
    import('../../people/resolve.ts'),
    import('../../output/printed-page.ts'),
    import('../../history/client-card.ts'),
  ]);
  const [file, layout] = [await findPageFile(context), await readLayout(context)];
  if (layout === 'csv' || layout === 'xlsx') {
    throw new SalonError('usage', `A card does not fit a sheet (${layout}).`, {
      hint: 'Name the file .html or .json.',
    });
  }
  const { id } = await resolveClient(words.join(' '), context);
  const card = await cards.readCard(id, context);
  if (file !== undefined) {
    await writePage(file, await cards.renderCardPage(card, context), context);
    return { show: 'nothing', message: [`Card written to ${file}`, ...card.not_included].join('\n') };
  }
  if (layout === 'json' || layout === 'ndjson') return { show: 'record', record: { ...card } };
  return { show: 'pagedText', text: await cards.renderCardText(card, context) };
}
