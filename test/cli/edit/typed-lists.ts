/** How people of a country keep a client list, and how their LibreOffice saves it. */
export interface Country {
  readonly language: string;
  readonly country: string;
  /** As the filters of LibreOffice number languages and character sets. */
  readonly locale: number;
  readonly characterSet: number;
  readonly encoding: string;
  readonly delimiter: ',' | ';';
  /** Number, whole name or first and last name, mobile, landline, email, birthday, notes, consent, group, town. */
  readonly headings: string;
  readonly first: string;
  readonly last: string;
  readonly title: string;
  readonly yes: string;
  readonly no: string;
  readonly months: string;
  readonly dateMark: '.' | '/' | '-';
  /** A mobile number of nine digits and its index, as it is written there. */
  readonly phone: (digits: string, index: number) => string;
  readonly code: string;
}

const trunk = (digits: string, index: number) =>
  [
    `0${digits.slice(0, 3)}/${digits.slice(3)}`,
    `0${digits.slice(0, 3)} ${digits.slice(3, 6)} ${digits.slice(6)}`,
  ][index % 2] ?? '';
const paired = (digits: string) => `0${digits}`.replace(/(\d\d)(?=\d)/g, '$1.');
const spaced = (digits: string) => `${digits.slice(0, 3)} ${digits.slice(3, 6)} ${digits.slice(6)}`;

export const countries: readonly Country[] = [
  {
    ...{
      language: 'English',
      country: 'GB',
      locale: 2057,
      characterSet: 76,
      encoding: 'utf-8',
      delimiter: ',',
    },
    headings:
      'Client ID|First Name|Surname|Mobile|Home phone|E-mail address|D.O.B.|Remarks|Newsletter|Group|Town',
    ...{ first: 'Zoë|Oliver|Siân', last: "O'Neill|Smith-Jones|Brontë", title: 'Mrs', yes: 'yes', no: 'no' },
    ...{ months: 'Jan|May|December', dateMark: '/', phone: trunk, code: '44' },
  },
  {
    ...{
      language: 'German',
      country: 'DE',
      locale: 1031,
      characterSet: 1,
      encoding: 'windows-1252',
      delimiter: ';',
    },
    headings: 'Kd.-Nr.|Name|Handy|Festnetz|E-Mail|Geb.|Bemerkungen|Newsletter|Kundengruppe|Ort',
    ...{
      first: 'Jürgen|Käthe|Karl-Heinz',
      last: 'Müller-Lüdenscheidt|Groß|von der Tann',
      title: 'Frau',
      yes: 'ja',
      no: 'nein',
    },
    ...{ months: 'Januar|Mai|Dezember', dateMark: '.', phone: trunk, code: '49' },
  },
  {
    ...{
      language: 'French',
      country: 'FR',
      locale: 1036,
      characterSet: 1,
      encoding: 'windows-1252',
      delimiter: ';',
    },
    headings:
      'N° client|Nom|Prénom|Portable|Fixe|Courriel|Date de naissance|Remarques|Newsletter|Groupe|Ville',
    ...{
      first: 'Zoé|François|Maëlle',
      last: "D'Hérelle|de la Fontaine|Lefèvre",
      title: 'Mme',
      yes: 'oui',
      no: 'non',
    },
    ...{ months: 'janvier|mai|décembre', dateMark: '/', phone: paired, code: '33' },
  },
  {
    ...{
      language: 'Spanish',
      country: 'ES',
      locale: 3082,
      characterSet: 1,
      encoding: 'windows-1252',
      delimiter: ';',
    },
    headings:
      'Nº cliente|Nombre|Apellidos|Móvil|Fijo|Correo electrónico|Fecha de nacimiento|Observaciones|Boletín|Grupo|Ciudad',
    ...{
      first: 'Íñigo|María José|Begoña',
      last: 'García López|Núñez|de la Cruz',
      title: 'Sra.',
      yes: 'sí',
      no: 'no',
    },
    ...{ months: 'enero|mayo|diciembre', dateMark: '/', phone: spaced, code: '34' },
  },
  {
    ...{
      language: 'Italian',
      country: 'IT',
      locale: 1040,
      characterSet: 76,
      encoding: 'utf-8',
      delimiter: ';',
    },
    headings:
      'Codice cliente|Nominativo|Cellulare|Fisso|Indirizzo e-mail|Data di nascita|Osservazioni|Newsletter|Gruppo|Città',
    ...{
      first: 'Niccolò|Desirée|Ada',
      last: "D'Amore|Forlì|di Stefano",
      title: 'Sig.ra',
      yes: 'sì',
      no: 'no',
    },
    ...{
      months: 'gennaio|maggio|dicembre',
      dateMark: '/',
      phone: (digits) => spaced(`3${digits.slice(1)}`),
      code: '39',
    },
  },
  {
    ...{
      language: 'Portuguese',
      country: 'PT',
      locale: 2070,
      characterSet: 1,
      encoding: 'windows-1252',
      delimiter: ';',
    },
    headings:
      'Nº cliente|Nome|Apelido|Telemóvel|Telefone fixo|E-mail|Data de nascimento|Observações|Newsletter|Grupo|Localidade',
    ...{
      first: 'João|Inês|Conceição',
      last: 'Gonçalves|da Silva Santos|Brandão',
      title: 'Sra.',
      yes: 'sim',
      no: 'não',
    },
    ...{ months: 'de janeiro de|de maio de|de dezembro de', dateMark: '/', phone: spaced, code: '351' },
  },
  {
    ...{
      language: 'Dutch',
      country: 'NL',
      locale: 1043,
      characterSet: 1,
      encoding: 'windows-1252',
      delimiter: ';',
    },
    headings:
      'Klantnr.|Volledige naam|Mobiel|Telefoon vast|E-mailadres|Geboortedatum|Opmerkingen|Nieuwsbrief|Groep|Woonplaats',
    ...{
      first: 'Zoë|Daniël|Anneloes',
      last: 'van den Berg|de Vries|Crèvecoeur',
      title: 'Mevr.',
      yes: 'ja',
      no: 'nee',
    },
    ...{ months: 'januari|mei|december', dateMark: '-', phone: trunk, code: '31' },
  },
  {
    ...{
      language: 'Polish',
      country: 'PL',
      locale: 1045,
      characterSet: 33,
      encoding: 'windows-1250',
      delimiter: ';',
    },
    headings:
      'Nr klienta|Nazwisko i imię|Tel. komórkowy|Tel. stacjonarny|Adres e-mail|Data urodzenia|Uwagi|Zgoda e-mail|Grupa|Miasto',
    ...{
      first: 'Łukasz|Żaneta|Małgorzata',
      last: 'Wiśniewska-Ćwik|Święty|Dąbrowski',
      title: 'Pani',
      yes: 'tak',
      no: 'nie',
    },
    ...{ months: 'stycznia|maja|grudnia', dateMark: '.', phone: spaced, code: '48' },
  },
];

