import { afterAll, describe, expect, it } from 'vitest';
import { findCommand } from '../../../src/cli/command-line.ts';
import { defineCommand } from '../../../src/cli/flags/command-definition.ts';
import { buildProgram } from '../../../src/cli/program.ts';
import { endpoints } from '../../../src/contract/endpoints.ts';
import { eventPatterns, eventTypes } from '../../../src/contract/events.ts';
import { createMachine } from '../../support/io.ts';
import { completeWords, toWords } from './complete-words.ts';

const machine = createMachine({ env: { SALON_CONFIG_DIR: 'config', SALON_DATA_DIR: 'data' } });
afterAll(() => machine[Symbol.dispose]());

function complete(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return completeWords(machine, words, env);
}

async function offers(words: readonly string[]): Promise<string[]> {
  return toWords(await complete(words));
}

const formats = ['table', 'json', 'ndjson', 'csv', 'xlsx'];
const program = await buildProgram({
  runner: { define: defineCommand },
  io: {
    stdout: process.stdout,
    terminal: { input: false, output: false, messages: false, columns: 80, rows: 24 },
  },
});

/** The commands of a noun, in the order of its help. */
function verbsOf(...noun: readonly string[]): string[] {
  const commands = findCommand(program, noun)?.commands.map((command) => command.name()) ?? [];
  expect(commands).toContain('list');
  return commands;
}

