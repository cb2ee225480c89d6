type Names = readonly [string, ...string[]];

/** First and last names that go together, written as their bearers would. */
export interface NameFamily {
  readonly first: Names;
  readonly last: Names;
}

/** Who comes into a salon of a large town. */
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

export const clientNotes: Names = [
  'Prefers mornings.',
  'Allergic to ammonia: use the gentle range.',
  'Likes a quiet appointment.',
  'Fine, straight hair; very sensitive scalp.',
  'Last colour formula: 7.1 + 8.3, 20 vol, 35 minutes.',
  'Brings the dog. The dog is called Biscuit.',
  'Needs step-free access.',
  'Growing out a fringe: do not cut it, whatever he says.',
];

export const clientTags: Names = [
  'vip',
  'regular',
  'colour',
  'bridal',
  'student',
  'new',
  'curls',
  'newsletter',
];

export const bookingNotes: Names = [
  'Running ten minutes late.',
  'Patch test done.',
  'Wants to talk about going shorter.',
  'First visit.',
  'Bring the photo from last time.',
];

export const cancellationReasons: Names = ['ill', 'moved to another day', 'double booked', 'no reason given'];
