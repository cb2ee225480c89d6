import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openShellLab } from './shell-lab.ts';

const tab = '\t';
const allMatches = '\x1b*';
const back = '\x02';

/** Keys typed at a bash prompt, and the words the program is started with after Enter. */
const cases: readonly (readonly [what: string, keys: string, words: readonly string[]])[] = [
  ['a command', `salon cli${tab} li${tab}`, ['clients', 'list']],
  ['a value after =', `salon clients list --format=nd${tab}`, ['clients', 'list', '--format=ndjson']],
  [
    'a value in an open quote',
    `salon clients list --format "nd${tab}`,
    ['clients', 'list', '--format', 'ndjson'],
  ],
  [
    'a value after = and an open quote',
    `salon clients list --format="nd${tab}`,
    ['clients', 'list', '--format=ndjson'],
  ],
  ['all matches', `salon --profile ${allMatches}`, ['--profile', 'second', 'shop']],
  [
    'words before the cursor only',
    `salon clients li --limit 5${back.repeat(10)}${tab}`,
    ['clients', 'list', '--limit', '5'],
  ],
  ['a word cut by the cursor', `salon clients list --seax${back}${tab}`, ['clients', 'list', '--searchx']],
  ['a file', `salon clients list -o plan.${tab}`, ['clients', 'list', '-o', 'plan.json']],
  ['a file after =', `salon clients list --output=plan.${tab}`, ['clients', 'list', '--output=plan.json']],
  ['a file with a space', `salon clients list -o two${tab}`, ['clients', 'list', '-o', 'two words.json']],
  [
    'a file behind @',
    `salon clients create --data @plan.${tab}`,
    ['clients', 'create', '--data', '@plan.json'],
  ],
  [
    'a file with a space behind @',
    `salon clients create --data @two${tab}`,
    ['clients', 'create', '--data', '@two words.json'],
  ],
  [
    'a file behind @ in an open quote',
    `salon clients create --data "@two${tab}`,
    ['clients', 'create', '--data', '@two words.json'],
  ],
  [
    'a database',
    `salon server seed --database sqlite:plan.${tab}`,
    ['server', 'seed', '--database', 'sqlite:plan.json'],
  ],
  [
    'a value with a colon',
    `salon server keys create --scopes clients:r${tab}`,
    ['server', 'keys', 'create', '--scopes', 'clients:read'],
  ],
  [
    'an entry of a list',
    `salon appointments list --status=pending,con${tab}`,
    ['appointments', 'list', '--status=pending,confirmed'],
  ],
  [
    'a field, and its value after it',
    `salon clients create --set birth${tab}1990-01-01`,
    ['clients', 'create', '--set', 'birthday=1990-01-01'],
  ],
  [
    'no file where none is taken',
    `salon appointments list --to plan.${tab}`,
    ['appointments', 'list', '--to', 'plan.'],
  ],
  ['the file of a redirection', `salon clients list >> plan.${tab}`, ['clients', 'list']],
  ['a program called by its path', `./salon --profile sh${tab}`, ['--profile', 'shop']],
];

describe('completion at a bash prompt', () => {
  it.each(cases)('completes %s', async (_what, keys, words) => {
    using lab = openShellLab('bash');
    lab.write('setup.bash', 'PS1= HISTFILE=\nsource ./salon.bash\n');
    await lab.run(['--noprofile', '--rcfile', 'setup.bash', '-i'], `${keys}\nexit\n`);
    expect(readFileSync(join(lab.folder, 'started'), 'utf8').split('\n').slice(0, -1)).toEqual(words);
  });
});
