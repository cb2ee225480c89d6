/** First and last names of one language or region. */
interface NameFamily {
  readonly first: Names;
  readonly last: Names;
}

export type Names = readonly [string, ...string[]];

export const nameFamilies: readonly [NameFamily, ...NameFamily[]] = [
  {
    first: ['Olivia', 'Amelia', 'Grace', 'Harriet', 'Oscar', 'Theo', 'Nia', 'Callum', 'Erin', 'Rhys'],
    last: ['Smith', 'Taylor', 'O’Brien', 'Evans', 'MacLeod', 'Walker', 'Hughes', 'Bennett', 'Price', 'Shaw'],
  },
  {
    first: ['Zoë', 'Chloé', 'Élodie', 'François', 'Anaïs', 'Rémi', 'Noémie', 'Gaëlle', 'Loïc', 'Inès'],
    last: ['Lefèvre', 'Dupont', 'Béranger', 'Garçon', 'Lemaître', 'Moreau', 'd’Aubigné', 'Château', 'Forêt'],
  },
  {
    first: ['Jürgen', 'Anneliese', 'Björn', 'Käthe', 'Sören', 'Heike', 'Åsa', 'Øyvind', 'Freja', 'Maj-Britt'],
    last: [
      'Müller',
      'Groß',
      'Schäfer',
      'Ødegaard',
      'Ångström',
      'von der Leitner',
      'Weiß',
      'Nørgaard',
      'Köhler',
    ],
  },
  {
    first: ['José', 'Begoña', 'Núria', 'João', 'Conceição', 'Íñigo', 'Lucía', 'Thiago', 'Ximena', 'Álvaro'],
    last: ['García Márquez', 'Muñoz', 'Gonçalves', 'de la Peña', 'Araújo', 'Ibáñez', 'Simões', 'Núñez'],
  },
  {
    first: ['Łukasz', 'Zuzanna', 'Želimir', 'Jiří', 'Božena', 'Şebnem', 'Çağlar', 'Ștefan', 'Ilse', 'Dóra'],
    last: ['Wójcik', 'Dvořák', 'Čapek', 'Yılmaz', 'Ionescu', 'Szőke', 'Krzyżanowska', 'Nagy', 'Özdemir'],
  },
  {
    first: ['Анна', 'Дмитрий', 'Оксана', 'Ελένη', 'Γιώργος', 'Светлана', 'Тарас', 'Κατερίνα'],
    last: ['Иванова', 'Шевченко', 'Παπαδόπουλος', 'Кузнецов', 'Γεωργίου', 'Бондаренко'],
  },
  {
    first: ['小明', '美玲', '雅婷', '子轩', '陽菜', '翔太', '結衣', '健一', '지민', '서연', '민준'],
    last: ['王', '李', '陳', '张', '佐藤', '鈴木', '高橋', '김', '박', '최'],
  },
  {
    first: ['فاطمة', 'محمد', 'ليلى', 'يوسف', 'مريم', 'עומר', 'נועה', 'زینب', 'دارا'],
    last: ['الحداد', 'المصري', 'العلي', 'منصور', 'כהן', 'לוי', 'رضایی'],
  },
  {
    first: ['Priya', 'Arjun', 'Ananya', 'Nguyễn Thị', 'Minh', 'Adaeze', 'Kwame', 'Thandiwe', 'Chidi', 'Siti'],
    last: ['Sharma', 'Patel', 'Krishnan', 'Phạm', 'Trần', 'Okonkwo', 'Mensah', 'Dlamini', 'Adébáyọ̀'],
  },
];

/** The first stylists of every sample salon: first and last name. */
export const knownStylists: readonly (readonly [string, string])[] = [
  ['Mia', 'Berger'],
  ['Theo', 'Lindqvist'],
  ['Zuzanna', 'Wójcik'],
  ['Łukasz', 'Nagy'],
  ['Nia', 'Okonkwo'],
  ['Sofía', 'Muñoz'],
  ['Priya', 'Sharma'],
  ['Rhys', 'Hughes'],
  ['Élodie', 'Moreau'],
  ['Kwame', 'Mensah'],
  ['Anaïs', 'Lefèvre'],
  ['Jürgen', 'Weiß'],
];

interface KnownClient {
  readonly first: string;
  readonly last: string;
  readonly email: string | null;
  readonly phone: string | null;
}

/** The first clients of every sample salon, for examples: the fourth and the fifth are one person. */
export const knownClients: readonly KnownClient[] = [
  { first: 'Ana', last: 'Costa', email: 'ana.costa@example.com', phone: '+493023125018' },
  { first: 'Ben', last: 'Okafor', email: 'ben.okafor@example.com', phone: '+442079460018' },
  { first: 'Käthe', last: 'Nagy', email: 'kaethe.nagy@example.org', phone: '+493023125204' },
  { first: 'Anna', last: 'Weber', email: 'anna.weber@example.com', phone: '+493023125077' },
  { first: 'Anna', last: 'Webber', email: null, phone: '+493023125077' },
  { first: 'Olivia', last: 'Walker', email: 'olivia.walker@example.net', phone: '+441632960158' },
  { first: 'Inès', last: 'Garçon', email: 'ines.garcon@example.org', phone: '+33199007742' },
  { first: 'Siti', last: 'Trần', email: null, phone: '+33639984415' },
];
