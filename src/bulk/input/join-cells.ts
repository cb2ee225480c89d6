import { externalIdPrefix } from '../../client/references/person.ts';
import { toNameKey } from '../../text/search-text.ts';
import { readClockTime } from '../../time/clock-times.ts';
import { toCellText } from '../sheet/cell-text.ts';
import { isBlank } from '../sheet/csv-parser.ts';
import {
  type ColumnPart,
  otherEmails,
  otherPhone,
  otherPhones,
  type PartRole,
  type SheetForm,
  type SheetRow,
  toLeftOut,
} from '../sheet/sheet-form.ts';
import { kindOfLabel } from './column-words.ts';

type Cells = Readonly<Record<string, string>>;

/** Of a part, or where its label says nothing: the lowest number is taken. Faxes are no phones of people. */
const ranks: Readonly<Record<string, number>> = { mobile: 0, phone: 1, home: 2, work: 3 };

/** The field that the columns of a role have together. */
export function targetOf(role: PartRole): string | undefined {
  if (role in ranks) return 'phone';
  if (role === 'date' || role === 'time') return 'start_time';
  if (role === 'end') return 'duration';
  if (role.startsWith('client')) return 'client_id';
  return role === 'email' || role === 'tags' ? role : undefined;
}

/**
 * Adds the cells that several columns have together: the phone that a message reaches, the first email address, tags,
 * the start of an appointment, and its client. `other_phones` has the other numbers.
 */
export function createCellJoiner({ parts = [] }: Pick<SheetForm, 'parts'>) {
  const of = (...roles: readonly PartRole[]) => parts.filter(({ role }) => roles.includes(role));
  const phones = of('mobile', 'phone', 'home', 'work');
  const [numbers, emails, tags, notes] = [of('number'), of('email'), of('tags'), of('notes')];
  const client = parts.filter(({ role }) => targetOf(role) === 'client_id');
  const [date] = of('date');
  const [time] = of('time');
  if (parts.length === 0) return (cells: Cells) => cells;
  return (cells: Cells): Cells => {
    const joined: Record<string, string> = { ...cells };
    const put = (field: string, text: string) => {
      if (text !== '') joined[field] = text;
    };
    if (phones.length > 0) {
      const found = phones.flatMap((part) => readPhones(cells, part));
      const [first, ...others] = found.toSorted((one, other) => one.rank - other.rank);
      // A landline changes no mobile number of a client who exists.
      joined['phone'] = first !== undefined && first.rank < 2 ? first.number : '';
      put(otherPhone, first !== undefined && first.rank >= 2 ? first.number : '');
      put(toLeftOut(otherPhones), others.map(({ label, number }) => `${label} ${number}`.trim()).join(', '));
    }
    if (numbers.length > 0) {
      const isUsed = (field: string) => field === otherPhone && isBlank(cells['phone'] ?? '');
      const spare = numbers.filter(({ field }) => !isBlank(cells[field] ?? '') && !isUsed(field));
      const texts = spare.map(({ field, heading }) => `${heading} ${cells[field]?.trim()}`);
      put(toLeftOut(otherPhones), texts.join(', '));
    }
    if (emails.length > 0) {
      const [first = '', ...others] = emails.flatMap((part) => splitCell(cells, part));
      joined['email'] = first;
      put(toLeftOut(otherEmails), others.join(', '));
    }
    if (tags.length > 0) {
      const all = tags.flatMap((part) => splitCell(cells, part)).map((tag) => tag.replace(/^"|"$/g, ''));
      joined['tags'] = toCellText(all.filter((tag) => tag !== '' && !tag.startsWith('* ')));
    }
    if (notes.length > 0) {
      const more = notes.flatMap(({ field, heading }) =>
        isBlank(cells[field] ?? '') ? [] : [`${heading}: ${cells[field]?.trim()}`],
      );
      joined['notes'] = [cells['notes'] ?? '', ...more].filter((text) => text !== '').join('\n');
    }
    if (date !== undefined) joined['start_time'] = joinStart(cells[date.field], cells[time?.field ?? '']);
    if (client.length > 0) joined['client_id'] = joinClient(cells, client);
    return joined;
  };
}

/** The name of an organisation that a row is of, and no person. */
export function findOrganisation(
  cells: SheetRow['cells'],
  { parts = [] }: Pick<SheetForm, 'parts'>,
): string | undefined {
  const part = parts.find(({ role }) => role === 'organisation');
  const name = String(cells[part?.field ?? ''] ?? '').trim();
  if (name === '') return undefined;
  const person = ['first_name', 'last_name', 'first_name last_name']
    .map((field) => String(cells[field] ?? '').trim())
    .filter((text) => text !== '');
  return person.length === 0 || toNameKey(person.join(' ')) === toNameKey(name) ? name : undefined;
}

function readPhones(cells: Cells, part: ColumnPart) {
  const { role, heading, label = '' } = part;
  const text = part.label === undefined ? heading : (cells[label] ?? '').replace(/^\* ?/, '').trim();
  const kind = part.label === undefined ? role : (kindOfLabel(text) ?? 'phone');
  const rank = ranks[kind];
  return splitCell(cells, part).flatMap((number) =>
    rank === undefined ? [] : [{ number, label: text, rank }],
  );
}

/** The values of a cell. Commas separate tags alone. */
function splitCell(cells: Cells, { field, role, separator = '' }: ColumnPart): readonly string[] {
  const cell = cells[field] ?? '';
  const isList = separator !== '' && (role === 'tags' || separator.length > 1);
  return (isList ? cell.split(separator) : [cell]).map((text) => text.trim()).filter((text) => text !== '');
}

/** `08.12.2026 10:00` of two cells, unless one of them says it all. */
function joinStart(date = '', time = ''): string {
  if (isBlank(time) || isBlank(date)) return isBlank(time) ? date.trim() : time.trim();
  const isClock = readClockTime(time.trim()) !== undefined;
  // A worksheet shows midnight where a date has no time.
  return isClock ? `${date.trim().replace(/[T ]00:00(?::00)?$/, '')} ${time.trim()}` : time.trim();
}

/** External ID, email address, phone and name of a client, each on its line. */
function joinClient(cells: Cells, parts: readonly ColumnPart[]): string {
  const read = (...roles: readonly PartRole[]) =>
    parts
      .filter(({ role }) => roles.includes(role))
      .map(({ field }) => (cells[field] ?? '').trim())
      .filter((text) => text !== '')
      .join(' ');
  const name = read('client') || read('client_first_name', 'client_last_name');
  const number = read('client_number');
  const externalId = number === '' ? '' : `${externalIdPrefix}${number}`;
  const texts = [externalId, read('client_email'), read('client_phone'), name];
  return texts.filter((text) => text !== '').join('\n');
}
