import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { rememberStylists } from '../../../src/cli/completion/known-stylists.ts';
import { endpoints } from '../../../src/contract/endpoints.ts';
import { eventPatterns, eventTypes } from '../../../src/contract/events.ts';
import { createMachine } from '../../support/io.ts';
import { json, openMisbehavingServer } from '../../support/misbehaving-server.ts';

const machine = createMachine({ env: { SALON_CONFIG_DIR: 'config', SALON_DATA_DIR: 'data' } });
afterAll(() => machine[Symbol.dispose]());

writeJson('config/config.json', {
  current: 'shop',
  profiles: { shop: { base_url: 'https://shop.example' }, second: { base_url: 'https://second.example' } },
});
const jobs = {
  edit: '20261121-093000-1f2e3d',
  export: '20261122-080000-aaaaaa',
  damaged: '20261120-080000-bbbbbb',
};
writeJson(`data/jobs/${jobs.edit}/job.json`, {
  kind: 'edit',
  work: { edit: { noun: 'clients', verb: 'update' } },
});
writeJson(`data/jobs/${jobs.export}/job.json`, { kind: 'export', work: { noun: 'payments' } });
writeFileSync(writeJson(`data/jobs/${jobs.damaged}/job.json`, {}), '{"kind":');
rememberStylists(placeOf('data'), 'https://shop.example', [
  { id: 'sty_1', name: 'Ana Costa' },
  { id: 'sty_2', name: 'Theo' },
]);

function writeJson(path: string, value: object): string {
  const file = join(machine.home, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, JSON.stringify(value), { mode: 0o600 });
  return file;
}

function placeOf(folder: string) {
  return {
    env: { SALON_DATA_DIR: folder },
    cwd: machine.home,
    homeFolder: machine.home,
    platform: process.platform,
  };
}

/** The lines that `salon __complete` prints for words; the last word is the one being typed. */
async function complete(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { stdout, ...rest } = await machine.salon(['__complete', ...words], { env });
  expect(rest).toEqual({ exitCode: 0, stderr: '' });
  return stdout.split('\n').slice(0, -1);
}

async function offers(words: readonly string[]): Promise<string[]> {
  const lines = await complete(words);
  return lines.filter((line) => !line.startsWith(':')).map((line) => line.replace(/\t.*/, ''));
}

const formats = ['table', 'json', 'ndjson', 'csv'];
const clientVerbs = ['list', 'get', 'create', 'update', 'delete'];

