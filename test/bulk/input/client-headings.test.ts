import { describe, expect, it } from 'vitest';
import { recogniseColumns } from '../../../src/bulk/input/recognise-columns.ts';
import { toLeftOut } from '../../../src/bulk/sheet/sheet-form.ts';
import { newClient } from '../../../src/contract/client.ts';

const known = Object.keys(newClient.properties);
const full = 'first_name last_name';

function fieldsOf(headings: readonly string[]): readonly string[] {
  return recogniseColumns.clients({ columns: headings }, new Map(), known).fields;
}

describe('the headings of a client list', () => {
  it.each([
    ['English', 'First Name|SURNAME|Mobile no.|E-mail|D.O.B.|Remarks|Customer No'],
    ['German', 'Vorname|NACHNAME|Handy|E-Mail-Adresse|Geb.|Bemerkungen|Kd.-Nr.'],
    ['French', 'Prénom|NOM|Tél. portable|Courriel|Date de naissance|Remarques|N° client'],
    [
      'Spanish',
      'Nombre|Apellidos|Teléfono móvil|Correo electrónico|Fecha de nacimiento|Observaciones|Nº cliente',
    ],
    ['Italian', 'Nome|COGNOME|Cellulare|Indirizzo e-mail|Data di nascita|Osservazioni|Codice cliente'],
    ['Portuguese', 'Nome|Apelido|Telemóvel|Correio eletrónico|Data de nascimento|Observações|Nº cliente'],
    ['Dutch', 'Voornaam|achternaam|Mobiel nummer|E-mailadres|Geboortedatum|Opmerkingen|Klantnummer'],
    ['Polish', 'Imię|NAZWISKO|Tel. komórkowy|Adres e-mail|Data urodzenia|Uwagi|Nr klienta'],
    ['damaged', '\u00EF\u00BB\u00BFfirst_name|last-name|MOBILE|email|Birthday (dd/mm/yyyy)|notes*|client_id'],
  ])('are recognised in %s', (_, line) => {
    const fields = ['first_name', 'last_name', 'phone', 'email', 'birthday', 'notes', 'external_id'];
    expect(fieldsOf(line.split('|'))).toEqual(fields);
  });

  it.each([
    ['English', 'Mob. no.|D.O.B.|Cust. no.', 'Cell no.|Birth dat.|Cust. ID'],
    ['German', 'Mob.|Geb.-Datum|Kd.-Nr.', 'Mobiltel.|Geb.dat.|Kd.-Nummer'],
    ['French', 'Tél. port.|Dat. naiss.|Cod. client', 'Port.|Date de naiss.|N° cli.'],
    ['Spanish', 'Tel. móv.|Fecha nac.|Cód. cliente', 'Cel.|F. nac.|Núm. cliente'],
    ['Italian', 'Tel. cell.|Data nasc.|Cod. cliente', 'N. cell.|D. nasc.|Cod. cli.'],
    ['Portuguese', 'Telem.|Dt. nasc.|Cod. cliente', 'Tel. cel.|Data de nasc.|N.º cliente'],
    ['Dutch', 'Mob. nr.|Geb.dat.|Klantnr.', 'Tel. mobiel|Geboortedat.|Kl.nr.'],
    ['Polish', 'Telefon kom.|Data ur.|Nr kl.', 'Kom.|Ur.|Kod kl.'],
  ])('are recognised as people shorten them in %s', (_, ...lines) => {
    for (const line of lines) expect(fieldsOf(line.split('|'))).toEqual(['phone', 'birthday', 'external_id']);
  });

  it('have the particles of Dutch last names', () => {
    const fields = ['first_name', 'last_name_prefix', 'last_name', 'phone'];
    expect(fieldsOf('voornaam|tussenvoegsel|achternaam|mobiel'.split('|'))).toEqual(fields);
  });

  it('mean nothing without a letter or digit', () => {
    expect(fieldsOf(['Vorname', '#'])).toEqual(['first_name', '#']);
  });

  it.each([
    ['Tel. kom.|Tel. priv.', ['phone', 'phone 2']],
    ['Tel. dom.|Nr tel. kom.', ['phone 2', 'phone']],
    ['Nr tel.|Tel. stac.', ['phone', 'phone 2']],
  ])('%s are phones of two kinds', (line, expected) => {
    expect(fieldsOf(line.split('|'))).toEqual(expected);
  });

  it.each([
    [
      'Fresha',
      'Client ID|First Name|Last Name|Mobile Number|Email|Accepts Marketing Emails',
      [...['external_id', 'first_name', 'last_name', 'phone', 'email'], 'email_marketing_consent'],
    ],
    [
      'Google Contacts',
      'Name|Given Name|Family Name|Group Membership|E-mail 1 - Value|Phone 1 - Value',
      [
        ...['-Name', 'first_name', 'last_name'],
        ...['Group Membership', 'E-mail 1 - Value', 'Phone 1 - Value'].map(toLeftOut),
      ],
    ],
    [
      'Outlook',
      'First Name|Last Name|E-mail Address|Home Phone|Mobile Phone|Business Phone|Categories',
      [
        ...['first_name', 'last_name'],
        ...['E-mail Address', 'Home Phone', 'Mobile Phone', 'Business Phone', 'Categories'].map(toLeftOut),
      ],
    ],
    [
      'a person',
      'Kundenname|Telefon|SMS|Newsletter|Stammfriseurin',
      [full, 'phone', 'sms_marketing_consent', 'email_marketing_consent', 'preferred_stylist_id'],
    ],
  ])('are recognised as %s writes them', (_, line, expected) => {
    expect(fieldsOf(line.split('|'))).toEqual(expected);
  });

  it.each([
    ['Name', [full]],
    ['Name|Vorname', ['last_name', 'first_name']],
    ['Nombre|Apellidos', ['first_name', 'last_name']],
    ['Voornaam|Achternaam|Naam', ['first_name', 'last_name', '-Naam']],
    ['Nazwisko i imię', ['last_name first_name']],
  ])('%s mean names as the others leave them', (line, expected) => {
    expect(fieldsOf(line.split('|'))).toEqual(expected);
  });

  it.each([
    ['Handy|Festnetz', ['phone', 'phone 2']],
    ['Telefon|Handy|Fax', ['phone 2', 'phone', 'Fax']],
    ['phone|Mobile', ['phone 2', 'phone']],
    ['Telefon privat|Telefon geschäftlich', ['phone', 'phone']],
  ])('%s are phones, mobile first', (line, expected) => {
    expect(fieldsOf(line.split('|'))).toEqual(expected);
  });

  it('that say something else stay', () => {
    expect(fieldsOf(['Ort', 'Kunde', 'constructor', '__proto__'])).toEqual([
      'Ort',
      'Kunde',
      'constructor',
      '__proto__',
    ]);
  });
});
