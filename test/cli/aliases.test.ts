import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findCommand } from '../../src/cli/command-line.ts';
import { defineCommand } from '../../src/cli/flags/command-definition.ts';
import { guessEntries } from '../../src/cli/guesses.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { createMachine, type Machine } from '../support/io.ts';
import { json, openMisbehavingServer } from '../support/misbehaving-server.ts';

let machine: Machine;
beforeEach(() => {
  machine = createMachine({ env: { SALON_CONFIG_DIR: 'config' } });
});
afterEach(() => machine[Symbol.dispose]());

/** The request that a command line sends to a list. */
async function requestOf(argv: readonly string[]): Promise<string | undefined> {
  await using server = await openMisbehavingServer(() =>
    json({ data: [], pagination: { page: 1, per_page: 200, total: 0 } }),
  );
  const env = { SALON_BASE_URL: `${server.origin}/api/v1`, SALON_API_KEY: 'k' };
  const ran = await machine.salon(argv, { env });
  expect(ran.exitCode, ran.stderr).toBe(0);
  const [request] = server.received;
  request?.query.delete('per_page');
  return request && `${request.path}?${request.query}`;
}

describe('an obvious guess', () => {
  it.each([
    ['clients search ana costa', '/api/v1/clients?q=ana+costa'],
    ['client find ana --sort last_name', '/api/v1/clients?q=ana&sort=last_name'],
    ['--no-pager clients -q find ana', '/api/v1/clients?q=ana'],
    ['find ana', '/api/v1/clients?q=ana'],
  ])('works: salon %s', async (line, request) => {
    expect(await requestOf(line.split(' '))).toBe(request);
  });

  it.each(guessEntries)('%s leads to an existing command', async (guess, meaning) => {
    const io = { stdout: process.stdout, terminal: { columns: 80 } };
    const runner = { define: defineCommand };
    const program = await buildProgram({ runner, io } as never);
    const words = meaning.split(' ').filter((word) => !word.startsWith('-'));
    expect(findCommand(program, words)).toBeDefined();
    expect(findCommand(program, guess.split(' '))).toBeUndefined();
  });

  it.each([
    ['version', /^\d+\.\d+\.\d+(-rc\.\d+)?\n$/],
    ['clients show --help', /^Show one client/],
    ['help clients show', /^Show one client/],
    ['login --help', /^Sign in with your browser/],
    ['appointments reschedule --help', /Usage: salon move /],
    ['no-show Ana Costa --help', /Usage: salon appointments update /],
  ])('shows what is meant: salon %s', async (line, text) => {
    const ran = await machine.salon(line.split(' '));
    expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(text) });
  });

  it('is not taken from the value of a flag', async () => {
    const ran = await machine.salon(['clients', 'list', '--search', 'find', '--profile', 'search']);
    expect(ran.stderr).toContain('search');
    expect(ran.exitCode).toBe(2);
  });
});

describe('salon aliases', () => {
  const set = (name: string, line: string) => machine.salon(['aliases', 'set', name, line]);

  it('sets a command that takes arguments, anywhere in it', async () => {
    expect(await set('vips', `clients list --search "$1 $2" -c id`)).toMatchObject({ exitCode: 0 });
    expect(await requestOf(['vips', 'ana', "o'neil", '--sort', 'last_name'])).toBe(
      '/api/v1/clients?q=ana+o%27neil&sort=last_name',
    );
    expect(await requestOf(['--no-pager', 'vips', '$2', 'x'])).toBe('/api/v1/clients?q=%242+x');
  });

  it('may stand for a guess', async () => {
    await set('who', 'clients search');
    expect(await requestOf(['who', 'ana', 'costa'])).toBe('/api/v1/clients?q=ana+costa');
  });

  it('names what is missing', async () => {
    await set('vips', 'clients list --search "$2 $1"');
    const ran = await machine.salon(['vips', 'ana']);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain('Alias "vips" needs 2 arguments.');
  });

  it.each([
    ['a command of salon', 'clients', 'clients list', '"clients" is a command of salon already.'],
    ['its singular', 'client', 'clients list', '"client" is a command of salon already.'],
    ['a flag', '-x', 'clients list', 'Unknown option'],
    ['a name that cannot be typed', 'a b', 'clients list', '"a b" cannot be the name of a command.'],
    ['an unknown command', 'x', 'clienst list', 'There is no command "clienst".'],
    ['an alias of an alias', 'x', 'wk --all', '"wk" is an alias itself.'],
    ['itself', 'x', 'x', 'There is no command "x".'],
    ['an open quote', 'x', 'clients list --search "a', 'A quote is not closed'],
    ['a shell command', 'x', '!rm -r .', 'not of the shell'],
    ['nothing', 'x', ' ', 'The argument <command> is empty.'],
  ])('refuses %s', async (_what, name, line, message) => {
    await set('wk', 'appointments calendar --week');
    const ran = await set(name, line);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain(message);
    expect((await machine.salon(['aliases', 'list', '-f', 'csv'])).stdout).toBe(
      'name,command\nwk,appointments calendar --week\n',
    );
  });

  it('ends even if the file goes round in circles', async () => {
    await set('a', 'clients list');
    const path = join(machine.home, 'config', 'aliases.json');
    writeFileSync(path, JSON.stringify({ aliases: { a: 'b', b: 'a', constructor: 'a' } }));
    expect(await machine.salon(['a'])).toMatchObject({ exitCode: 2, stdout: '' });
    writeFileSync(path, '{');
    const ran = await machine.salon(['a']);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain('Cannot read the aliases');
    expect(await machine.salon(['--version'])).toMatchObject({ exitCode: 0 });
  });

  it('changes, deletes and keeps the others', async () => {
    await set('wk', 'appointments calendar --week');
    await set('day', 'today');
    expect((await set('wk', 'salon calendar --week')).stderr).toContain('(was: salon appointments');
    expect(await machine.salon(['aliases', 'delete', 'day'])).toMatchObject({ exitCode: 0 });
    expect(await machine.salon(['aliases', 'delete', 'day'])).toMatchObject({ exitCode: 6, stdout: '' });
    const saved = JSON.parse(readFileSync(join(machine.home, 'config', 'aliases.json'), 'utf8'));
    expect(saved).toEqual({ aliases: { wk: 'calendar --week' } });
  });

  it('runs saved lines with the singular of a noun', async () => {
    const path = join(machine.home, 'config', 'aliases.json');
    const database = '--database sqlite:shop.db';
    await set('mine', 'aliases list');
    const aliases = {
      ...{ open: `server account create ${database}`, add: `server key create ${database}` },
      mine: 'alias list -f csv -c name',
    };
    writeFileSync(path, JSON.stringify({ aliases }));
    expect(await machine.salon(['open', '--name', 'Shop'])).toMatchObject({ exitCode: 0 });
    expect(await machine.salon('add --role viewer --name till'.split(' '))).toMatchObject({ exitCode: 0 });
    expect((await machine.salon(['mine'])).stdout).toBe('name\nadd\nmine\nopen\n');
  });

  it('is completed', async () => {
    await set('wk', 'calendar --week');
    expect((await machine.salon(['__complete', 'wk'])).stdout).toContain('wk\tcalendar --week\n');
    expect((await machine.salon(['__complete', 'aliases', 'delete', ''])).stdout).toBe(
      'wk\tcalendar --week\n',
    );
  });
});