describe('salon __complete', () => {
  it.each<readonly [typed: string, offered: readonly string[]]>([
    ['clie', ['clients']],
    ['clients ', clientVerbs],
    ['client ', clientVerbs],
    ['service key ', ['create', 'revoke']],
    ['service key cr', ['create']],
    ['clients nonsense l', []],
    ['help cli', ['clients']],
    ['help exi', ['exit-codes']],
    ['help clients li', ['list']],
  ])('offers commands after: salon %s', async (typed, offered) => {
    expect(await offers(typed.split(' '))).toEqual(offered);
  });

  it.each<readonly [typed: string, offered: readonly string[]]>([
    ['clients list --se', ['--search']],
    ['clients list --fo', ['--format']],
    ['--fo', ['--format']],
    ['clients get --sea', []],
    ['service key create --sc', ['--scopes']],
    ['clients get cli_1 --ou', ['--output']],
    ['clients list --search get --se', []],
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
    ['clients list -qf ', formats],
    ['clients list -fj', ['-fjson']],
    ['clients list -qfj', ['-qfjson']],
    ['clients list --format=', formats.map((format) => `--format=${format}`)],
    ['service key create --role ow', ['owner']],
    ['service account create --plan ', ['pro', 'enterprise']],
    ['service start --log-level de', ['debug']],
    ['webhooks listen --events ', eventPatterns],
    ['webhooks update whk_1 --events client.d', ['client.deleted']],
    ['webhooks trigger ', eventTypes],
    ['appointments create --status arr', ['arrived']],
    ['appointments update apt_1 --status arr', ['arrived']],
    ['payments record --method gi', ['gift_card']],
    ['webhooks deliveries whk_1 --status del', ['delivered']],
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
    ['appointments calendar --status no', ['no_show']],
    ['payments list --status pending,comp', ['pending,completed']],
    ['appointments list --status=pending,con', ['--status=pending,confirmed']],
    ['appointments list --status pending,pen', []],
    ['clients list -c id,bir', ['id,birthday']],
    ['webhooks list -c u', ['url', 'updated_at']],
    ['webhooks deliveries whk_1 -c tr', ['tries']],
    ['service key create --scopes clients:', ['clients:read', 'clients:write']],
    ['service key create --scopes clients:read,clients:', ['clients:read,clients:write']],
    ['clients update cli_1 --set birth', ['birthday=']],
    ['webhooks create https://a.example --set desc', ['description=']],
  ])('leaves open what takes more: salon %s', async (typed, offered) => {
    expect(await offers(typed.split(' '))).toEqual(offered);
    expect((await complete(typed.split(' '))).at(-1)).toBe(':nospace');
  });

  it.each([
    ['clients list -o pl', ':files '],
    ['clients list --output=pl', ':files --output='],
    ['service backup --to ', ':files '],
    ['jobs apply ', ':files '],
    ['clients create --data @pl', ':files @'],
    ['clients create --data=@pl', ':files --data=@'],
    ['service seed --database sqlite:', ':files sqlite:'],
  ])('leaves files to the shell: salon %s', async (typed, line) => {
    expect(await complete(typed.split(' '))).toEqual([line]);
  });

  it('offers the mark before a file', async () => {
    expect(await complete(['clients', 'create', '--data', ''])).toEqual(['@', ':nospace']);
    expect(await complete(['service', 'seed', '--database', 'sq'])).toEqual(['sqlite:', ':nospace']);
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

describe('what this machine knows', () => {
  it.each<readonly [typed: string, offered: readonly string[]]>([
    ['--profile ', ['shop', 'second']],
    ['clients list -p sh', ['shop']],
    ['clients list --profile=sh', ['--profile=shop']],
    ['profiles use ', ['shop', 'second']],
    ['profiles show se', ['second']],
    ['profiles set se', ['second']],
    ['profiles remove ', ['shop', 'second']],
    ['profiles use shop s', []],
    ['jobs show 20261121', [jobs.edit]],
    ['jobs resume ', [jobs.export, jobs.edit, jobs.damaged]],
    ['jobs undo ', [jobs.edit]],
    ['jobs results ', [jobs.edit]],
    ['stylists get ', ['sty_1', 'sty_2']],
    ['appointments create --stylist ', ['sty_1', 'sty_2']],
    ['appointments calendar --stylist An', ['Ana Costa']],
    ['-p second stylists get ', []],
    ['-p gone stylists get ', []],
  ])('is offered: salon %s', async (typed, offered) => {
    expect(await offers(typed.split(' '))).toEqual(offered);
  });

  it('is described: profiles by address, jobs by their work, stylists by name', async () => {
    expect(await complete(['-p', 'sh'])).toEqual(['shop\thttps://shop.example']);
    expect(await complete(['jobs', 'show', '2026'])).toEqual([
      `${jobs.export}\texport payments`,
      `${jobs.edit}\tupdate clients`,
      jobs.damaged,
    ]);
    expect(await complete(['stylists', 'get', 'sty_1'])).toEqual(['sty_1\tAna Costa']);
  });

  it('includes the stylists that a list has shown', async () => {
    await using server = await openMisbehavingServer(() =>
      json({
        data: [{ id: 'sty_9', first_name: 'Mia', last_name: 'Sato', active: true }],
        pagination: { page: 1, per_page: 200, total: 1 },
      }),
    );
    const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k' };
    const listed = await machine.salon(['stylists', 'list', '-f', 'json'], { env });
    expect(listed).toMatchObject({ exitCode: 0 });
    const sent = server.received.length;
    expect(await complete(['stylists', 'get', 'sty_'], env)).toEqual(['sty_9\tMia Sato']);
    expect(server.received).toHaveLength(sent);
  });
});

describe('an error', () => {
  it.each([
    ['a config file that is not JSON', 'config/config.json', '{', ['-p', '']],
    ['a jobs folder that is a file', 'data2/jobs', '', ['jobs', 'show', '']],
    ['stylists that are not JSON', 'data2/stylists.json', '[', ['stylists', 'get', '']],
  ])('prints nothing: %s', async (_what, path, text, words) => {
    const file = join(machine.home, path);
    mkdirSync(join(file, '..'), { recursive: true });
    const before = path.startsWith('config') ? readFileSync(file, 'utf8') : undefined;
    writeFileSync(file, text);
    expect(await complete(words, { SALON_DATA_DIR: 'data2' })).toEqual([]);
    if (before !== undefined) writeFileSync(file, before);
  });

  it('prints no control characters that a name smuggles in', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'salon-config-'));
    const profiles = { 'a\u001b[2Jb': { base_url: 'x' }, plain: { base_url: 'x\ty' } };
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ profiles }));
    expect(await complete(['-p', ''], { SALON_CONFIG_DIR: folder })).toEqual(['plain']);
    rmSync(folder, { recursive: true });
  });
});

describe('words in SALON_COMPLETE, as PowerShell hands them over', () => {
  it.each([
    ['clients\nli', ['list']],
    ['clients\n', clientVerbs],
    ['clients\nlist\n--format=nd', ['--format=ndjson']],
    ['', expect.arrayContaining(['clients', 'jobs'])],
  ])('are read by line: %j', async (text, offered) => {
    const lines = await complete([], { SALON_COMPLETE: text });
    expect(lines.map((line) => line.replace(/\t.*/, ''))).toEqual(offered);
  });
});
