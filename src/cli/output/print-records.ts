import { resolve } from 'node:path';
import { SalonError } from '../../contract/errors.ts';
import type { Call } from '../call.ts';
import { reportPartly } from '../export/unfinished.ts';
import type { ListFlags } from '../flags/options.ts';
import { openDestination } from './destination.ts';
import type { Layout } from './format.ts';
import type { Records } from './outcome.ts';
import { readFilePlace, writeWhole } from './output-file.ts';
import { pourRecords, readLimit } from './pour-records.ts';
import { readLayout, readStyle } from './print-style.ts';
import { disagreement, tellCounts, tellReconciliation } from './reconciliation.ts';
import { createRowLayout } from './row-layout.ts';

type Printing = Call<ListFlags>;

/** Prints a list page by page, or exports it into a file. Answers an exit code where it is not the outcome's own. */
export async function printRecords(outcome: Records, call: Printing): Promise<number | undefined> {
  const { flags, io } = call;
  const layout = await readLayout(call);
  const output = flags.output === undefined ? undefined : resolve(io.cwd, flags.output);
  const { list } = outcome;
  const place = output === undefined || list === undefined ? undefined : await readFilePlace(output);
  if (place === undefined || list === undefined) return printStraight(outcome, call, layout);
  const { exportList } = await import('../export/export-list.ts');
  return exportList({ outcome, list, call, layout, place });
}

async function printStraight(outcome: Records, call: Printing, layout: Layout): Promise<number | undefined> {
  const { flags, talk } = call;
  const { list, noun } = outcome;
  if (list?.manifest) {
    throw new SalonError('usage', `${flags.output} is no file of its own, so no manifest can be beside it.`);
  }
  const limit = readLimit(flags);
  await using destination = await openDestination(call, layout);
  const pouring = pourRecords(outcome, call, {
    layout: createRowLayout({
      ...(await readStyle(call)),
      layout,
      columns: outcome.columns,
      requested: flags.columns,
      tell: talk.say,
    }),
    limit,
    isFile: flags.output !== undefined,
    take: ({ text }) => destination.write(text),
  });
  const poured = await Promise.race([pouring, destination.left]);
  await destination.write(poured.ending);
  await destination.commit();
  if (poured.rows === 0 && layout === 'table') talk.say(`No ${noun}.`);
  tellCounts(poured, { noun, limit, output: flags.output, talk });
  const verdict = outcome.verdict?.();
  tellReconciliation(verdict, noun, talk);
  if (verdict?.kind === 'disagreement') return reportPartly(disagreement(verdict, noun), call);
  if (list?.state) await writeWhole(list.state.path, list.state.text);
  return undefined;
}
