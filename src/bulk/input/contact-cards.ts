import { foldText } from '../../text/search-text.ts';
import { toCellText } from '../sheet/cell-text.ts';
import { type ContentLine, createContentLines, splitValue, toPlainText } from '../sheet/content-lines.ts';
import {
  type Encoding,
  maxRowLength,
  otherEmails,
  otherPhones,
  toLeftOut,
  toUnreadableRow,
  type UnnumberedRow,
} from '../sheet/sheet-form.ts';
import { readText } from '../sheet/sheet-text.ts';
import { kindOfLabel } from './column-words.ts';
import { nameOrders } from './person-names.ts';
import { createRemarks } from './remarks.ts';

interface Card {
  readonly line: number;
  readonly properties: ContentLine[];
  length: number;
  /** How many cards are open within it, such as that of an assistant: they are other people. */
  depth: number;
  problem: string | undefined;
}

/** No heading of other programs, which leave it out beside first and last names. */
const wholeName = 'whole_name';

const taken = ['first_name', 'last_name', wholeName, 'email', 'phone', 'birthday', 'tags', 'notes'];

/** Properties that are named as left out. */
const others = new Set('TITLE ROLE URL NICKNAME ANNIVERSARY GENDER IMPP RELATED'.split(' '));

/** Reads the people of vCard 2.1, 3.0 and 4.0, card by card. */
export function createCardReader() {
  const lines = createContentLines();
  const remarks = createRemarks();
  const used = new Set<string>();
  let card: Card | undefined;
  let isOutside = false;
  return {
    write: (chunk: string) => lines.write(chunk).flatMap(takeLine),
    end: () => [...lines.end().flatMap(takeLine), ...(card === undefined ? [] : [toCutRow(card)])],
    /** Of all cards, once they are read. */
    report() {
      const columns = [
        ...taken.filter((heading) => used.has(heading)),
        ...[...used].filter((heading) => !taken.includes(heading)),
      ];
      const fields = columns.map((heading) =>
        heading === wholeName ? nameOrders[0] : taken.includes(heading) ? heading : toLeftOut(heading),
      );
      return { columns, fields, remarks: remarks.sentences() };
    },
  };

  function takeLine(property: ContentLine): readonly UnnumberedRow[] {
    const { name, line, value } = property;
    const isCard = value.trim().toUpperCase() === 'VCARD';
    if (name === 'BEGIN' && isCard) {
      isOutside = false;
      if (card?.properties.at(-1)?.name === 'AGENT') card.depth += 1;
      else {
        const cut = card === undefined ? [] : [toCutRow(card)];
        card = { line, properties: [], length: 0, depth: 0, problem: undefined };
        return cut;
      }
      return [];
    }
    if (card === undefined) {
      const isFirst = !isOutside;
      isOutside = true;
      return isFirst
        ? [toUnreadableRow(line, `Line ${line} is outside of a card, which begins with BEGIN:VCARD.`)]
        : [];
    }
    if (name === 'END' && isCard) {
      if (card.depth > 0) {
        card.depth -= 1;
        return [];
      }
      const done = card;
      card = undefined;
      return toRows(done);
    }
    if (card.depth > 0) return [];
    if (name === '') card.problem ??= `Line ${line} is no property of a contact, such as TEL:… or NOTE:….`;
    // Properties without a value take memory, too.
    card.length += value.length + 64;
    if (card.length > maxRowLength || property.isLong)
      card.problem ??= `The card that begins on line ${card.line} is longer than 1 MiB.`;
    else card.properties.push(property);
    return [];
  }

  function toCutRow({ line }: Card): UnnumberedRow {
    return toUnreadableRow(line, `The card that begins on line ${line} does not end: END:VCARD is missing.`);
  }

  function toRows({ line, properties, problem }: Card): readonly UnnumberedRow[] {
    if (problem !== undefined) return [toUnreadableRow(line, problem)];
    const cells = toCells(properties, line);
    if (cells === undefined) return [];
    for (const field of Object.keys(cells)) used.add(field);
    return [{ line, cells }];
  }

  /** Undefined for a card that is no person. */
  function toCells(properties: readonly ContentLine[], line: number): Record<string, string> | undefined {
    const all = (wanted: string) => properties.filter(({ name }) => name === wanted);
    const text = (wanted: string) => toPlainText(all(wanted)[0]?.value ?? '');
    const parts = (wanted: string) => splitValue(all(wanted)[0]?.value ?? '', ';');
    const phones = readPhones(properties);
    const mails = all('EMAIL').toSorted(
      (one, other) => Number(isPreferred(other)) - Number(isPreferred(one)),
    );
    const [mail = '', ...otherMails] = mails.map(({ value }) => toPlainText(value).replace(/^mailto:/i, ''));
    const [phone] = phones.filter(({ isFax }) => !isFax);
    const [family = '', given = '', additional = '', ...titles] = parts('N').map((part) =>
      part.replaceAll(',', ' '),
    );
    const [organisation = ''] = parts('ORG');
    const contacts = [mail, ...phones.map(({ number }) => number), organisation, ''].map(foldText);
    const isName = (name: string) => !contacts.includes(foldText(name)) && /\p{L}/u.test(name);
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
    const cells = new Map([
      ['first_name', hasName ? first : ''],
      ['last_name', hasName ? family : ''],
      [wholeName, hasName || isNameless ? '' : full],
      ['email', mail],
      ['phone', phone?.number ?? ''],
      ['birthday', all('BDAY').slice(0, 1).map(readBirthday).join('')],
      ['tags', toCellText(all('CATEGORIES').flatMap(readTags))],
      [
        'notes',
        all('NOTE')
          .map(({ value }) => toPlainText(value))
          .join('\n'),
      ],
      [
        otherPhones,
        phones
          .filter((one) => one !== phone)
          .map(({ label, number }) => `${label} ${number}`)
          .join(', '),
      ],
      [otherEmails, otherMails.join(', ')],
      ['address', all('ADR').map(readAddress).join('; ')],
      ['organisation', organisation],
    ]);
    for (const { name, value } of properties)
      if (others.has(name)) cells.set(name.toLowerCase(), toPlainText(value));
    return Object.fromEntries([...cells].filter(([, cell]) => cell !== ''));
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
function readPhones(properties: readonly ContentLine[]) {
  const labels = new Map(
    properties
      .filter(({ name, group }) => name === 'X-ABLABEL' && group !== '')
      .map(({ group, value }) => [group, toPlainText(value).replace(/^_\$!<(.*)>!\$_$/, '$1')]),
  );
  const phones = properties
    .filter(({ name }) => name === 'TEL')
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
  const reader = createCardReader();
  for await (const chunk of readText(path, encoding)) reader.write(chunk);
  reader.end();
  return reader.report();
}
