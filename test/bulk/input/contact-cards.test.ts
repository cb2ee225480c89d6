import { describe, expect, it } from 'vitest';
import { detectSheetForm } from '../../../src/bulk/input/detect-sheet.ts';
import { readSheet } from '../../../src/bulk/input/read-sheet.ts';
import { newClient } from '../../../src/contract/client.ts';
import { collect } from '../../support/collect.ts';
import { encode, writeSheet } from './sheet-file.ts';

const knownFields = Object.keys(newClient.properties);

/** The cells of each card by heading, without blank ones, and what is said of the file. */
async function read(content: string | Uint8Array, options = {}) {
  using file = writeSheet(content);
  const form = await detectSheetForm(file.path, { name: 'contacts.vcf', knownFields, ...options });
  const rows = await collect(readSheet(file.path, form));
  const people = rows.map(({ cells }) =>
    Object.fromEntries(Object.entries(cells).filter(([, cell]) => cell !== '')),
  );
  return { form, rows, people, problems: rows.flatMap(({ problem }) => problem?.reason ?? []) };
}

function card(lines: string, version = '3.0'): string {
  return `BEGIN:VCARD\r\nVERSION:${version}\r\n${lines.replaceAll('\n', '\r\n')}\r\nEND:VCARD\r\n`;
}

const nia = 'N:Costa;Nia;;;\nFN:Nia Costa';

async function readOne(lines: string, version?: string) {
  const { people } = await read(card(lines, version));
  return people[0];
}

describe('a vCard 2.1 of Android', () => {
  const joerg = [
    'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=4D=C3=BC=6C=6C=65=72;=4A=C3=B6=72=67;;;',
    'FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=4A=C3=B6=72=67=20=4D=C3=BC=6C=6C=65=72',
    'TEL;HOME:030-555-0102',
    'TEL;CELL:+491715550101',
    'EMAIL;HOME:joerg@mueller.example',
    'NOTE;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=41=6C=6C=65=72=67=69=73=63=68=0D=0A=',
    '=67=65=67=65=6E=20=41=6D=6D=6F=6E=69=61=6B',
  ].join('\n');

  it('is read with its quoted-printable texts over several lines', async () => {
    expect(await readOne(joerg, '2.1')).toEqual({
      first_name: 'Jörg',
      last_name: 'Müller',
      email: 'joerg@mueller.example',
      phone: '+491715550101',
      notes: 'Allergisch\ngegen Ammoniak',
      '-other_phones': 'Home 030-555-0102',
    });
  });

  it('is read in the charset that it names, and in Windows-1252 if its bytes are no UTF-8', async () => {
    const greek = 'N;CHARSET=ISO-8859-7;ENCODING=QUOTED-PRINTABLE:=D0=DC=F0=E1=F2;;;;';
    expect(await readOne(greek, '2.1')).toEqual({ last_name: 'Πάπας' });
    const latin = 'N;QUOTED-PRINTABLE:M=FCller;;;;';
    expect(await readOne(latin, '2.1')).toEqual({ last_name: 'Müller' });
  });

  it('keeps the blank that begins a folded line, which belongs to the value', async () => {
    expect(await readOne('N:Costa;Nia\nNOTE:Prefers\n mornings', '2.1')).toMatchObject({
      notes: 'Prefers mornings',
    });
  });

  it('is read in the encoding of the file', async () => {
    const { people } = await read(encode(card('N:Müller;Jörg', '2.1'), 'windows-1252'));
    expect(people).toEqual([{ first_name: 'Jörg', last_name: 'Müller' }]);
  });
});

describe('names', () => {
  it('have first and additional names, without titles, which are named', async () => {
    const { people, form } = await read(card('N:Costa;Nia;Maria,Luz;Dr.;Jr.\nFN:Dr. Nia Costa Jr.'));
    expect(people).toEqual([{ first_name: 'Nia Maria Luz', last_name: 'Costa' }]);
    expect(form.remarks).toEqual(['2 titles left out of names: Dr., Jr.']);
  });

  it('are whole names where a card has no others', async () => {
    const { people, form } = await read(card('FN:Nia Costa', '4.0') + card('N:Berg;Ida\nFN:Ida Berg'));
    expect(people).toEqual([
      { 'first_name last_name': 'Nia Costa' },
      { first_name: 'Ida', last_name: 'Berg' },
    ]);
    expect(form.columns).toEqual(['first_name', 'last_name', 'whole_name']);
  });

  it.each([
    'N:;;;;\nFN:Studio Kranz GmbH\nORG:Studio Kranz GmbH;Berlin\nTEL:030 5550177\nX-ABShowAs:COMPANY',
    'FN:Studio Kranz GmbH\nORG:Studio Kranz GmbH',
    'N:;;;;\nORG:Studio Kranz GmbH',
    'N:Studio Kranz GmbH;;;;\nFN:Studio Kranz GmbH\nORG:Studio Kranz GmbH',
    'KIND:org\nFN:Studio Kranz GmbH',
  ])('of organisations are named and left out: %j', async (lines) => {
    const { people, form } = await read(card(lines) + card(nia));
    expect(people).toEqual([{ first_name: 'Nia', last_name: 'Costa' }]);
    expect(form.remarks).toEqual(['1 organisation left out: Studio Kranz GmbH']);
  });

  it('of people who work for an organisation stay', async () => {
    expect(await readOne(`${nia}\nORG:Studio Kranz GmbH`)).toMatchObject({
      first_name: 'Nia',
      '-organisation': 'Studio Kranz GmbH',
    });
  });

  it('of groups are no people', async () => {
    const { form } = await read(card('X-ADDRESSBOOKSERVER-KIND:group\nN:VIP;;;;\nFN:VIP') + card(nia));
    expect(form.remarks).toEqual(['1 group left out: VIP']);
  });

  it('are none where a program has put the number or address', async () => {
    const { people, form } = await read(
      card('FN:+49 171 5550101\nTEL:+491715550101') + card('FN:\nEMAIL:a@b.example'),
    );
    expect(people).toEqual([{ phone: '+491715550101' }, { email: 'a@b.example' }]);
    expect(form.remarks).toEqual(['2 cards without a name: line 1, line 6']);
  });

  it('and every way to reach somebody may be missing: such cards are named and left out', async () => {
    const { people, form } = await read(card('NOTE:?') + card(nia));
    expect(people).toHaveLength(1);
    expect(form.remarks).toEqual(['1 card without name, phone and email left out: line 1']);
  });
});

