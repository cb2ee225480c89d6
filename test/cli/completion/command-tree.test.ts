import { describe, expect, it } from 'vitest';
import { listCommands } from '../../../src/cli/completion/command-tree.ts';
import { toValue, valuesByPlace } from '../../../src/cli/completion/values.ts';
import { readProgramTree } from './program-tree.ts';

const commands = listCommands(await readProgramTree());

function findCommand(path: string) {
  return commands.find((command) => command.path.join(' ') === path);
}

describe('the tree of commands', () => {
  it('leads to commands of three words', () => {
    expect(findCommand('service key create')?.children).toEqual([]);
  });

  it('has the global flags on every command, each once', () => {
    for (const { options } of commands) {
      const spellings = options.flatMap((option) => option.spellings);
      expect(spellings).toEqual(expect.arrayContaining(['-p', '--format', '-h', '--help']));
      expect(new Set(spellings).size).toBe(spellings.length);
    }
  });

  it('leaves out the help command that every group has beside --help', () => {
    expect(findCommand('clients')?.children.map(({ path }) => path.at(-1))).not.toContain('help');
  });

  it('knows which flags may be repeated', () => {
    const repeatable = findCommand('clients create')?.options.filter((option) => option.repeatable);
    expect(repeatable?.map(({ spellings }) => spellings)).toEqual([['--set']]);
  });

  it.each(Object.keys(valuesByPlace))('has the place %s', (place) => {
    const [, path = '', name = ''] = /^(.*) (\S+)$/.exec(place) ?? [];
    const { options = [], arguments: given = [] } = findCommand(path) ?? {};
    const names = [
      ...options.flatMap(({ spellings }) => spellings),
      ...given.map((argument) => argument.name),
    ];
    expect(names).toContain(name);
  });
});

describe('a value', () => {
  const place = { path: 'clients list', name: '--anything', placeholder: 'text', choices: undefined };

  it.each([
    ['free, where nothing is known', {}, { kind: 'free' }],
    ['one of the choices', { choices: ['a', 'b'] }, { kind: 'word', words: ['a', 'b'] }],
    ['a file, where help says so', { placeholder: 'file' }, { kind: 'file', mark: '' }],
    ['a file or a dash', { placeholder: 'file|-' }, { kind: 'file', mark: '' }],
    [
      'a moment, although another command has a file there',
      { name: '--to', placeholder: 'when' },
      { kind: 'free' },
    ],
    ['a file behind @', { name: '--data', placeholder: 'json' }, { kind: 'file', mark: '@' }],
    ['a profile', { name: '--profile', placeholder: 'name' }, { kind: 'profile' }],
  ])('is %s', (_what, known, value) => {
    expect(toValue({ ...place, ...known })).toEqual(value);
  });

  it('is a list of the noun’s fields for --columns', () => {
    const value = toValue({ ...place, name: '--columns', placeholder: 'a,b,c' });
    expect(value).toMatchObject({ kind: 'list', words: expect.arrayContaining(['id', 'first_name']) });
  });
});
