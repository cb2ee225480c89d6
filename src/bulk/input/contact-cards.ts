import { toCellText } from '../sheet/cell-text.ts';
import { type ContentLine, readContentLines, splitValue, toPlainText } from '../sheet/content-lines.ts';
import {
  type Encoding,
  maxRowLength,
  otherEmails,
  otherPhones,
  toInvalidRow,
  toLeftOut,
  toUnreadableRow,
  type UnnumberedRow,
} from '../sheet/sheet-form.ts';
import { kindOfLabel } from './column-words.ts';
import { nameOrders } from './person-names.ts';
import { createRemarks } from './remarks.ts';

interface Card {
  readonly line: number;
  /** Those that are read, by name. */
  readonly properties: Map<string, ContentLine[]>;
  length: number;
  /** How many cards are open within it, such as that of an assistant: they are other people. */
  depth: number;
  isBeforeAssistant: boolean;
  problem: string | undefined;
}

/** No heading of other programs, which leave it out beside first and last names. */
const wholeName = 'whole_name';

const taken = ['first_name', 'last_name', wholeName, 'email', 'phone', 'birthday', 'tags', 'notes'];

/** Properties that are named as left out. */
const others = ['TITLE', 'ROLE', 'URL', 'NICKNAME', 'ANNIVERSARY', 'GENDER', 'IMPP', 'RELATED'];

const read = new Set([
  ...['VERSION', 'N', 'FN', 'ORG', 'KIND', 'X-ADDRESSBOOKSERVER-KIND', 'TEL', 'X-ABLABEL', 'EMAIL', 'BDAY'],
  ...['CATEGORIES', 'NOTE', 'ADR', ...others],
]);

