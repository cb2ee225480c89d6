import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { pathOf } from '../../src/cli/command-line.ts';
import { defineCommand } from '../../src/cli/flags/command-definition.ts';
import { settingEntries } from '../../src/cli/flags/settings.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { createMachine } from '../support/io.ts';

let requests: string[] = [];
const server = createServer(({ method, url }, response) => {
  requests.push(`${method} ${url}`);
  response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
const env = { SALON_BASE_URL: `http://127.0.0.1:${port}`, SALON_API_KEY: 'k' };
const machine = createMachine({ env });
afterAll(() => {
  server.close();
  machine[Symbol.dispose]();
});
beforeEach(() => {
  requests = [];
});

const program = await buildProgram({
  runner: { define: defineCommand },
  io: {
    stdout: process.stdout,
    terminal: { input: false, output: false, messages: false, columns: 80, rows: 24 },
    releaseUrl: 'https://releases.test',
  },
});
const commands = listCommands(program).filter(
  (command) => command.commands.length === 0 && command.name() !== 'upgrade',
);
const flagCases = [program, ...commands].flatMap((command) => {
  const flags = command.options.filter(({ required, optional }) => required || optional);
  return flags.length === 0 ? [] : [[pathOf(command), flags] as const];
});
const argumentCases = commands.flatMap((command) =>
  command.registeredArguments.length === 0 ? [] : [[pathOf(command), command] as const],
);

describe('an empty value', () => {
  it.each(flagCases)('of a flag is refused, and nothing is sent: %s', async (path, flags) => {
    const words = path.split(' ').slice(1);
    for (const { long } of flags) {
      for (const given of [[`${long}=`], [long ?? '', ''], [long ?? '', ' \t']]) {
        const ran = await machine.salon([...words, ...given]);
        expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
        expect(ran.stderr).toMatch(`error: ${long} is empty.\n  If the value comes from a variable`);
      }
    }
    expect(requests).toEqual([]);
  });

  it.each(argumentCases)('of an argument is refused, and nothing is sent: %s', async (path, command) => {
    const args = command.registeredArguments;
    const words = path.split(' ').slice(1);
    for (const [index, argument] of args.entries()) {
      const needed = command.options.flatMap(({ mandatory, long }) => (mandatory ? [`${long}=viewer`] : []));
      const fill = (value: string) => [...needed, ...args.map((_, at) => (at === index ? value : 'x'))];
      for (const given of [fill(''), fill('  '), ...(argument.variadic ? [[...fill('x'), '']] : [])]) {
        const ran = await machine.salon([...words, ...given]);
        expect(ran, given.join(',')).toMatchObject({ exitCode: 2, stdout: '' });
        const name = argument.name();
        expect(ran.stderr).toMatch(
          argument.parseArg === undefined
            ? `The argument <${name}> is empty.\n`
            : `" is invalid for argument "${name}". Allowed choices are `,
        );
      }
    }
    expect(requests).toEqual([]);
  });

  it.each(['find', 'clients find', 'clients search'])('of a guess is refused: %s', async (words) => {
    const ran = await machine.salon([...words.split(' '), '']);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toMatch('error: --search is empty.\n');
    expect(requests).toEqual([]);
  });

  const variables = settingEntries.flatMap(([, { variable = '', type }]) =>
    variable.startsWith('SALON_') && !variable.includes('<') ? [[variable, type] as const] : [],
  );

  it.each(variables.filter(([, type]) => type !== 'boolean'))(
    'of %s is refused, and named by it',
    async (variable) => {
      for (const value of ['', ' ']) {
        const ran = await machine.salon(['clients', 'list'], { env: { [variable]: value } });
        expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
        expect(ran.stderr).toBe(`error: ${variable} is empty.\n  Give it a value, or unset it.\n`);
      }
      expect(requests).toEqual([]);
    },
  );

  it.each(variables.filter(([, type]) => type === 'boolean'))(
    'of %s switches nothing on',
    async (variable) => {
      await machine.salon(['clients', 'list'], { env: { [variable]: '' } });
      expect(requests).not.toEqual([]);
    },
  );

  it('of a variable hides no help', async () => {
    const ran = await machine.salon(['help', 'exit-codes'], { env: { SALON_PROFILE: '' } });
    expect(ran.exitCode).toBe(0);
  });
});

describe('a value that empties something is not empty', () => {
  writeFileSync(join(machine.home, 'clients.csv'), 'id,tags\n1,vip\n');

  it.each([
    ['clients update 7 --yes --set', 'notes='],
    ['clients update --yes --file clients.csv --map', 'tags='],
    ['api GET /clients --param', 'k='],
  ])('%s "%s"', async (words, value) => {
    const ran = await machine.salon([...words.split(' '), value]);
    expect(ran.exitCode, ran.stderr).not.toBe(2);
    expect(requests).not.toEqual([]);
  });
});

function listCommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(listCommands)];
}
