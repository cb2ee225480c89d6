import { resolve } from 'node:path';
import type { Fields } from '../client/json-object.ts';
import { SalonError } from '../contract/errors.ts';
import { renderJson } from '../text/json.ts';
import { write } from './io.ts';
import { exitCodes } from './messages/exit-codes.ts';
import { type ColumnSet, chooseColumns, columnsForPeople, findWantedNames } from './output/columns.ts';
import { type CommandResult, type OneRecord, onePage, type Records } from './output/command-result.ts';
import { openDestination } from './output/destination.ts';
import { isOnScreen, readLayout, readStyle } from './output/format.ts';
import { createListWriter } from './output/list-writer.ts';
import type { ListContext } from './output/print-records.ts';

/** Prints the result of a command in the requested format. Returns the exit code. */
export async function printResult(result: CommandResult, context: ListContext): Promise<number> {
  const exitCode = result.exitCode ?? exitCodes.done.code;
  switch (result.show) {
    case 'records':
      return (await printList(result, context)) ?? exitCode;
    case 'record':
      await printRecord(result, context);
      break;
    case 'feed':
      return (await import('./output/print-feed.ts')).printFeed(result, context);
    case 'text':
      if (context.flags.output === undefined) await write(context.io.stdout, result.text);
      else await printText(result.text, context);
      break;
    case 'pagedText':
      await printText(result.text, context);
      break;
    case 'nothing':
      if (result.message) context.messages.info(result.message);
      break;
  }
  return exitCode;
}

/** Prints a list, or exports it to a file. Returns an exit code if it differs from that of the result. */
async function printList(records: Records, context: ListContext): Promise<number | undefined> {
  const { flags, io } = context;
  const { list } = records;
  if (flags.output !== undefined && list !== undefined) {
    const { readOutputTarget } = await import('./output/output-file.ts');
    const target = await readOutputTarget(resolve(io.cwd, flags.output));
    const { exportList } = await import('./export/run-export.ts');
    if (target !== undefined) return exportList({ records, list, target, context });
  }
  const { printRecords } = await import('./output/print-records.ts');
  return printRecords(records, context);
}

async function printText(text: string, context: ListContext): Promise<void> {
  await using destination = await openDestination(context, 'table');
  await destination.write(text);
  await destination.commit();
}

async function printRecord(result: OneRecord, context: ListContext): Promise<void> {
  const { columns, message, footer } = result;
  const { flags, messages } = context;
  // What is done is said even if it cannot be printed.
  if (message !== undefined) messages.info(message);
  const layout = await readLayout(context);
  if (message !== undefined && layout === 'table') return;
  const record = await withNames(result, layout === 'table', context);
  const requested = message === undefined ? flags.columns : findRequested(columns, record, context);
  await using destination = await openDestination(context, layout);
  // A record for people shows all its fields.
  const shown =
    columns && layout === 'table' ? { ...columns, table: columns.all.map(({ key }) => key) } : columns;
  const style = await readStyle(context, shown, { isRecord: true });
  if (layout === 'table') {
    const chosen =
      flags.columns === undefined
        ? columnsForPeople(record, columns)
        : chooseColumns(columns, { requested: flags.columns, sample: record });
    const { renderRecord } = await import('./output/record.ts');
    const text = renderRecord(record, { ...style, columns: chosen });
    await destination.write(footer === undefined ? text : `${text}\n${footer}`);
  } else if (layout === 'json' && requested === undefined) {
    await destination.write(`${renderJson(record, 2)}\n`);
  } else {
    const writer = createListWriter({
      ...style,
      layout,
      isOnScreen: isOnScreen(context),
      isFile: flags.output !== undefined,
      columns,
      requested,
    });
    await destination.write(await writer.begin([record]));
    await destination.write(await writer.rows([record]));
    await destination.write(await writer.end());
  }
  await destination.commit();
}

/** The columns asked for. A wrong one is no error once something is done: exit code 2 says that nothing was sent. */
function findRequested(columns: ColumnSet | undefined, sample: Fields, { flags, messages }: ListContext) {
  try {
    chooseColumns(columns, { requested: flags.columns, sample });
    return flags.columns;
  } catch (error) {
    if (!(error instanceof SalonError)) throw error;
    messages.warn(`${error.message} All are printed.`);
    return undefined;
  }
}

/** The record with the names of its people: at a terminal, and where a column asks for them. */
async function withNames({ record, columns, message }: OneRecord, forPeople: boolean, context: ListContext) {
  const isWhole = forPeople && context.flags.columns === undefined;
  const wanted = columns && findWantedNames(columns, { requested: context.flags.columns });
  const names = (isWhole ? columns?.names : wanted) ?? {};
  if (Object.keys(names).length === 0) return record;
  const { addNames } = await import('./people/named-rows.ts');
  try {
    for await (const { rows } of addNames(onePage([{ ...record }]), { columns: names, forPeople }, context))
      return rows[0] ?? record;
  } catch (error) {
    // The record itself is there, or the change is done.
    const isNeeded = !isWhole && message === undefined;
    if (isNeeded || !(error instanceof SalonError) || error.code === 'interrupted') throw error;
    context.messages.warn(`Could not read names. ${error.message}`);
  }
  return record;
}