/** Reads the people of vCard 2.1, 3.0 and 4.0, card by card. */
export async function* readCards(
  path: string,
  encoding: Encoding,
  remarks = createRemarks(),
): AsyncGenerator<UnnumberedRow, void> {
  let card: Card | undefined;
  let isOutside = false;
  for await (const properties of readContentLines(path, encoding))
    for (const property of properties) {
      const row = takeLine(property);
      if (row !== undefined) yield row;
    }
  if (card !== undefined) yield toUnreadableRow(card.line, describeCut(card));

  function takeLine(property: ContentLine): UnnumberedRow | undefined {
    const { name, line, value } = property;
    const isCard = (name === 'BEGIN' || name === 'END') && value.trim().toUpperCase() === 'VCARD';
    if (name === 'BEGIN' && isCard) {
      isOutside = false;
      if (card?.isBeforeAssistant) {
        card.depth += 1;
        return undefined;
      }
      const cut = card;
      card = {
        line,
        properties: new Map(),
        length: 0,
        depth: 0,
        isBeforeAssistant: false,
        problem: undefined,
      };
      return cut && toInvalidRow(cut.line, describeCut(cut));
    }
    if (card === undefined) {
      const isFirst = !isOutside;
      isOutside = true;
      return isFirst
        ? toInvalidRow(line, `Line ${line} is outside of a card, which begins with BEGIN:VCARD.`)
        : undefined;
    }
    if (isCard && card.depth > 0) card.depth -= 1;
    else if (isCard) {
      const done = card;
      card = undefined;
      return toRow(done);
    }
    if (card.depth > 0) return undefined;
    if (name === '') card.problem ??= `Line ${line} is no property of a contact, such as TEL:… or NOTE:….`;
    card.isBeforeAssistant = name === 'AGENT';
    if (!read.has(name)) return undefined;
    // Properties without a value take memory, too.
    card.length += value.length + 64;
    const same = card.properties.get(name);
    if (card.length > maxRowLength || property.isLong)
      card.problem ??= `The card that begins on line ${card.line} is longer than 1 MiB.`;
    else if (same === undefined) card.properties.set(name, [property]);
    else same.push(property);
    return undefined;
  }

  function toRow({ line, properties, problem }: Card): UnnumberedRow | undefined {
    if (problem !== undefined) return toInvalidRow(line, problem);
    const cells = toCells(properties, line);
    return cells && { line, cells };
  }

  /** Undefined for a card that is no person. */
  function toCells(properties: Card['properties'], line: number): Record<string, string> | undefined {
    const all = (wanted: string) => properties.get(wanted) ?? [];
    const text = (wanted: string) => toPlainText(properties.get(wanted)?.[0]?.value ?? '');
    const phones = readPhones(all('TEL'), all('X-ABLABEL'));
    const mails = all('EMAIL').toSorted(
      (one, other) => Number(isPreferred(other)) - Number(isPreferred(one)),
    );
    const [mail = '', ...otherMails] = mails.map(({ value }) => toPlainText(value).replace(/^mailto:/i, ''));
    const phone = phones.find(({ isFax }) => !isFax);
    const nameText = properties.get('N')?.[0]?.value ?? '';
    // In 2.1 a comma is one; later, it separates several names.
    const names = text('VERSION') === '2.1' ? nameText : withoutCommas(nameText);
    const [family = '', given = '', additional = '', ...titles] = splitValue(names, ';');
    const [organisation = ''] = splitValue(properties.get('ORG')?.[0]?.value ?? '', ';');
    const contacts = [mail, organisation, ...phones.map(({ number }) => number)];
    const isName = (name: string) =>
      /\p{L}/u.test(name) && !contacts.some((one) => one.toLowerCase() === name.toLowerCase());
    const first = [given, additional].filter((part) => part !== '').join(' ');
    const hasName = isName([first, family].filter((part) => part !== '').join(' '));
    const full = text('FN');
    const kind = (text('KIND') || text('X-ADDRESSBOOKSERVER-KIND') || 'individual').toLowerCase();
    const isGroup = kind === 'group';
    const isNameless = !hasName && !isName(full);
    if (isGroup || kind !== 'individual' || (isNameless && organisation !== '')) {
      remarks.note(isGroup ? 'groups' : 'organisations', ' left out', full || organisation || `line ${line}`);
      return undefined;
    }
    if (isNameless && phone === undefined && mail === '') {
      remarks.note('cards', ' without name, phone and email left out', `line ${line}`);
      return undefined;
    }
    if (isNameless) remarks.note('cards', ' without a name', `line ${line}`);
    for (const title of hasName ? titles.filter((part) => part !== '') : [])
      remarks.note('titles', ' left out of names', title);
    const cells: Record<string, string> = {};
    const put = (heading: string, cell: string) => {
      if (cell !== '') cells[heading] = cell;
    };
    put('first_name', hasName ? first : '');
    put('last_name', hasName ? family : '');
    put(wholeName, hasName || isNameless ? '' : full);
    put('email', mail);
    put('phone', phone?.number ?? '');
    put('birthday', all('BDAY').slice(0, 1).map(readBirthday).join(''));
    put('tags', toCellText(all('CATEGORIES').flatMap(readTags)));
    put(
      'notes',
      all('NOTE')
        .map(({ value }) => toPlainText(value))
        .join('\n'),
    );
    const otherNumbers = phones.filter((one) => one !== phone);
    put(otherPhones, otherNumbers.map(({ label, number }) => `${label} ${number}`).join(', '));
    put(otherEmails, otherMails.join(', '));
    put('address', all('ADR').map(readAddress).join('; '));
    put('organisation', organisation);
    for (const name of others) put(name.toLowerCase(), text(name));
    return cells;
  }

  /** `1985-05-15`, `--05-15`, or nothing for what is no whole day. */
  function readBirthday({ parameters, value, line }: ContentLine): string {
    const text = toPlainText(value);
    const [, year = '', month, day, time = ''] =
      /^(\d{4}|-)-?(\d\d)-?(\d\d)(?:[T ](\d.*))?$/i.exec(text) ?? [];
    if (month === undefined) {
      if (text !== '') remarks.note('birthdays', ' without a whole day left out', `${text} (line ${line})`);
      return '';
    }
    const isYear = !['-', '1604', parameters.get('X-APPLE-OMIT-YEAR')?.[0]].includes(year);
    const date = `${isYear ? year : '-'}-${month}-${day}`;
    const [, hours, minutes, seconds = '00', zone = ''] =
      /^(\d\d):?(\d\d)(?::?(\d\d))?(?:\.\d+)?(Z|[+-]\d\d:?(?:\d\d)?)?$/i.exec(time) ?? [];
    return hours === undefined || Number(`${hours}${minutes}${seconds}`) === 0
      ? date
      : `${date}T${hours}:${minutes}:${seconds}${zone}`;
  }
}

