import { describeColumns } from '../../bulk/input/map-columns.ts';
import type { CheckedSheet } from '../../bulk/plan/open-sheet.ts';
import {
  otherEmails,
  otherPhone,
  otherPhones,
  type SheetForm,
  toLeftOut,
} from '../../bulk/sheet/sheet-form.ts';
import { SalonError } from '../../contract/errors.ts';
import { countOf, renderCount } from '../../text/numbers.ts';
import { quote } from '../../text/quote.ts';
import type { EditFlags } from '../flags/edit-flags.ts';
import { toFieldWords } from '../output/field-words.ts';
import type { CommandContext } from '../session/command-context.ts';
import { describePhones } from './describe-phones.ts';

/** Columns shown in detail. */
const maxShown = 10;
/** Characters shown of a value or name. */
const maxShownLength = 60;

const shownNames: Readonly<Record<string, string>> = {
  ...{ vcard: 'vCard', icalendar: 'iCalendar' },
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
};

/** Shows `clients.csv: CSV with semicolons, Windows-1252, 3 rows`. Throws `usage` if a flag does not fit the format. */
export function describeSheet(sheet: CheckedSheet, context: CommandContext<EditFlags>): void {
  const { flags, messages } = context;
  const { name, form, rows, shortRows, ignoredColumns, commaCells, dayOrders, serviceDurations } = sheet;
  const { format, isGuarded } = form;
  if ((flags.guarded ?? flags.noGuarded) !== undefined && format !== 'csv') {
    throw new SalonError('usage', `--guarded is for CSV, but ${name} is ${format.toUpperCase()}.`, {
      hint: 'Omit --guarded, or add --sheet-format csv.',
    });
  }
  if (flags.stylist !== undefined && format !== 'icalendar') {
    throw new SalonError('usage', `--stylist is for a calendar, but ${name} is ${describeForm(form)[0]}.`, {
      hint: 'Put a column stylist into the file.',
    });
  }
  const parts = [...describeForm(form), ...(isGuarded ? ['guarded for Excel'] : [])];
  messages.info(`${name}: ${[...parts, countOf(rows, 'rows')].join(', ')}`);
  for (const remark of form.remarks ?? []) messages.info(remark);
  describeTable(sheet, messages);
  if (shortRows > 0) messages.info(`${countOf(shortRows, 'rows')} without the last cells, read as blank.`);
  if (form.doubt !== undefined) {
    const { word, encoding, otherWord } = form.doubt;
    const [read, other] = [word, otherWord].map((text) => quote(text, maxShownLength));
    messages.warn(
      `${name} does not say its encoding. It is read as ${nameEncoding(form.encoding)}: "${read}". If names look wrong, add --encoding ${encoding}, which reads "${other}".`,
    );
  }
  for (const [field, order] of dayOrders)
    messages.info(`${field}: dates with slashes are read ${order.replace('-', ' ')}.`);
  for (const { field, count, cell } of sheet.emptyDays)
    messages.info(`${field}: ${countOf(count, 'cells')} with no day, such as ${cell}, left blank.`);
  for (const [field, { count, cell }] of sheet.pending)
    messages.info(
      `${field}: "${quote(cell, maxShownLength)}" is no yes: ${countOf(count, 'cells')} not taken.`,
    );
  for (const [field, { count }] of commaCells) {
    const cells = `${field}: ${countOf(count, 'cells')} with commas`;
    if (sheet.splitsCommas) messages.info(`${cells}, split at them.`);
    else messages.warn(`${cells} and no semicolon, read as one entry. Separate entries with ;`);
  }
  describePhones(sheet, { flags, messages });
  if (serviceDurations > 0) {
    const appointments = `${countOf(serviceDurations, 'appointments')} without one`;
    messages.info(`duration: ${appointments}, taken from the service (salon services list).`);
  }
  for (const column of ignoredColumns.filter((one) => /^(?:client|(?:preferred_)?stylist)_name$/.test(one))) {
    messages.info(`${column} is not read: ${column.replace(/name$/, 'id')} says who is meant.`);
  }
  describeMapping(sheet, context);
  if (ignoredColumns.length > 0) messages.verbose(`Ignored columns: ${ignoredColumns.join(', ')}`);
}

