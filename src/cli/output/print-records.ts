import { resolve } from 'node:path';
import { SalonError } from '../../contract/errors.ts';
import type { ListFlags } from '../flags/options.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { Records } from './command-result.ts';
import { openDestination } from './destination.ts';
import type { Layout } from './format.ts';
import { readFilePlace, writeWhole } from './output-file.ts';
import { pourRecords, readLimit } from './pour-records.ts';
import { readLayout, readStyle } from './print-style.ts';
import { disagreement, tellCounts, tellReconciliation } from './reconciliation.ts';
import { createRowLayout } from './row-layout.ts';
import { reportPartly } from './unfinished.ts';

type Printing = CommandContext<ListFlags>;

/** Prints a list page by page, or exports it into a file. Answers an exit code where it is not the outcome's own. */
export async function printRecords(outcome: Records, context: Printing): Promise<number | undefined> {
  const { flags, io } = context;
  const layout = await readLayout(context);
  const output = flags.output === undefined ? undefined : resolve(io.cwd, flags.output);
  const { list } = outcome;
  const place = output === undefined || list === undefined ? undefined : await readFilePlace(output);
  if (place === undefined || list === undefined) return printStraight(outcome, context, layout);
  const { exportList } = await import('../export/export-list.ts');
  return exportList({ outcome, list, context, layout, place });
}

async function printStraight(
  outcome: Records,
  context: Printing,
  layout: Layout,
): Promise<number | undefined> {
  const { flags, messages } = context;
  const { list, noun } = outcome;
  if (list?.manifest) {
    throw new SalonError('usage', `${flags.output} is no file of its own, so no manifest can be beside it.`);
  }
  const limit = readLimit(flags);
  await using destination = await openDestination(context, layout);
  const pouring = pourRecords(outcome, context, {
    layout: createRowLayout({
      ...(await readStyle(context)),
      layout,
      columns: outcome.columns,
      requested: flags.columns,
      tell: messages.info,
    }),
    limit,
    isFile: flags.output !== undefined,
    take: ({ text }) => destination.write(text),
  });
  const poured = await Promise.race([pouring, destination.left]);
  await destination.write(poured.ending);
  await destination.commit();
  if (poured.rows === 0 && layout === 'table') messages.info(`No ${noun}.`);
  tellCounts(poured, { noun, limit, output: flags.output, messages });
  const verdict = outcome.verdict?.();
  tellReconciliation(verdict, noun, messages);
  if (verdict?.kind === 'disagreement') return reportPartly(disagreement(verdict, noun), context);
  if (list?.state) await writeWhole(list.state.path, list.state.text);
  return undefined;
}
