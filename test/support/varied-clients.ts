/** A client as people have them: what a list from elsewhere says of one person. */
export interface VariedClient {
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string | null;
  /** In E.164, in no order. */
  readonly phones: readonly { readonly kind: 'mobile' | 'home' | 'work'; readonly number: string }[];
  /** `1985-05-15`, or `--05-15` without a year. */
  readonly birthday: string | null;
  /** May have several lines. */
  readonly notes: string | null;
  readonly tags: readonly string[];
}

const firstNames = [
  ...['Ana', 'Jörg', 'Zoë', 'Łukasz', 'Jiří', 'François', 'Siân', 'Noël', 'Ágnes', 'Ştefan'],
  ...['Mary Jane', 'Jean-Luc', "D'Arcy", 'Ελένη', 'Юлия', 'Ngọc Ánh', 'Åsa', 'Þóra', 'İpek', 'Nuño'],
  ...['Ida', 'Béla', 'Günther', 'Mireia', 'Ørjan', 'Žofie', 'Seán', 'Inês', 'Anaïs', '美咲'],
  ...['Vlăduț', 'Jörg-Uwe', 'Maria del Carmen', 'Käthe', 'Chloé', 'Ağça', 'Ólafur', 'Ewa', 'Tõnu', 'Ieva'],
];
const lastNames = [
  ...['Costa', 'Müller', 'van den Berg', "O'Neill", 'Wiśniewska', 'Svobodová', 'Peña Nieto', 'Groß', 'Ünal'],
  ...['Berg, geb. Kranz', 'Παπαδοπούλου', 'Иванова', 'Nguyễn', 'Ångström', 'Țepeș', 'Kovács', 'Lefèvre'],
  ...['de la Cruz', 'St. John', 'Łęcka', 'Şahin', 'Đorđević', 'Bjørnson', 'Müller-Lüdenscheidt', '佐藤'],
  ...[
    'Öz',
    'Ní Bhriain',
    'Fernández; Gil',
    'von und zu Stein',
    'Skarsgård',
    'Çelik',
    'Dvořák',
    'Škoda',
    'Roth',
  ],
  ...[
    'Šimkutė',
    'Ozoliņš',
    'Põld',
    'Guðmundsdóttir',
    'Mac Giolla',
    'Al-Rashid',
    'Lima',
    'Zhang',
    'Ek',
    'Boué',
  ],
  ...['Ľudovít', 'Żak', 'Ferrari', 'Sá', 'Hô', 'Brontë'],
];
const notes = [
  null,
  'Prefers mornings',
  'Allergic to ammonia: no perm, no bleach; ask first',
  'Colour 7/43, 30 ml\nDeveloper 6 %\n\nLast visit: "too dark"',
  'C:\\photos\\before.jpg',
  'Mag keinen Föhn – Lufttrocknen 🙂\nKommt immer 5′ zu spät',
  'Parle à l’équipe en français, très gentille, vient avec ses deux enfants; préfère le fauteuil près de la fenêtre',
  '50 % = half, a=b',
];
const tags = [
  [],
  ['VIP'],
  ['Balayage', 'schwarzer Kaffee'],
  ['peau sensible à l’été'],
  ['new', 'VIP', 'Łódź'],
];

/**
 * Clients of different names, at most 2,000: with diacritics, commas, several phones, birthdays with and without a year,
 * notes of several lines and tags, each missing in some.
 */
export function createVariedClients(count: number): readonly VariedClient[] {
  if (count > firstNames.length * lastNames.length) throw new RangeError('There are 2,000 names.');
  return Array.from({ length: count }, (_, index) => {
    const pick = <Value>(values: readonly Value[], step = 1) =>
      values[Math.floor(index / step) % values.length] as Value;
    const digits = String(index).padStart(4, '0');
    const phones = [
      { kind: 'work', number: `+493055${digits}1` },
      { kind: 'mobile', number: `+4915112${digits}12` },
      { kind: 'home', number: `+494055${digits}2` },
    ] as const;
    const [month, day] = [1 + (index % 12), 1 + (index % 28)].map((part) => String(part).padStart(2, '0'));
    return {
      first_name: pick(firstNames),
      // One name has each last name once, whatever the count.
      last_name: lastNames[(Math.floor(index / firstNames.length) + index) % lastNames.length] as string,
      email: index % 3 === 0 ? null : `client.${digits}@post.example`,
      // Some have none of these, but each can be reached.
      phones: index % 3 === 0 ? phones.slice(index % 2) : phones.slice(0, index % 4),
      birthday: index % 5 === 0 ? null : `${index % 5 === 1 ? '-' : 1930 + (index % 80)}-${month}-${day}`,
      notes: pick(notes),
      tags: pick(tags, 3),
    };
  });
}

/** The members of the client that the salon has once this one is imported. */
export function toRecord({ phones, ...client }: VariedClient) {
  const taken = ['mobile', 'home', 'work'].flatMap((kind) => phones.filter((phone) => phone.kind === kind));
  return { ...client, phone: taken[0]?.number ?? null };
}

/** The same person in a list that knows less. */
export function toShorter(client: VariedClient, index: number): VariedClient {
  return { ...client, birthday: null, ...(index % 2 === 0 ? { notes: null, tags: [] } : {}) };
}
