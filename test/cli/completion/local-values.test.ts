import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { rememberStylists } from '../../../src/cli/people/known-stylists.ts';
import { createMachine } from '../../support/io.ts';
import { json, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { completeWords, toWords } from './complete-words.ts';

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

function complete(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return completeWords(machine, words, env);
}

async function offers(words: readonly string[]): Promise<string[]> {
  return toWords(await complete(words));
}

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
    ['stylists get ', ['Ana Costa', 'Theo', 'sty_1', 'sty_2']],
    ['appointments create --stylist ', ['Ana Costa', 'Theo', 'sty_1', 'sty_2']],
    ['appointments calendar --stylist An', ['Ana Costa']],
    ['book Ben with ', ['Ana Costa', 'Theo', 'sty_1', 'sty_2']],
    ['move Ben fri 11:00 with Th', ['Theo']],
    ['today --stylist An', ['Ana Costa']],
    ['today ', ['Ana Costa', 'Theo', 'sty_1', 'sty_2']],
    ['calendar tomorrow Th', ['Theo']],
    ['appointments calendar Th', ['Theo']],
    ['free Th', ['Theo']],
    ['report revenue last-week Th', ['Theo']],
    ['report revenue last-y', ['last-year']],
    ['appointments cancel --where-stylist An', ['Ana Costa']],
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
