import type { ListFlags } from '../flags/options.ts';
import { write } from '../io.ts';
import { exitCodes } from '../messages/exit-codes.ts';
import type { CommandContext } from '../session/command-context.ts';
import { type Column, chooseColumns, columnsOf } from './columns.ts';
import type { CommandResult, OneRecord } from './command-result.ts';
import { openDestination } from './destination.ts';
import { createPrinter } from './format.ts';
import { readLayout, readStyle } from './print-style.ts';
import type { Row } from './printer.ts';

type Printing = CommandContext<ListFlags>;

/** Prints what a verb answered, in the layout asked for, and says the exit code. */
export async function printOutcome(outcome: CommandResult, context: Printing): Promise<number> {
  const exitCode = outcome.exitCode ?? exitCodes.done.code;
  switch (outcome.show) {
    case 'records': {
      const { printRecords } = await import('./print-records.ts');
      return (await printRecords(outcome, context)) ?? exitCode;
    }
    case 'record':
      await printRecord(outcome, context);
      break;
    case 'feed':
      return (await import('./print-feed.ts')).printFeed(outcome, context);
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
  if (style.plain) return (await import('./plain.ts')).createPlainPrinter(style).rows([record]);
  const { renderRecord } = await import('./record.ts');
  return renderRecord(record, { ...style, width: style.io.terminal.columns });
}
