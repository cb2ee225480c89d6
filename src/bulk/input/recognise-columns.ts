import {
  type ColumnPart,
  otherPhone,
  type PartRole,
  type SheetForm,
  toLeftOut,
} from '../sheet/sheet-form.ts';
import { foldHeading, recogniseHeading } from './column-words.ts';
import { targetOf } from './join-cells.ts';
import { findProgram, type KnownProgram } from './known-programs.ts';
import { leftOut } from './map-columns.ts';
import { nameOrders } from './person-names.ts';

interface Recognised extends Required<Pick<SheetForm, 'fields'>> {
  readonly parts: readonly ColumnPart[];
  /** Whose export it is. */
  readonly program: KnownProgram | undefined;
}

type Columns = Pick<SheetForm, 'columns' | 'fields'>;

/** The fields of columns that other programs and people name in their own way. Those that are mapped stay. */
function recogniseClients(
  { columns, fields = columns ?? [] }: Columns,
  mapped: ReadonlyMap<number, string>,
  known: readonly string[],
): Recognised {
  const headings = columns ?? [];
  const program = findProgram(headings);
  const meanings = headings.map((heading, index) => {
    const field = fields[index] ?? heading;
    const isPlain = known.includes(field) && (field !== 'phone' || mapped.has(index));
    const meaning = mapped.get(index) ?? program?.meaningOf(heading);
    return meaning ?? (isPlain ? field : (recogniseHeading(heading, 'clients') ?? field));
  });
  const phones = toPhoneFields(toNameFields(meanings), mapped);
  const isTaken = (field: string) => phones.includes(field);
  const parts = headings.flatMap((heading, index): ColumnPart[] => {
    const [meaning = '', field = ''] = [meanings[index], phones[index]];
    const isSpare = phoneKinds.includes(meaning) && field !== 'phone' && !mapped.has(index);
    if (isSpare) return [{ field: field === leftOut ? toLeftOut(heading) : field, heading, role: 'number' }];
    if (!meaning.startsWith('@')) return [];
    const role = meaning.slice(1) as PartRole;
    const target = targetOf(role);
    if (target !== undefined && isTaken(target)) return [];
    const label = toLabelHeading(heading);
    const labelled = headings.find((other) => other !== heading && toLabelHeading(other) === label);
    const { separator } = program ?? {};
    return [
      {
        ...{ field: toLeftOut(heading), heading, role },
        ...(labelled === undefined ? {} : { label: toLeftOut(labelled) }),
        ...(separator === undefined ? {} : { separator }),
      },
    ];
  });
  return {
    fields: phones.map((field, index) =>
      field === leftOut || meanings[index]?.startsWith('@') ? toLeftOut(headings[index] ?? '') : field,
    ),
    parts,
    program,
  };
}

/** `phone1` for the columns `Phone 1 - Label` and `Phone 1 - Value`. */
function toLabelHeading(heading: string): string {
  return foldHeading(heading).replace(/(?:label|type|value)$/, '');
}

/** A column `Name` has what the others do not: last names beside first names, whole names beside neither. */
function toNameFields(meanings: readonly string[]): readonly string[] {
  const [hasFirst, hasLast] = ['first_name', 'last_name'].map((field) => meanings.includes(field));
  const hasWhole = meanings.some((meaning) => nameOrders.some((order) => order === meaning));
  const isTold = (hasFirst && hasLast) || hasWhole;
  const part = hasFirst ? 'last_name' : hasLast ? 'first_name' : 'first_name last_name';
  return meanings.map((meaning) => {
    if (meaning === 'name') return isTold ? leftOut : part;
    const isRepeated = hasFirst && hasLast && nameOrders.some((order) => order === meaning);
    return isRepeated ? leftOut : meaning;
  });
}

const phoneKinds = ['mobile', 'phone', 'landline'];

/**
 * Mobile numbers come first, then numbers of any kind, then landlines. Two columns of the first kind stay, to be
 * refused.
 */
function toPhoneFields(meanings: readonly string[], mapped: ReadonlyMap<number, string>): readonly string[] {
  const kinds = phoneKinds.map((kind) =>
    meanings.flatMap((meaning, index) => (meaning === kind && !mapped.has(index) ? [index] : [])),
  );
  const isChosen = [...mapped.values()].includes('phone');
  const [first = [], second = []] = [...(isChosen ? [[]] : []), ...kinds.filter(({ length }) => length > 0)];
  return meanings.map((meaning, index) => {
    if (mapped.has(index) || !phoneKinds.includes(meaning)) return meaning;
    if (first.includes(index)) return 'phone';
    return second.length === 1 && second.includes(index) ? otherPhone : leftOut;
  });
}

/** The columns of appointments: a date and a time in two columns, and what says who the client is, are parts. */
function recogniseAppointments(
  { columns, fields = columns ?? [] }: Columns,
  mapped: ReadonlyMap<number, string>,
  known: readonly string[],
): Recognised {
  const headings = columns ?? [];
  const hasId =
    [...mapped.values()].includes('client_id') ||
    headings.some((heading) => foldHeading(heading) === 'clientid');
  const meanings = headings.map((heading, index) => {
    const field = mapped.get(index) ?? fields[index] ?? heading;
    const contact = mapped.has(index) || hasId ? undefined : ownContacts[foldHeading(heading)];
    if (contact === undefined && known.includes(field)) return field;
    return contact ?? recogniseHeading(heading, 'appointments') ?? contactOf(heading) ?? field;
  });
  // With a date in a column of its own, that of the start has its time.
  const hasDate = meanings.includes('date');
  const contacts = new Set(meanings.filter((meaning) => meaning.startsWith('client')));
  const parts: ColumnPart[] = [];
  const named = meanings.map((meaning, index) => {
    if (mapped.has(index) || meaning === 'client_id') return meaning;
    const field = toLeftOut(headings[index] ?? '');
    if (meaning.startsWith('client')) {
      if (hasId) return known.includes(meaning) ? meaning : field;
      if (contacts.size === 1 && meaning !== 'client_number') return 'client_id';
    } else if (meaning === 'start_time') {
      if (!hasDate) return meaning;
    } else if (meaning !== 'date' && meaning !== 'end') return meaning;
    const role = (meaning === 'start_time' ? 'time' : meaning) as PartRole;
    parts.push({ field, heading: headings[index] ?? '', role });
    return field;
  });
  return { fields: named, parts, program: undefined };
}

/** Columns of an export with names of clients, which say who is meant where no column has IDs. */
const ownContacts: Readonly<Record<string, string>> = {
  ...{ client: 'client', clientname: 'client', clientemail: 'client_email', clientphone: 'client_phone' },
};

/** What a column of a client's name, phone or email address has. */
function contactOf(heading: string): string | undefined {
  const meaning = recogniseHeading(heading, 'clients');
  if (meaning === 'first_name' || meaning === 'last_name') return `client_${meaning}`;
  if (meaning === 'email') return 'client_email';
  if (meaning === 'mobile' || meaning === 'phone') return 'client_phone';
  if (meaning === 'external_id') return 'client_number';
  return meaning?.includes('name') ? 'client' : undefined;
}

export const recogniseColumns = { clients: recogniseClients, appointments: recogniseAppointments } as const;
