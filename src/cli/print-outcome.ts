import type { Call } from './call.ts';
import { type Destination, openDestination } from './destination.ts';
import { exitCodes } from './exit-codes.ts';
import { chooseLayout, createPrinter, type Layout, wantsColor } from './format.ts';
import { write } from './io.ts';
import type { ListFlags } from './options.ts';
import type { OneRecord, Outcome, RecordPage, Records } from './outcome.ts';
import { parseCount } from './parse/values.ts';
import { chooseColumns } from './print/columns.ts';
import type { Row } from './print/printer.ts';
import { startProgress } from './progress.ts';
import { silentStatus } from './status-line.ts';
import { announceCost } from './walk-cost.ts';

type Printing = Call<ListFlags>;

/** Prints what a verb answered, in the layout asked for, and says the exit code. */
export async function printOutcome(outcome: Outcome, call: Printing): Promise<number> {
  switch (outcome.show) {
    case 'records':
      await printRecords(outcome, call);
      break;
    case 'record':
      await printRecord(outcome, call);
      break;
    case 'text':
      await write(call.io.stdout, outcome.text);
      break;
    case 'nothing':
      if (outcome.said) call.talk.say(outcome.said);
      break;
  }
  return outcome.exitCode ?? exitCodes.done.code;
}

async function printRecords(outcome: Records, call: Printing): Promise<void> {
  const { flags, io, talk } = call;
  const limit = flags.limit === undefined ? Number.POSITIVE_INFINITY : parseCount(flags.limit, '--limit');
  const layout = await layoutOf(call);
  await using destination = await openDestination(io, flags.output);
  const printed = await pour(outcome, { call, layout, limit, destination });
  await destination.commit();
  if (printed.rows === 0 && layout === 'table') talk.say(`No ${outcome.noun}.`);
  if (printed.total !== undefined && printed.rows < printed.total && printed.rows >= limit) {
    talk.say(`${count(printed.rows)} of ${count(printed.total)} ${outcome.noun}`);
  } else if (flags.output !== undefined) {
    talk.say(`${count(printed.rows)} ${outcome.noun} written to ${flags.output}`);
  }
}

interface Pouring {
  readonly call: Printing;
  readonly layout: Layout;
  readonly limit: number;
  readonly destination: Destination;
}

/** Page after page into the destination; the printer is made when the first page is there, so that a failure before it prints nothing. */
async function pour(outcome: Records, { call, layout, limit, destination }: Pouring) {
  const { flags, io } = call;
  const shown = flags.quiet !== true && (flags.output !== undefined || !io.terminal.output);
  const progress = startProgress(io, { noun: outcome.noun, status: shown ? call.status : silentStatus });
  const printer = async (sample?: Row) =>
    createPrinter({
      ...(await styleOf(call)),
      layout,
      columns: outcome.columns,
      requested: flags.columns,
      sample,
    });
  let open: Awaited<ReturnType<typeof printer>> | undefined;
  let rows = 0;
  let total: number | undefined;
  try {
    for await (const page of outcome.pages) {
      const kept = page.rows.length > limit - rows ? page.rows.slice(0, limit - rows) : page.rows;
      total = page.total;
      rows += kept.length;
      const beginning = open === undefined;
      if (beginning) await tellCost(outcome, page, call);
      open ??= await printer(kept[0]);
      await destination.write((beginning ? open.begin() : '') + open.rows(kept));
      progress.update(rows, total);
      if (rows >= limit) break;
    }
    const beginning = open === undefined;
    open ??= await printer();
    await destination.write((beginning ? open.begin() : '') + open.end());
  } finally {
    progress.stop();
  }
  return { rows, total };
}

async function tellCost(outcome: Records, page: RecordPage, call: Printing): Promise<void> {
  if (outcome.limit === undefined || page.total === undefined) return;
  const { ratePerHour, timeZone } = (await call.session()).settings;
  const wanted = call.flags.limit === undefined ? page.total : Number(call.flags.limit);
  const cost = {
    records: Math.min(page.total, wanted),
    perPage: page.rows.length,
    limit: outcome.limit(),
    perHour: ratePerHour?.value,
    nowMs: call.io.now().getTime(),
    timeZone: timeZone.value,
  };
  announceCost(cost, call.talk);
}

async function printRecord({ record, columns, said }: OneRecord, call: Printing): Promise<void> {
  const { flags, io, talk } = call;
  const layout = await layoutOf(call);
  if (said !== undefined) talk.say(said);
  if (said !== undefined && layout === 'table') return;
  await using destination = await openDestination(io, flags.output);
  const style = await styleOf(call);
  if (layout === 'table') {
    const { renderRecord } = await import('./print/record.ts');
    const asked = { requested: flags.columns, sample: record };
    const chosen = flags.columns === undefined ? {} : { columns: chooseColumns(columns, asked) };
    await destination.write(renderRecord(record, { ...style, ...chosen, width: io.terminal.columns }));
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

async function layoutOf({ flags, io, session }: Printing): Promise<Layout> {
  const { format } = (await session()).settings;
  const asked = format?.source === 'flag' || flags.output === undefined ? format?.value : undefined;
  return chooseLayout({
    asked,
    output: flags.output,
    excel: flags.excel === true,
    terminal: io.terminal.output,
  });
}

async function styleOf({ flags, io, session }: Printing) {
  const { timeZone } = (await session()).settings;
  return { io, excel: flags.excel === true, color: wantsColor(io, flags.color), timeZone: timeZone.value };
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
