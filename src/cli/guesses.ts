import type { Command } from 'commander';
import { findChild } from './command-line.ts';

/** Verbs that people try instead of those of a noun. */
const otherVerbs: Readonly<Record<string, string>> = {
  ...{ show: 'get', view: 'get', add: 'create', new: 'create', edit: 'update', change: 'update' },
  remove: 'delete',
};

const triedWith: Readonly<Record<string, string>> = {
  appointments: 'show view add new edit change',
  clients: 'show view add new edit change remove',
  stylists: 'show view add new edit change',
  services: 'show add new edit change remove',
  payments: 'show view',
  webhooks: 'show add remove',
  keys: 'add new',
};

const verbGuesses = Object.entries(triedWith).flatMap(([noun, verbs]) =>
  verbs.split(' ').map((verb) => [`${noun} ${verb}`, `${noun} ${otherVerbs[verb]}`] as const),
);

/** What an obvious guess means: the words of the command; after `--search`, the words that follow are one text. */
const guesses: Readonly<Record<string, string>> = {
  ...Object.fromEntries(verbGuesses),
  login: 'auth login',
  signin: 'auth login',
  logout: 'auth logout',
  signout: 'auth logout',
  service: 'server',
  'service list': 'services list',
  'service get': 'services get',
  'service create': 'services create',
  'service update': 'services update',
  'service delete': 'services delete',
  'service learn': 'services learn',
  prices: 'services list',
  version: '--version',
  search: 'clients list --search',
  find: 'clients list --search',
  cancel: 'appointments cancel',
  'no-show': 'appointments update --status=no_show',
  noshow: 'appointments update --status=no_show',
  arrived: 'appointments update --status=arrived',
  pay: 'payments record',
  refund: 'payments refund',
  undo: 'jobs undo',
  me: 'whoami',
  cal: 'calendar',
  calls: 'call-list',
  phones: 'call-list',
  week: 'calendar --week',
  merge: 'clients merge',
  duplicates: 'clients duplicates',
  available: 'free',
  revenue: 'report revenue',
  reschedule: 'move',
  'appointments book': 'book',
  'appointments move': 'move',
  'appointments reschedule': 'move',
  'appointments delete': 'appointments cancel',
  'appointments remove': 'appointments cancel',
  'appointments today': 'today',
  gdpr: 'clients card',
  'clients export': 'clients list',
  'clients dedupe': 'clients duplicates',
  'clients search': 'clients list --search',
  'clients find': 'clients list --search',
  'report sales': 'report revenue',
  'report turnover': 'report revenue',
  'payments unpaid': 'payments due',
  'payments cancel': 'payments void',
  'payments add': 'payments record',
  'payments create': 'payments record',
  'payments new': 'payments record',
  'keys generate': 'keys create',
  'keys rotate': 'keys roll',
  'keys delete': 'keys revoke',
  'keys remove': 'keys revoke',
  'jobs get': 'jobs show',
  'jobs delete': 'jobs remove',
  'jobs status': 'jobs show',
  'profiles delete': 'profiles remove',
  'profiles get': 'profiles show',
  'profiles switch': 'profiles use',
};

/** Every guess with its meaning, for tests. */
export const guessEntries = Object.entries(guesses);

/** Replaces an obvious guess by the words of the command that does it. Other command lines stay as they are. */
export function replaceGuess(argv: readonly string[], program: Command): readonly string[] {
  const [first, second] = findCommandWords(argv, program);
  if (first === undefined) return argv;
  const command = findChild(program, argv[first] ?? '');
  if (command === undefined) {
    const both = second === undefined ? argv : replaceWords(argv, [first, second], argv[first]);
    return both === argv ? replaceWords(argv, [first]) : both;
  }
  if (second === undefined) return argv;
  if (command.name() === 'help') {
    const rest = argv.slice(second);
    const meant = replaceGuess(rest, program);
    return meant === rest
      ? argv
      : [...argv.slice(0, second), ...meant.filter((word) => !word.startsWith('-'))];
  }
  return replaceWords(argv, [first, second], command.name());
}

/** The places of the first two words that are neither a global flag nor the value of one. */
export function findCommandWords(argv: readonly string[], program: Command): readonly number[] {
  const places: number[] = [];
  let isValue = false;
  for (const [place, word] of argv.entries()) {
    if (word === '--' || places.length === 2) break;
    if (isValue || word.startsWith('-')) {
      isValue =
        !isValue &&
        program.options.some(({ required, short, long }) => required && [short, long].includes(word));
    } else {
      places.push(place);
    }
  }
  return places;
}

function replaceWords(argv: readonly string[], places: readonly number[], noun?: string): readonly string[] {
  const last = places.at(-1) ?? 0;
  const guess = noun === undefined ? (argv[last] ?? '') : `${noun} ${argv[last]}`;
  const meaning = Object.hasOwn(guesses, guess) ? guesses[guess] : undefined;
  if (meaning === undefined) return argv;
  const before = argv.slice(0, last).filter((_, place) => !places.includes(place));
  const after = argv.slice(last + 1);
  if (!meaning.endsWith(' --search')) return [...before, ...meaning.split(' '), ...after];
  const end = after.findIndex((word) => word.startsWith('-'));
  const given = end < 0 ? after : after.slice(0, end);
  const words = meaning.split(' ').slice(0, -1);
  const search = given.length === 0 ? [] : [`--search=${given.join(' ')}`];
  return [...before, ...words, ...search, ...(end < 0 ? [] : after.slice(end))];
}
