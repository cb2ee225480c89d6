import { type Fields, findClientId } from '../../client/json-object.ts';
import { type PagedList, readRows } from '../../client/pagination/paginate.ts';
import { isUnavailable, SalonError } from '../../contract/errors.ts';
import { renderCount } from '../../text/numbers.ts';
import { minuteMs, toInstantMs } from '../../time/time.ts';
import type { PrintFlags } from '../flags/options.ts';
import { nouns } from '../nouns/nouns.ts';
import { createCellRenderer, flattenField, renderInstant } from '../output/cell.ts';
import { columnsForPeople } from '../output/columns.ts';
import { onePage } from '../output/command-result.ts';
import { renderDocument, type TextField } from '../output/document.ts';
import { statusWord } from '../output/field-words.ts';
import { isOnScreen, readClock, readStyle } from '../output/format.ts';
import { findInconsistency } from '../output/print-records.ts';
import { escapeHtml, renderPage } from '../output/printed-page.ts';
import { addNames } from '../people/named-rows.ts';
import { nameOfClient, readOwnStylist, readStylistsById } from '../people/names.ts';
import { openAppointmentReader } from '../people/resolve-appointment.ts';
import { describeSameDay } from '../people/same-day.ts';
import { readCurrency } from '../session/account.ts';
import type { CommandContext } from '../session/command-context.ts';

/** All that a server shows of a client. */
interface ClientCard {
  readonly client: Fields;
  /** By start; null if they cannot be read. */
  readonly appointments: readonly Fields[] | null;
  readonly payments: readonly Fields[] | null;
  readonly waitlist: readonly Fields[] | null;
  /** What is missing, in sentences. */
  readonly not_included: readonly string[];
}

/** Throws `unexpected_response` for a list that is not complete, or has records of others. */
export async function readCard(id: string, context: CommandContext): Promise<ClientCard> {
  const client = await context.client();
  const missing = [
    'Not included: the log of who changed what, which also has merged duplicates, and copies in backups, exports and programs that receive webhooks.',
  ];
  if ((await readOwnStylist(client)) !== undefined)
    missing.push(
      "Not included: other stylists' appointments, payments and waiting list, which this API key may not see.",
    );
  const appointments = await readList('appointments', client.appointments.list({ client_id: id }));
  const payments = await readList('payments', client.payments.list({ client_id: id }));
  const waitlist = await readList('waiting list', client.waitlist.list({ client_id: id }));
  const timeOf = (row: Fields) => toInstantMs(row['start_time']) ?? 0;
  appointments?.sort((a, b) => timeOf(a) - timeOf(b));
  // Last: the notes of appointments are gone if the client was deleted meanwhile.
  const record = { ...(await client.clients.get(id)) };
  return { client: record, appointments, payments, waitlist, not_included: missing };

  async function readList(noun: string, list: PagedList<object>): Promise<Fields[] | null> {
    const rows: Fields[] = [];
    try {
      for await (const page of list) rows.push(...page.rows.map((row) => ({ ...row })));
    } catch (thrown) {
      if (!isUnavailable(thrown)) throw thrown;
      missing.push(`Not included: ${noun}. ${thrown.message}`);
      return null;
    }
    const report = list.consistency();
    const error = findInconsistency(report, { noun, isStrict: context.flags.strict === true });
    if (error !== undefined) throw error;
    if (report?.kind === 'not proven') missing.push(`Perhaps not all ${noun}: the server does not prove it.`);
    if (rows.every((row) => findClientId(row) === id)) return rows;
    throw new SalonError('unexpected_response', `The server sent ${noun} of other clients, too.`, {
      hint: 'No card was made, because it would show them.',
    });
  }
}

interface CardSection {
  readonly title: string;
  readonly records: readonly (readonly TextField[])[];
}