describe('phones', () => {
  it.each([
    ['mobile before home before work', 'TEL;WORK:1\nTEL;HOME:2\nTEL;CELL:3', '3', 'Home 2, Work 1'],
    ['mobile before the preferred one', 'TEL;TYPE=HOME,pref:1\nTEL;TYPE=cell:2', '2', 'Home 1'],
    ['the preferred one of several', 'TEL;TYPE=CELL:1\nTEL;TYPE=CELL,pref:2', '2', 'Mobile 1'],
    ['one without a kind before home', 'TEL;HOME:1\nTEL;VOICE:2', '2', 'Home 1'],
    ['home before work', 'TEL;WORK:1\nTEL;HOME:2', '2', 'Work 1'],
    ['an iPhone', 'TEL;type=HOME:1\nTEL;type=IPHONE;type=CELL;type=VOICE:2', '2', 'Home 1'],
    ['a label of Apple', 'TEL;HOME:1\nitem1.TEL:2\nitem1.X-ABLabel:_$!<Mobile>!$_', '2', 'Home 1'],
    ['a label in another language', 'TEL;HOME:1\nitem1.TEL:2\nitem1.X-ABLabel:Handy', '2', 'Home 1'],
    ['a label of its own in 2.1', 'TEL;HOME:1\nTEL;X-Portable:2', '2', 'Home 1'],
    ['labels of people', 'TEL;CELL:1\nitem1.TEL:2\nitem1.X-ABLabel:Mum', '1', 'Mum 2'],
    [
      'the form of a link',
      'TEL;VALUE=uri;PREF=1;TYPE="voice,home":tel:+47-22-555-010',
      '+47-22-555-010',
      undefined,
    ],
    ['a number that is there twice', 'TEL;HOME:030 1\nTEL;CELL:0301', '0301', undefined],
    ['no fax', 'TEL;TYPE=WORK,FAX:1', undefined, 'Fax 1'],
  ])('are read: %s', async (_, lines, phone, others) => {
    const found = await readOne(`${nia}\n${lines}`);
    expect([found?.['phone'], found?.['-other_phones']]).toEqual([phone, others]);
  });

  it('may be fifty', async () => {
    const numbers = Array.from(
      { length: 50 },
      (_, index) => `TEL;HOME:030 55501${String(index).padStart(2, '0')}`,
    );
    const found = await readOne(`${nia}\n${numbers.join('\n')}`);
    expect(found?.['phone']).toBe('030 5550100');
    expect(found?.['-other_phones']?.toString().split(', ')).toHaveLength(49);
  });
});

describe('birthdays', () => {
  it.each([
    ['BDAY:1985-05-15', '1985-05-15'],
    ['BDAY;VALUE=date:19850515', '1985-05-15'],
    ['BDAY:1985-05-15T00:00:00Z', '1985-05-15'],
    ['BDAY:19850515T000000Z', '1985-05-15'],
    ['BDAY:--0515', '--05-15'],
    ['BDAY:--05-15', '--05-15'],
    ['BDAY:1604-05-15', '--05-15'],
    ['BDAY;X-APPLE-OMIT-YEAR=1604;VALUE=date:1604-02-29', '--02-29'],
    ['BDAY;X-APPLE-OMIT-YEAR=1904:19040515', '--05-15'],
    ['BDAY:19850514T220000Z', '1985-05-14T22:00:00Z'],
  ])('are read: %s', async (line, birthday) => {
    expect(await readOne(`${nia}\n${line}`)).toMatchObject({ birthday });
  });

  it.each(['circa 1800', '1985', '1985-05', '---15'])('that are no day are named: %s', async (text) => {
    const { people, form } = await read(card(`${nia}\nBDAY;VALUE=text:${text}`));
    expect(people[0]).not.toHaveProperty('birthday');
    expect(form.remarks).toEqual([`1 birthday without a whole day left out: ${text} (line 5)`]);
  });
});

