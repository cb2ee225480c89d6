import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configFolder, dataFolder } from '../../src/cli/folders.ts';
import { systemIo } from '../../src/cli/io.ts';
import { createMachine, type Machine } from '../support/io.ts';
import { openSharedService, type SharedService } from '../support/service.ts';

const linux = { platform: 'linux', cwd: '/work', homeFolder: '/home/ana' } as const;

describe('the folders of a person', () => {
  it.each([
    [{}, '/home/ana/.config/salon', '/home/ana/.local/share/salon'],
    [{ XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d' }, '/c/salon', '/d/salon'],
    [{ XDG_CONFIG_HOME: 'c', XDG_DATA_HOME: '.' }, '/home/ana/.config/salon', '/home/ana/.local/share/salon'],
    [{ SALON_CONFIG_DIR: 'c', SALON_DATA_DIR: '/d' }, '/work/c', '/d'],
  ])('follow the environment %j', (env, config, data) => {
    expect([configFolder({ ...linux, env }), dataFolder({ ...linux, env })]).toEqual([config, data]);
  });

  it('are not made up without a home folder', () => {
    const io = { ...linux, env: {}, homeFolder: undefined };
    expect(() => configFolder(io)).toThrow(expect.objectContaining({ code: 'usage' }));
    expect(() => dataFolder(io)).toThrow('There is no home folder');
  });
});

describe('the home folder', () => {
  const homeOf = (env: NodeJS.ProcessEnv, userInfo: () => object) =>
    systemIo({ ...process, env, cwd: process.cwd, getBuiltinModule: () => ({ userInfo }) } as never)
      .homeFolder;
  const known = () => ({ homedir: '/home/known' });
  const unknown = () => {
    throw new Error('uv_os_get_passwd returned ENOENT');
  };

  it.each<[string, NodeJS.ProcessEnv, () => object, string | undefined]>([
    ['is HOME', { HOME: '/home/ana' }, known, '/home/ana'],
    ['is that of the user if HOME is not set', {}, known, '/home/known'],
    ['is that of the user if HOME is empty', { HOME: '' }, known, '/home/known'],
    ['is that of the user if HOME is relative', { HOME: '.' }, known, '/home/known'],
    ['is unknown for a user that the system does not know', {}, unknown, undefined],
  ])('%s', (_title, env, userInfo, home) => {
    expect(homeOf(env, userInfo)).toBe(home);
  });
});

describe('a command without a home folder', () => {
  let service: SharedService;
  let machine: Machine;
  beforeEach(async () => {
    service = await openSharedService({ clients: 300 });
    const env = { SALON_BASE_URL: service.origin, SALON_API_KEY: service.keys.owner };
    machine = createMachine({ env, isHomeless: true });
  });
  afterEach(async () => {
    machine[Symbol.dispose]();
  });

  it('lists and exports, says what it cannot store, and leaves the working folder alone', async () => {
    const listed = await machine.salon(['clients', 'list', '--json']);
    expect(listed.exitCode, listed.stderr).toBe(0);
    expect(JSON.parse(listed.stdout)).toHaveLength(300);
    expect(listed.stderr).toMatch(
      /^warning: The rate limit is not shared with other processes: HOME is not set/,
    );
    expect(readdirSync(machine.home)).toEqual([]);
    const exported = await machine.salon(['clients', 'list', '-o', 'clients.csv']);
    expect(exported.exitCode, exported.stderr).toBe(0);
    expect(exported.stderr).toContain('This export cannot be resumed: There is no home folder');
    expect(readdirSync(machine.home)).toEqual(['clients.csv']);
  });

  it.each([
    ['auth login', 'SALON_CONFIG_DIR'],
    ['profiles list', 'SALON_CONFIG_DIR'],
    ['jobs list', 'SALON_DATA_DIR'],
    ['clients delete --file -', 'SALON_DATA_DIR'],
  ])('that has to store something is refused: salon %s', async (line, variable) => {
    const ran = await machine.salon(line.split(' '), { stdin: 'id\ncli_1\n' });
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toMatch(/error: There is no home folder to store anything in: HOME is not set\./);
    expect(ran.stderr).toContain(`or set ${variable} to a folder`);
    expect(readdirSync(machine.home)).toEqual([]);
  });
});