export interface Person {
  readonly cells: readonly string[];
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A row as it is typed, and the client it should become. */
export function toPerson(country: Country, index: number, prefix: string): Person {
  const pick = (list: string) => list.split('|')[index % 3] ?? '';
  const [first, last, number] = [pick(country.first), pick(country.last), `${prefix}-${index}`];
  const year = 1935 + (index % 80);
  const month = [1, 5, 12][index % 3] ?? 1;
  const day = 1 + (index % 28);
  const two = (value: number) => String(value).padStart(2, '0');
  const dates = [
    [two(day), two(month), String(year)].join(country.dateMark),
    `${day} ${country.months.split('|')[index % 3]} ${year}`,
    [day, month, two(year % 100)].join(country.dateMark),
  ];
  const digits = String(151_000_000 + index * 37).replace(/^1/, country.country === 'ES' ? '6' : '1');
  const hasMobile = index % 5 !== 0;
  const phone = country.phone(digits, index);
  const stored = country.country === 'IT' ? `3${digits.slice(1)}` : digits;
  const isReversed = country.headings.includes('Nazwisko i imię');
  const whole =
    [`${last}, ${first}`, isReversed ? `${last} ${first}` : `${country.title} ${first} ${last}`][index % 2] ??
    '';
  const isWhole = country.headings.split('|').length === 10;
  const isLastFirst = country.headings.includes('Nom|Prénom');
  const parts = isLastFirst ? [last, first] : [first, last];
  const consent = [country.yes, country.no, 'x', ''][index % 4] ?? '';
  const notes = index % 7 === 0 ? `"${first}"; ${country.delimiter} =1+1\nÉ 5'` : `Nr ${index}`;
  const email = `${number.toLowerCase()}@example.com`;
  return {
    cells: [
      ...[number, ...(isWhole ? [whole] : parts), hasMobile ? phone : '', index % 10 === 0 ? phone : ''],
      ...[email, dates[index % 3] ?? '', notes, consent, index % 3 === 0 ? 'VIP;Ü' : '', 'X'],
    ],
    fields: {
      ...{ external_id: number, first_name: first, last_name: last, email, notes },
      phone: hasMobile || index % 10 === 0 ? `+${country.code}${stored}` : null,
      birthday: `${year}-${two(month)}-${two(day)}`,
      email_marketing_consent: consent === country.yes || consent === 'x',
      tags: index % 3 === 0 ? ['VIP', 'Ü'] : [],
    },
  };
}
