import type { Call } from '../call.ts';
import { exitCodes } from '../exit-codes.ts';
import { write } from '../io.ts';
import type { ListFlags } from '../flags/options.ts';
import { type Column, chooseColumns, columnsOf } from '../print/columns.ts';
import type { Row } from '../print/printer.ts';
import { openDestination } from './destination.ts';
import { createPrinter } from './format.ts';
import type { OneRecord, Outcome } from './outcome.ts';
import { readLayout, readStyle } from './print-style.ts';

type Printing = Call<ListFlags>;

/** Prints what a verb answered, in the layout asked for, and says the exit code. */
export async function printOutcome(outcome: Outcome, call: Printing): Promise<number> {
  const exitCode = outcome.exitCode ?? exitCodes.done.code;
  switch (outcome.show) {
    case 'records': {
      const { printRecords } = await import('./print-records.ts');
      return (await printRecords(outcome, call)) ?? exitCode;
    }
    case 'record':
      await printRecord(outcome, call);
      break;
    case 'feed':
      return (await import('./print-feed.ts')).printFeed(outcome, call);
    case 'text':
      if (call.flags.output === undefined) await write(call.io.stdout, outcome.text);
      else await printDrawing(outcome.text, call);
      break;
    case 'drawing':
      await printDrawing(outcome.text, call);
      break;
    case 'nothing':
      if (outcome.said) call.talk.say(outcome.said);
      break;
  }
  return exitCode;
}

async function printDrawing(text: string, call: Printing): Promise<void> {
  await using destination = await openDestination(call, 'table');
  await destination.write(text);
  await destination.commit();
}

async function printRecord({ record, columns, said, below }: OneRecord, call: Printing): Promise<void> {
  const { flags, talk } = call;
  const layout = await readLayout(call);
  if (said !== undefined) talk.say(said);
  if (said !== undefined && layout === 'table') return;
  await using destination = await openDestination(call, layout);
  const style = await readStyle(call);
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
  if (style.plain) return (await import('../print/plain.ts')).createPlainPrinter(style).rows([record]);
  const { renderRecord } = await import('../print/record.ts');
  return renderRecord(record, { ...style, width: style.io.terminal.columns });
}
