import type { Command } from 'commander';
import { findChild, findCommandWords } from './command-line.ts';

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
  waitlist: 'show view edit change remove',
};

const verbGuesses = Object.entries(triedWith).flatMap(([noun, verbs]) =>
  verbs.split(' ').map((verb) => [`${noun} ${verb}`, `${noun} ${otherVerbs[verb]}`] as const),
);

/** What people try, by the command that they mean; after `--search`, the words that follow are one text. */
const triedFor = {
  'auth login': 'login, signin',
  'auth logout': 'logout, signout',
  server: 'service',
  'services list': 'service list, prices',
  'services get': 'service get',
  'services create': 'service create',
  'services update': 'service update',
  'services delete': 'service delete',
  'services learn': 'service learn',
  '--version': 'version',
  'clients list --search': 'search, find, clients search, clients find',
  'clients list': 'clients export',
  'clients merge': 'merge',
  'clients duplicates': 'duplicates, clients dedupe',
  'clients card': 'gdpr',
  'appointments cancel': 'cancel, appointments delete, appointments remove',
  'appointments update --status=no_show': 'no-show, noshow',
  'appointments update --status=arrived': 'arrived',
  'payments record': 'pay, payments add, payments create, payments new',
  'payments refund': 'refund',
  'payments due': 'payments unpaid',
  'payments void': 'payments cancel',
  'jobs undo': 'undo',
  'jobs show': 'jobs get, jobs status',
  'jobs remove': 'jobs delete',
  whoami: 'me',
  calendar: 'cal',
  'calendar --week': 'week',
  'call-list': 'calls, phones',
  free: 'available',
  waitlist: 'waiting, waiting-list, waitinglist, wait-list',
  'waitlist add': 'wait, waitlist create, waitlist new',
  'report revenue': 'revenue, report sales, report turnover',
  book: 'appointments book',
  move: 'reschedule, appointments move, appointments reschedule',
  today: 'appointments today',
  'keys create': 'keys generate',
  'keys roll': 'keys rotate',
  'keys revoke': 'keys delete, keys remove',
  'profiles remove': 'profiles delete',
  'profiles show': 'profiles get',
  'profiles use': 'profiles switch',
};

/** The words of a command by what people try instead. */
const guesses: Readonly<Record<string, string>> = Object.fromEntries([
  ...verbGuesses,
  ...Object.entries(triedFor).flatMap(([meant, tried]) => tried.split(', ').map((guess) => [guess, meant])),
]);

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
