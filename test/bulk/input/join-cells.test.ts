import { describe, expect, it } from 'vitest';
import { createCellJoiner, findOrganisation } from '../../../src/bulk/input/join-cells.ts';
import { recogniseColumns } from '../../../src/bulk/input/recognise-columns.ts';
import { newAppointment } from '../../../src/contract/appointment.ts';
import { newClient } from '../../../src/contract/client.ts';

const known = {
  clients: Object.keys(newClient.properties),
  appointments: Object.keys(newAppointment.properties),
};

/** The cells of a row below headings, by field, without blank ones and those of its columns. */
function joinRow(row: Readonly<Record<string, string>>, noun: 'clients' | 'appointments' = 'clients') {
  const columns = Object.keys(row);
  const { fields, parts } = recogniseColumns[noun]({ columns }, new Map(), known[noun]);
  const cells = Object.fromEntries(columns.map((column, index) => [fields[index] ?? '', row[column] ?? '']));
  const joined = createCellJoiner({ parts })(cells);
  const own = Object.entries(joined).filter(([field, cell]) => cells[field] !== cell && cell !== '');
  return Object.fromEntries(own);
}

const google = (phones: readonly (readonly [label: string, value: string])[]) =>
  joinRow(
    Object.fromEntries(
      phones.flatMap(([label, value], index) => [
        [`Phone ${index + 1} - Label`, label],
        [`Phone ${index + 1} - Value`, value],
      ]),
    ),
  );

describe('the phone of a contact', () => {
  it.each([
    [
      [
        ['Home', '030 1'],
        ['Mobile', '0171 2'],
      ],
      '0171 2',
      'Home 030 1',
    ],
    [
      [
        ['Work', '030 1'],
        ['* Mobile', '0171 2 ::: 0171 3'],
      ],
      '0171 2',
      'Mobile 0171 3, Work 030 1',
    ],
    [
      [
        ['Arbeit', '030 1'],
        ['Mobil', '0171 2'],
      ],
      '0171 2',
      'Arbeit 030 1',
    ],
    [
      [
        ['Bureau', '01 1'],
        ['Portable', '06 2'],
      ],
      '06 2',
      'Bureau 01 1',
    ],
    [
      [
        ['Home Fax', '030 1'],
        ['', '0171 2'],
      ],
      '0171 2',
      undefined,
    ],
  ] as const)('of %j is %s', (phones, phone, others) => {
    expect(google(phones)).toEqual({ phone, ...(others === undefined ? {} : { '-other_phones': others }) });
  });

  it.each([
    [
      [
        ['Work', '030 1'],
        ['Home', '030 2'],
      ],
      '030 2',
      'Work 030 1',
    ],
    [
      [
        ['Praca', '22 1'],
        ['Dom', '22 2'],
      ],
      '22 2',
      'Praca 22 1',
    ],
  ] as const)('of the landlines %j is %s, which replaces no mobile number', (phones, phone, others) => {
    expect(google(phones)).toEqual({ 'phone 2': phone, '-other_phones': others });
  });

  it('is none where all are faxes', () => {
    expect(google([['Work Fax', '030 1']])).toEqual({});
  });

  it.each([
    [
      { 'Mobile Phone': '', 'Home Phone': '030 1', 'Business Phone': '030 2' },
      { 'phone 2': '030 1', '-other_phones': 'Business Phone 030 2' },
    ],
    [
      { 'Mobile Phone': '0171 3', 'Home Phone': '030 1', 'Business Phone': '' },
      { phone: '0171 3', '-other_phones': 'Home Phone 030 1' },
    ],
  ])('of Outlook is one of its columns: %j', (row, expected) => {
    expect(joinRow(row)).toEqual(expected);
  });

  it.each([
    [{ Handy: '0171 1', Telefon: '030 2' }, { '-other_phones': 'Telefon 030 2' }],
    [{ Handy: '', Telefon: '030 2' }, {}],
    [
      { Handy: '0171 1', 'Tel. privat': '030 2', 'Tel. gesch.': '030 3' },
      { '-other_phones': 'Tel. privat 030 2, Tel. gesch. 030 3' },
    ],
  ])('of a list of people leaves others: %j', (row, expected) => {
    expect(joinRow(row)).toEqual(expected);
  });
});