/** Shows what the columns have, and what is not taken. */
function describeMapping(
  { form, names, ignoredColumns, leftOutRows, organisations }: CheckedSheet,
  { flags, messages }: CommandContext<EditFlags>,
): void {
  const { taken, leftOut } = describeColumns(form, ignoredColumns);
  const show = (heading: string) => quote(heading, maxShownLength);
  const nameOf = (field: string) => {
    if (field !== otherPhone) return field.split(' ').map(toFieldWords).join(' and ');
    const first = form.columns?.[form.fields?.indexOf('phone') ?? -1] ?? 'phone';
    return `phone where ${show(first)} is blank, else ${flags.keepPhones ? 'notes' : 'not taken'}`;
  };
  const pairs = taken.map(([heading, field]) => `${show(heading)} → ${nameOf(field)}`);
  if (pairs.length > 0) messages.info(`Columns: ${pairs.join(', ')}`);
  const { keepPhones = false } = flags;
  const isKept = (heading: string) =>
    keepPhones && form.parts?.some((part) => part.role === 'number' && part.heading === heading) === true;
  const named = leftOut.filter((one) => one !== otherPhones && one !== otherEmails && !isKept(one));
  const notTaken = named.map((heading) => {
    const rows = leftOutRows.get(toLeftOut(heading)) ?? 0;
    return rows === 0 ? show(heading) : `${show(heading)} (${countOf(rows, 'rows')})`;
  });
  if (notTaken.length > 0) messages.info(`Not taken: ${notTaken.join(', ')}`);
  const [phones = 0, emails = 0] = [otherPhones, otherEmails].map((name) => leftOutRows.get(toLeftOut(name)));
  if (phones > 0 && keepPhones)
    messages.info(`notes: ${countOf(phones, 'rows')} with other phones, kept with their labels.`);
  else if (phones > 0)
    messages.info(
      `phone: ${countOf(phones, 'rows')} with other phones, not taken. --keep-phones puts them into the notes.`,
    );
  if (emails > 0) messages.info(`email: ${countOf(emails, 'rows')} with other addresses, not taken.`);
  if (organisations.length > 0) {
    const examples = organisations.slice(0, maxShown).map(show);
    const end = organisations.length > maxShown ? ', …' : '';
    messages.info(`${countOf(organisations.length, 'organisations')} left out: ${examples.join(', ')}${end}`);
  }
  if (names.titles.length > 0)
    messages.info(`Titles are left out of names: ${names.titles.map(show).join(', ')}`);
  const { count, examples } = names.unclear;
  if (count === 0) return;
  const shown = examples.map(show).join('; ');
  messages.warn(
    `${countOf(count, 'names')} can be split in several ways: ${shown}${count > examples.length ? '; …' : ''}`,
  );
}

/** Shows where the table begins, what in it is not read, and what else could be read. */
function describeTable({ form, asides }: CheckedSheet, messages: CommandContext['messages']): void {
  const { headingLine, title, worksheet } = form;
  const show = (text: string) => `"${quote(text, maxShownLength)}"`;
  if (title !== undefined)
    messages.info(`The headings are on line ${headingLine}; not read above them: ${show(title)}`);
  const rows = asides.rows.map(({ line, text }) => `line ${line} ${show(text)}`);
  if (asides.count > rows.length) rows.push(`${renderCount(asides.count - rows.length)} more`);
  if (rows.length > 0) messages.info(`Headings, pages and totals are not read: ${rows.join(', ')}`);
  const { others = [] } = worksheet ?? {};
  if (others.length === 0) return;
  const more = others.length > 5 ? ', …' : '';
  messages.info(`Not read: ${others.slice(0, 5).map(show).join(', ')}${more}. To read another: --sheet`);
}

function describeForm({ format, delimiter, encoding, worksheet }: SheetForm): readonly string[] {
  const encodingName = nameEncoding(encoding);
  if (worksheet === undefined) {
    const kind =
      delimiter === null ? (shownNames[format] ?? format.toUpperCase()) : `CSV with ${shownNames[delimiter]}`;
    return [kind, encodingName];
  }
  const { name, count } = worksheet;
  const of = count === 1 ? '' : ` of ${count}`;
  const shown = quote(name, maxShownLength);
  if (format === 'html') return ['HTML', encodingName, `${shown}${of}`];
  return [format === 'xml' ? 'XML Spreadsheet' : format.toUpperCase(), `worksheet "${shown}"${of}`];
}

/** `UTF-16`, `Windows-1252`, `ISO-8859-2`, `Mac Roman` */
function nameEncoding(encoding: SheetForm['encoding']): string {
  if (encoding === 'macintosh') return 'Mac Roman';
  return encoding.replace(/[bl]e$/, '').replace(/^(?:utf|iso|w)/, (start) => start.toUpperCase());
}