describe('other properties', () => {
  it('are notes, tags and what is left out', async () => {
    const lines = `${nia}\nNOTE:Prefers morn\n ings\\, no perfume\\nSecond line\nNOTE:Third
CATEGORIES:myContacts,VIP,starred,A\\;B\nADR;TYPE=HOME:;;Am Hang 2;Ort;;12345;DE\nURL:https://nia.example
EMAIL:b@nia.example\nEMAIL;TYPE=INTERNET,pref:a@nia.example\nUID:1\nX-GOOGLE-TALK:nia`;
    const { people, form } = await read(card(lines));
    expect(people).toEqual([
      {
        first_name: 'Nia',
        last_name: 'Costa',
        email: 'a@nia.example',
        tags: 'VIP;A\\;B',
        notes: 'Prefers mornings, no perfume\nSecond line\nThird',
        '-other_emails': 'b@nia.example',
        '-address': 'Am Hang 2, Ort, 12345, DE',
        '-url': 'https://nia.example',
      },
    ]);
    expect(form.fields).toEqual([
      'first_name',
      'last_name',
      'email',
      'tags',
      'notes',
      '-other_emails',
      '-address',
      '-url',
    ]);
  });

  it('go where --map says', async () => {
    const { people } = await read(card(`${nia}\nADR:;;Am Hang 2;Ort;;;`), {
      mapping: [['address', 'notes']],
    });
    expect(people).toEqual([{ first_name: 'Nia', last_name: 'Costa', notes: 'Am Hang 2, Ort' }]);
    const twice = read(card(`${nia}\nNOTE:x\nADR:;;Am Hang 2;Ort;;;`), { mapping: [['address', 'notes']] });
    await expect(twice).rejects.toThrow('columns "notes" and "address" are both notes');
  });

  it('are not mistaken for lines of a picture', async () => {
    const picture = `PHOTO;ENCODING=BASE64;JPEG:/9j/4AAQSkZJRg\n AAAA\nBBBB+/=\n`;
    expect(await readOne(`${picture}\n${nia}\nTEL:030 5550101`, '2.1')).toEqual({
      first_name: 'Nia',
      last_name: 'Costa',
      phone: '030 5550101',
    });
  });
});

describe('what cannot be read', () => {
  it.each([
    [
      'a card that is cut by the next one',
      'BEGIN:VCARD\nN:Berg;Ida\n',
      'The card that begins on line 1 does not end: END:VCARD is missing.',
    ],
    [
      'a line that is none',
      card('N:Berg;Ida\nwithout sense'),
      'Line 4 is no property of a contact, such as TEL:… or NOTE:….',
    ],
    [
      'a card of more than 1 MiB',
      card(`N:Berg;Ida\nNOTE:${'x'.repeat(2_000_000)}`),
      'The card that begins on line 1 is longer than 1 MiB.',
    ],
    [
      'a card of a million lines',
      card(`N:Berg;Ida\n${'NOTE:\n'.repeat(50_000)}`),
      'The card that begins on line 1 is longer than 1 MiB.',
    ],
  ])('is named by its line: %s', async (_, bad, reason) => {
    const { rows, problems } = await read(bad + card(nia));
    expect(problems).toEqual([reason]);
    expect(rows.map(({ cells }) => cells['first_name'] ?? '')).toContain('Nia');
  });

  it('is the last card of a file that is cut off', async () => {
    const { problems } = await read(card(nia) + card(nia).slice(0, 40));
    expect(problems).toEqual(['The card that begins on line 6 does not end: END:VCARD is missing.']);
  });

  it('is a card within a card; that of an assistant is another person', async () => {
    const nested = card(`N:Berg;Ida\n${card(nia).trim().replaceAll('\r', '')}`);
    const { problems } = await read(nested);
    expect(problems).toEqual([
      'The card that begins on line 1 does not end: END:VCARD is missing.',
      'Line 9 is outside of a card, which begins with BEGIN:VCARD.',
    ]);
    const { people } = await read(
      card(`N:Berg;Ida\nAGENT:\n${card(nia).trim().replaceAll('\r', '')}\nNOTE:x`, '2.1'),
    );
    expect(people).toEqual([{ first_name: 'Ida', last_name: 'Berg', notes: 'x' }]);
  });

  it('is a picture, whatever its length', async () => {
    const photo = 'A'.repeat(3_000_000);
    const { people } = await read(card(`PHOTO;ENCODING=b;TYPE=JPEG:${photo}\n${nia}`));
    expect(people).toEqual([{ first_name: 'Nia', last_name: 'Costa' }]);
  });

  it('is a file of cards for appointments', async () => {
    const wanted = read(card(nia), { knownFields: ['start_time'] });
    await expect(wanted).rejects.toThrow('contacts.vcf has contacts, which are clients.');
  });

  it('is a file without a person', async () => {
    await expect(read(card('ORG:Studio Kranz GmbH'))).rejects.toThrow(
      'contacts.vcf has no rows: 1 organisation left out: Studio Kranz GmbH.',
    );
  });
});