describe('the other cells of a contact', () => {
  it('are its first email address, its own labels and its longer notes', () => {
    expect(
      joinRow({
        'First Name': 'Milan',
        Labels: 'VIP ::: Stammkunden ::: * myContacts ::: * starred',
        'E-mail 1 - Value': 'a@b.example ::: c@d.example',
        'E-mail 2 - Value': 'e@f.example',
      }),
    ).toEqual({ tags: 'VIP;Stammkunden', email: 'a@b.example', '-other_emails': 'c@d.example, e@f.example' });
    expect(
      joinRow({ 'SMS number': '', 'Extra info': 'Tea', Alerts: 'PPD allergy!', Tags: 'VIP, Colour' }),
    ).toEqual({
      notes: 'Tea\nAlerts: PPD allergy!',
      tags: 'VIP;Colour',
    });
    expect(joinRow({ 'Email Address': 'a@b.example', LEID: '1', TAGS: '"VIP","Blog"' })).toEqual({
      tags: 'VIP;Blog',
    });
  });

  it('keep a semicolon within a tag', () => {
    expect(joinRow({ LEID: '1', TAGS: 'a;b' })).toEqual({ tags: 'a\\;b' });
  });

  it.each([
    ['', '', 'Haarbedarf Nord', 'Haarbedarf Nord'],
    ['Studio Kranz GmbH', '', 'Studio Kranz GmbH', 'Studio Kranz GmbH'],
    ['Studio', 'Kranz', 'studio kranz', 'studio kranz'],
    ['Nela', 'Berg', 'Studio Kranz GmbH', undefined],
    ['', '', '', undefined],
  ])('of %j %j at %j are those of the organisation %j', (first_name, last_name, company, expected) => {
    const parts = [{ field: '-Company', heading: 'Company', role: 'organisation' as const }];
    expect(findOrganisation({ first_name, last_name, '-Company': company }, { parts })).toBe(expected);
  });
});

describe('the cells of an appointment of another program', () => {
  it.each([
    [{ Datum: '08.12.2026', Uhrzeit: '10:00' }, '08.12.2026 10:00'],
    [{ Date: '2026-12-08 00:00:00', Time: '9am' }, '2026-12-08 9am'],
    [{ Fecha: '8 dic 2026', Hora: '10.30' }, '8 dic 2026 10.30'],
    [{ Date: '08/12/2026', Start: '08/12/2026 10:00' }, '08/12/2026 10:00'],
    [{ Date: '08/12/2026 10:00', Time: '' }, '08/12/2026 10:00'],
    [{ Dag: '', Tijd: '10:00' }, '10:00'],
  ])('start at %j', (row, start) => {
    expect(joinRow(row as Readonly<Record<string, string>>, 'appointments')['start_time']).toBe(start);
  });

  it.each([
    [{ 'Client Name': 'Ana Costa', 'Client Email': 'a@b.example', Phone: '' }, 'a@b.example\nAna Costa'],
    [{ Vorname: 'Ana', Nachname: 'Costa', Handy: '0171 1' }, '0171 1\nAna Costa'],
    [{ Vorname: 'Ana', Nachname: 'Costa' }, 'Ana Costa'],
    [{ Klant: 'Ana Costa', 'E-mail': '' }, 'Ana Costa'],
  ])('name their client by %j', (row, client) => {
    expect(joinRow(row as Readonly<Record<string, string>>, 'appointments')['client_id']).toBe(client);
  });

  it('name nobody else where a column has the ID', () => {
    const columns = ['client_id', 'client_name', 'Client Email'];
    const { parts } = recogniseColumns.appointments({ columns }, new Map(), known.appointments);
    expect(parts).toEqual([]);
  });

  it.each([
    ['English', 'Client|Staff member|Service|Date|Start time|End time|Status|Price|Notes'],
    ['German', 'Kunde|Mitarbeiterin|Leistung|Datum|Uhrzeit|Ende|Status|Preis|Bemerkung'],
    ['French', 'Client|Praticienne|Prestation|Jour|Heure|Fin|Statut|Prix|Remarques'],
    ['Spanish', 'Cliente|Peluquera|Servicio|Fecha|Hora|Hora fin|Estado|Precio|Observaciones'],
    ['Italian', 'Cliente|Operatore|Servizio|Giorno|Ora inizio|Ora fine|Stato|Prezzo|Note'],
    ['Portuguese', 'Cliente|Profissional|Serviço|Data|Hora|Fim|Situação|Preço|Observações'],
    ['Dutch', 'Klant|Medewerker|Behandeling|Datum|Begintijd|Eindtijd|Status|Prijs|Opmerkingen'],
    ['Polish', 'Klientka|Pracownik|Usługa|Data wizyty|Godzina|Koniec|Status|Cena|Uwagi'],
  ])('are known by their headings in %s', (_, line) => {
    const columns = line.split('|');
    const { fields, parts } = recogniseColumns.appointments({ columns }, new Map(), known.appointments);
    const roles = fields.map((field) => parts.find((part) => part.field === field)?.role ?? field);
    expect(roles).toEqual([
      'client_id',
      'stylist_id',
      'service',
      'date',
      'time',
      'end',
      'status',
      'price',
      'notes',
    ]);
  });
});