async function toSections(card: ClientCard, context: CommandContext): Promise<readonly CardSection[]> {
  const { now, timeZone } = await readClock(context);
  const renderCell = createCellRenderer({ timeZone });
  const currency = await readCurrency(context).catch(() => undefined);
  const isPast = ({ start_time: start }: Fields) => (toInstantMs(start) ?? 0) < now.getTime();
  const visits = card.appointments ?? [];
  const reader = await openAppointmentReader(context);
  const read = visits.flatMap((row) => {
    const visit = reader.read(row);
    return visit ? [{ ...visit, row, endMs: visit.startMs + (visit.minutes ?? 0) * minuteMs }] : [];
  });
  const words = describeSameDay(read, { timeZone, stylists: await readStylistsById(context) });
  const sameDay = new Map(Array.from(words, ([{ row }, text]) => [row, text]));
  const split = (past: boolean) => card.appointments && visits.filter((row) => isPast(row) === past);
  const lists = [
    { noun: 'Client record', rows: [card.client], set: nouns.clients.columns },
    { noun: 'Appointments to come', rows: split(false), set: nouns.appointments.columns },
    { noun: 'Past appointments', rows: split(true), set: nouns.appointments.columns },
    { noun: 'Payments', rows: card.payments, set: nouns.payments.columns },
    { noun: 'Waiting list', rows: card.waitlist, set: nouns.waitlist.columns },
  ];
  const sections: CardSection[] = [];
  for (const { noun, rows, set } of lists) {
    const names = Object.fromEntries(
      Object.entries(set.names ?? {}).filter(([name]) => /stylist/.test(name)),
    );
    const copies = (rows ?? []).map((row) => ({ ...row, same_day: sameDay.get(row) }));
    const named = addNames(onePage(copies), { columns: names, forPeople: true }, context);
    const records = (await readRows(named)).map((row) =>
      columnsForPeople(row, { ...set, names })
        .filter(({ key }) => key !== 'client_id')
        // Without a price, nothing is there to be paid.
        .filter(({ key }) => key !== 'paid_amount' || row['price'] != null || row[key])
        .flatMap((column) =>
          flattenField(row[column.key], column, { renderCell, timeZone, row: { currency, ...row } }),
        )
        .filter(({ lines }) => lines.length > 0)
        .map(({ label, lines, kind }) => ({
          label,
          lines: kind === 'status' ? lines.map(statusWord) : lines,
        })),
    );
    const count =
      rows === null ? ': not included' : records.length === 1 ? '' : ` (${renderCount(records.length)})`;
    sections.push({ title: `${noun}${count}`, records });
  }
  return sections;
}

/** For screen readers and in a pipe, nothing is aligned or wrapped. */
export async function renderCardText(card: ClientCard, context: CommandContext<PrintFlags>): Promise<string> {
  const sections = (await toSections(card, context)).flatMap(({ title, records: [first, ...others] }) => [
    { heading: title, fields: first, indent: 2 },
    ...others.map((fields) => ({ fields, indent: 2 })),
  ]);
  const style = await readStyle(context);
  const plain = style.plain || !isOnScreen(context);
  const width = plain ? Number.POSITIVE_INFINITY : style.width;
  return renderDocument([...sections, { text: card.not_included }], { ...style, plain, width });
}

export async function renderCardPage(card: ClientCard, context: CommandContext): Promise<string> {
  const { now, timeZone } = await readClock(context);
  const title = `About ${nameOfClient(card.client)}`;
  const toLine = ({ label, lines }: TextField) =>
    `<b>${escapeHtml(label)}</b><bdi>${lines.map(escapeHtml).join('<br>')}</bdi>`;
  const parts = (await toSections(card, context)).map(({ title: heading, records }) => {
    const blocks = records.map((fields) => `<div>${fields.map(toLine).join('')}</div>`);
    return `<h2>${escapeHtml(heading)}</h2>\n${blocks.join('\n')}`;
  });
  const asOf = renderInstant(now.toISOString(), { timeZone });
  const details = `All that is stored, as of ${asOf}. Times are in ${timeZone}.`;
  const section = `<section class="list">
<header><h1><bdi>${escapeHtml(title)}</bdi></h1><p>${escapeHtml(details)}</p></header>
${[...parts, ...card.not_included.map((text) => `<p>${escapeHtml(text)}</p>`)].join('\n')}
</section>`;
  return renderPage({ title, orientation: 'portrait', sections: [section], style: cardStyle });
}

const cardStyle = `section { display: block; }
div { break-inside: avoid; display: grid; grid-template-columns: 45mm 1fr; gap: .5mm 3mm; padding: 2mm 0;
  border-bottom: .15mm solid #bbb; }
b { font-weight: normal; color: #555; }
bdi { overflow-wrap: anywhere; }
`;
