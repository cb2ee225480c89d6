import { resolve } from 'node:path';
import type { Row } from '../bulk/export/write-pages.ts';
import type { ListFlags } from './flags/options.ts';
import { write } from './io.ts';
import { exitCodes } from './messages/exit-codes.ts';
import { type Column, chooseColumns, columnsOf } from './output/columns.ts';
import type { CommandResult, OneRecord, Records } from './output/command-result.ts';
import { openDestination } from './output/destination.ts';
import { createPrinter, readLayout, readStyle } from './output/format.ts';
import type { CommandContext } from './session/command-context.ts';

type Printing = CommandContext<ListFlags>;

/** Prints what a verb answered, in the layout asked for, and says the exit code. */
export async function printOutcome(outcome: CommandResult, context: Printing): Promise<number> {
  const exitCode = outcome.exitCode ?? exitCodes.done.code;
  switch (outcome.show) {
    case 'records':
      return (await printList(outcome, context)) ?? exitCode;
    case 'record':
      await printRecord(outcome, context);
      break;
    case 'feed':
      return (await import('./output/print-feed.ts')).printFeed(outcome, context);
    case 'text':
      if (context.flags.output === undefined) await write(context.io.stdout, outcome.text);
      else await printDrawing(outcome.text, context);
      break;
    case 'drawing':
      await printDrawing(outcome.text, context);
      break;
    case 'nothing':
      if (outcome.said) context.messages.info(outcome.said);
      break;
  }
  return exitCode;
}

/** Prints a list, or exports it where it goes into a file of its own. Returns an exit code other than that of the result. */
async function printList(records: Records, context: CommandContext<ListFlags>): Promise<number | undefined> {
  const { flags, io } = context;
  const { list } = records;
  if (flags.output !== undefined && list !== undefined) {
    const { readFilePlace } = await import('./output/output-file.ts');
    const place = await readFilePlace(resolve(io.cwd, flags.output));
    const { exportList } = await import('./export/run-export.ts');
    if (place !== undefined) return exportList({ outcome: records, list, context, place });
  }
  const { printRecords } = await import('./output/print-records.ts');
  return printRecords(records, context);
}

async function printDrawing(text: string, context: Printing): Promise<void> {
  await using destination = await openDestination(context, 'table');
  await destination.write(text);
  await destination.commit();
}

async function printRecord({ record, columns, said, below }: OneRecord, context: Printing): Promise<void> {
  const { flags, messages } = context;
  const layout = await readLayout(context);
  if (said !== undefined) messages.info(said);
  if (said !== undefined && layout === 'table') return;
  await using destination = await openDestination(context, layout);
  const style = await readStyle(context);
  if (layout === 'table') {
    const asked = { requested: flags.columns, sample: record };
    const chosen = flags.columns === undefined ? columnsOf(record, columns) : chooseColumns(columns, asked);
    const text = await renderForPeople(record, { ...style, columns: chosen });
    await destination.write(below === undefined ? text : `${text}\n${below}`);
  } else if (layout === 'json' && flags.columns === undefined) {
    await destination.write(`${JSON.stringify(record, null, 2)}\n`);
  } else {
    const printer = await createPrinter({
      ...style,
      layout,
      columns,
      requested: flags.columns,
      sample: record,
    });
    await destination.write(printer.begin() + printer.rows([record]) + printer.end());
  }
  await destination.commit();
}

type PeopleStyle = Awaited<ReturnType<typeof readStyle>> & { readonly columns: readonly Column[] };

async function renderForPeople(record: Row, style: PeopleStyle): Promise<string> {
  if (style.plain) return (await import('./output/record.ts')).createPlainPrinter(style).rows([record]);
  const { renderRecord } = await import('./output/record.ts');
  return renderRecord(record, { ...style, width: style.io.terminal.columns });
}