describe('salon __complete', () => {
  it.each<readonly [typed: string, offered: readonly string[]]>([
    ['clie', ['clients']],
    ['clients ', verbsOf('clients')],
    ['client ', verbsOf('clients')],
    ['keys ', verbsOf('keys')],
    ['keys list --status active,', ['active,expired', 'active,revoked']],
    ['keys create --role st', ['stylist']],
    ['server keys ', verbsOf('server', 'keys')],
    ['server keys cr', ['create']],
    ['clients nonsense l', []],
    ['help cli', ['clients']],
    ['help exi', ['exit-codes']],
    ['help clients li', ['list']],
  ])('offers commands after: salon %s', async (typed, offered) => {
    expect(await offers(typed.split(' '))).toEqual(offered);
  });

  it.each<readonly [typed: string, offered: readonly string[]]>([
    ['clients list --sear', ['--search']],
    ['appointments list -c client_', ['client_id', 'client_name', 'client_phone', 'client_email']],
    ['clients list --fo', ['--format']],
    ['--fo', ['--format']],
    ['clients get --sea', []],
    ['server keys create --sc', ['--scopes']],
    ['clients get cli_1 --ou', ['--output']],
    ['clients list --search get --sear', []],
    ['clients create --set a=1 --se', ['--set']],
    ['clients list -- --fo', []],
  ])('offers flags that fit and are not used up: salon %s', async (typed, offered) => {
    expect(await offers(typed.split(' '))).toEqual(offered);
  });

  it.each<readonly [typed: string, offered: readonly string[]]>([
    ['-f json clients li', ['list']],
    ['-fjson clients li', ['list']],
    ['--format=json clients li', ['list']],
    ['-p list clients li', ['list']],
    ['clients --profile shop li', ['list']],
    ['-q clients li', ['list']],
  ])('reads flags before a command: salon %s', async (typed, offered) => {
    expect(await offers(typed.split(' '))).toEqual(offered);
  });

  it.each<readonly [typed: string, offered: readonly string[]]>([
    ['--format ', formats],
    ['book --status arr', ['arrived']],
    ['clients list -qf ', formats],
    ['clients list -fj', ['-fjson']],
    ['clients list -qfj', ['-qfjson']],
    ['clients list --format=', formats.map((format) => `--format=${format}`)],
    ['server keys create --role ow', ['owner']],
    ['server accounts create --plan ', ['pro', 'enterprise']],
    ['server start --log-level de', ['debug']],
    ['webhooks listen --events ', eventPatterns],
    ['webhooks update whk_1 --events client.d', ['client.deleted']],
    ['webhooks trigger ', eventTypes],
    ['appointments create --status arr', ['arrived']],
    ['appointments update apt_1 --status arr', ['arrived']],
    ['payments record --method gi', ['gift_card']],
    ['webhooks deliveries whk_1 --status del', ['delivered']],
    ['audit --action oauth_c', ['oauth_client.*']],
    ['audit -c ch', ['changes']],
    ['clients list --sort last', ['last_name']],
    ['clients list --sort -last', ['-last_name']],
    ['clients list --search ', []],
    ['completion ', ['bash', 'zsh', 'fish', 'powershell']],
    ['profiles set shop time', ['time_zone', 'timeout']],
    ['appointments list --to pl', []],
  ])('offers values: salon %s', async (typed, offered) => {
    expect(await offers(typed.split(' '))).toEqual(offered);
  });

  it.each<readonly [typed: string, offered: readonly string[]]>([
    ['appointments list --status no', ['no_show']],
    ['appointments update --where-status no', ['no_show']],
    ['appointments calendar --status no', ['no_show']],
    ['payments list --status pending,comp', ['pending,completed']],
    ['appointments list --status=pending,con', ['--status=pending,confirmed']],
    ['appointments list --status pending,pen', []],
    ['clients list -c id,bir', ['id,birthday']],
    ['webhooks list -c u', ['url', 'updated_at']],
    ['services list -c na', ['name']],
    ['services update Cut --set dur', ['duration=']],
    ['blocks list -c rea', ['reason']],
    ['webhooks deliveries whk_1 -c attempt_', ['attempt_count']],
    ['server keys create --scopes clients:', ['clients:read', 'clients:write']],
    ['server keys create --scopes clients:read,clients:', ['clients:read,clients:write']],
    ['clients update cli_1 --set birth', ['birthday=']],
    ['webhooks create https://a.example --set desc', ['description=']],
  ])('leaves open what takes more: salon %s', async (typed, offered) => {
    expect(await offers(typed.split(' '))).toEqual(offered);
    expect((await complete(typed.split(' '))).at(-1)).toBe(':nospace');
  });

  it.each([
    ['clients list -o pl', ':files '],
    ['clients list --output=pl', ':files --output='],
    ['server backup --to ', ':files '],
    ['jobs apply ', ':files '],
    ['clients create --data @pl', ':files @'],
    ['clients create --data=@pl', ':files --data=@'],
    ['server seed --database sqlite:', ':files sqlite:'],
  ])('leaves files to the shell: salon %s', async (typed, line) => {
    expect(await complete(typed.split(' '))).toEqual([line]);
  });

  it('offers the mark before a file', async () => {
    expect(await complete(['clients', 'create', '--data', ''])).toEqual(['@', ':nospace']);
    expect(await complete(['server', 'seed', '--database', 'sq'])).toEqual(['sqlite:', ':nospace']);
  });

  it.each<readonly [typed: string, offered: readonly string[]]>([
    ['PA', ['PATCH']],
    ['GET /cl', ['/clients', '/clients/']],
    ['-p shop DELETE /cl', ['/clients/']],
    ['HEAD /m', ['/me']],
    ['DELETE /m', []],
    ['GET /clients /cl', []],
    ['/cl', []],
  ])('offers methods and their paths: salon api %s', async (typed, offered) => {
    expect(await offers(['api', ...typed.split(' ')])).toEqual(offered);
  });

  it('offers a path to every endpoint, up to its ID', async () => {
    for (const { method, path } of Object.values(endpoints)) {
      expect(await offers(['api', method, ''])).toContain(path.split(':')[0]);
    }
    expect(await complete(['api', 'DELETE', '/cl'])).toEqual(['/clients/', ':nospace']);
  });

  it('describes commands and flags', async () => {
    expect(await complete(['clients', 'li'])).toEqual([expect.stringMatching(/^list\t[A-Z]/)]);
    expect(await complete(['clients', 'list', '--fo'])).toEqual([expect.stringMatching(/^--format\t\w/)]);
  });

  it('offers flags where no argument is left', async () => {
    expect(await offers(['clients', 'list', ''])).toEqual(
      expect.arrayContaining(['--search', '--profile', '--help']),
    );
  });

  it('leaves out hidden commands and flags', async () => {
    expect(await offers([''])).not.toContain('__complete');
  });
});

describe('words in SALON_COMPLETE, as PowerShell hands them over', () => {
  it.each([
    ['clients\nli', ['list']],
    ['clients\n', verbsOf('clients')],
    ['clients\nlist\n--format=nd', ['--format=ndjson']],
    ['', expect.arrayContaining(['clients', 'jobs'])],
  ])('are read by line: %j', async (text, offered) => {
    const lines = await complete([], { SALON_COMPLETE: text });
    expect(toWords(lines)).toEqual(offered);
  });
});

describe('salon completion', () => {
  it.each(['bash', 'zsh', 'fish', 'powershell'])(
    'prints a script of at most 60 lines for %s',
    async (shell) => {
      const { exitCode, stdout, stderr } = await machine.salon(['completion', shell]);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(stdout).toContain('__complete');
      expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
    },
  );
});
