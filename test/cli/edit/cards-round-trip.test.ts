import { describe, it } from 'vitest';
import type { VariedClient } from '../../support/varied-clients.ts';
import { bringThere } from './list-round-trip.ts';

describe('contacts of vCard', () => {
  it.each([
    ['2.1', toCard21],
    ['3.0', toCard30],
    ['4.0', toCard40],
  ])('%s are added, are the same again, completed by a second list, and undone', async (_, toCard) => {
    await bringThere('contacts.vcf', (clients) => clients.map(toCard).join(''));
  });
});

/** As Android writes it: quoted-printable in lines of 76 characters, and only semicolons are escaped. */
function toCard21({ first_name, last_name, email, phones, birthday, notes, tags }: VariedClient): string {
  const withSemicolons = (text: string) => text.replaceAll(';', '\\;');
  const types = { mobile: 'CELL', home: 'HOME', work: 'WORK' };
  return toText([
    'BEGIN:VCARD',
    'VERSION:2.1',
    quotedPrintable('N', `${withSemicolons(last_name)};${withSemicolons(first_name)};;;`),
    quotedPrintable('FN', `${first_name} ${last_name}`),
    ...phones.map(({ kind, number }) => `TEL;${types[kind]}:${number}`),
    ...(email === null ? [] : [`EMAIL;HOME:${email}`]),
    ...(birthday === null ? [] : [`BDAY:${birthday}`]),
    ...(notes === null ? [] : [quotedPrintable('NOTE', withSemicolons(notes.replaceAll('\n', '\r\n')))]),
    ...(tags.length === 0 ? [] : [quotedPrintable('CATEGORIES', tags.join(','))]),
    'PHOTO;ENCODING=BASE64;JPEG:/9j/4AAQSkZJRgABAQAAAQABAAD',
    ' /2wBDAAgGBgcGBQgHBwcJ',
    '',
    'END:VCARD',
  ]);
}

function quotedPrintable(name: string, value: string): string {
  const signs = Array.from(Buffer.from(value), (byte) =>
    /[\w .,;:+-]/.test(String.fromCharCode(byte)) && byte < 0x80
      ? String.fromCharCode(byte)
      : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  );
  const lines = [`${name};CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:`];
  for (const sign of signs) {
    if (`${lines.at(-1)}${sign}`.length > 75) lines.push('');
    lines.push(`${lines.pop()}${sign}`);
  }
  return lines.join('=\r\n');
}

function toCard30({ first_name, last_name, email, phones, birthday, notes, tags }: VariedClient): string {
  const types = { mobile: 'CELL', home: 'HOME', work: 'WORK' };
  return toText([
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${withEscapes(last_name)};${withEscapes(first_name)};;;`,
    `FN:${withEscapes(`${first_name} ${last_name}`)}`,
    ...phones.map(({ kind, number }, index) =>
      kind === 'mobile' && index % 2 === 1
        ? `item${index}.TEL:${number}\r\nitem${index}.X-ABLabel:_$!<Mobile>!$_`
        : `TEL;type=${types[kind]};type=VOICE:${number}`,
    ),
    ...(email === null ? [] : [`EMAIL;type=INTERNET;type=pref:${email}`]),
    ...(birthday === null
      ? []
      : [
          `BDAY${birthday.startsWith('-') ? ';X-APPLE-OMIT-YEAR=1604' : ''}:${birthday.replace(/^-/, '1604')}`,
        ]),
    ...(notes === null ? [] : [`NOTE:${withEscapes(notes)}`]),
    ...(tags.length === 0 ? [] : [`CATEGORIES:${tags.map(withEscapes).join(',')}`]),
    'END:VCARD',
  ]);
}

function toCard40({ first_name, last_name, email, phones, birthday, notes, tags }: VariedClient): string {
  const types = { mobile: '"cell,voice"', home: 'home', work: 'work' };
  return toText([
    'BEGIN:VCARD',
    'VERSION:4.0',
    'KIND:individual',
    `FN:${withEscapes(`${first_name} ${last_name}`)}`,
    `N:${withEscapes(last_name)};${withEscapes(first_name)};;;`,
    ...phones.map(({ kind, number }) => `TEL;VALUE=uri;TYPE=${types[kind]}:tel:${number}`),
    ...(email === null ? [] : [`EMAIL:${email}`]),
    ...(birthday === null ? [] : [`BDAY:${birthday.replace(/-(\d\d)-/, '$1').replace(/^-(\d)/, '--$1')}`]),
    ...(notes === null ? [] : [`NOTE:${withEscapes(notes)}`]),
    ...(tags.length === 0 ? [] : [`CATEGORIES:${tags.map(withEscapes).join(',')}`]),
    'END:VCARD',
  ]);
}

function withEscapes(text: string): string {
  return text.replace(/[\\,;]/g, '\\$&').replaceAll('\n', '\\n');
}

/** With lines of 75 characters at most; those of quoted-printable are that already. */
function toText(lines: readonly string[]): string {
  const folded = lines.map((line) =>
    line.includes('\r\n') ? line : (line.match(/^.{1,75}|.{1,74}/gsu) ?? [line]).join('\r\n '),
  );
  return `${folded.join('\r\n')}\r\n`;
}