function describeCut({ line }: Card): string {
  return `The card that begins on line ${line} does not end: END:VCARD is missing.`;
}

function withoutCommas(value: string): string {
  return value.replace(/\\.|, ?/gs, (sign) => (sign.startsWith(',') ? ' ' : sign));
}

/** Labels of Google for all contacts, not of the salon for some. */
const noTags = /^(?:my ?contacts|starred|\* .*)$/i;

function readTags({ value }: ContentLine): readonly string[] {
  return splitValue(value, ',').filter((tag) => tag !== '' && !noTags.test(tag));
}

function readAddress({ value }: ContentLine): string {
  return splitValue(value, ';')
    .filter((part) => part !== '')
    .join(', ');
}

function isPreferred({ parameters }: ContentLine): boolean {
  return parameters.has('PREF') || typesOf(parameters).includes('PREF');
}

function typesOf(parameters: ContentLine['parameters']): readonly string[] {
  return (parameters.get('TYPE') ?? []).map((type) => type.trim().toUpperCase());
}

const kinds = ['Mobile', 'Phone', 'Home', 'Work', 'Fax'] as const;

/** The numbers of a card, each once: mobile before those of no kind, home and work. */
function readPhones(numbers: readonly ContentLine[], groupLabels: readonly ContentLine[]) {
  const labels = new Map(
    groupLabels.map(({ group, value }) => [group, toPlainText(value).replace(/^_\$!<(.*)>!\$_$/, '$1')]),
  );
  const phones = numbers
    .map((property) => {
      const types = typesOf(property.parameters);
      const own = types.find((type) => type.startsWith('X-'))?.slice(2);
      const label = labels.get(property.group) ?? own ?? '';
      const is = (...words: readonly string[]) =>
        words.some((word) => types.includes(word) || label.toUpperCase() === word);
      const isMobile = is('CELL', 'MOBILE', 'IPHONE') || kindOfLabel(label) === 'mobile';
      const isFax = is('FAX', 'PAGER') || /fax/i.test(label);
      const kind = isFax ? 'Fax' : isMobile ? 'Mobile' : is('HOME') ? 'Home' : is('WORK') ? 'Work' : 'Phone';
      const rank = 2 * kinds.indexOf(kind) + (isPreferred(property) ? 0 : 1);
      const number = toPlainText(property.value).replace(/^tel:/i, '');
      return { number, label: label || kind, rank, isFax };
    })
    .filter(({ number }) => number !== '')
    .toSorted((one, other) => one.rank - other.rank);
  return [
    ...new Map(phones.toReversed().map((phone) => [phone.number.replace(/[^\d+]/g, ''), phone])).values(),
  ].reverse();
}

/** The columns of all cards of a file, and what of them is left out. */
export async function detectCards(path: string, encoding: Encoding) {
  const remarks = createRemarks();
  const used = new Set<string>();
  for await (const { cells } of readCards(path, encoding, remarks))
    for (const heading in cells) used.add(heading);
  const columns = [
    ...taken.filter((heading) => used.has(heading)),
    ...[...used].filter((heading) => !taken.includes(heading)),
  ];
  const fields = columns.map((heading) =>
    heading === wholeName ? nameOrders[0] : taken.includes(heading) ? heading : toLeftOut(heading),
  );
  return { columns, fields, remarks: remarks.sentences() };
}
