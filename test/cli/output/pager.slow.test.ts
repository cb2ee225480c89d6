import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { choosePager } from '../../../src/cli/output/destination.ts';
import { type ExportServer, openExportServer } from '../../support/export-server.ts';
import { createMachine, type Machine, type RunOptions } from '../../support/io.ts';
import { hang } from '../../support/misbehaving-server.ts';

let machine: Machine;
let server: ExportServer;
let env: Readonly<Record<string, string>>;

beforeEach(async () => {
  machine = createMachine();
  server = await openExportServer({ rows: 450, perPage: 20 });
  env = {
    SALON_BASE_URL: server.origin,
    SALON_API_KEY: 'k',
    SALON_HEADERS: 'X-Gateway: g',
    PATH: process.env['PATH'] ?? '',
  };
});
afterEach(async () => {
  machine[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

/** Lists the clients on a terminal of 24 lines. */
function list(pager: string, { flags = '', ...world }: RunOptions & { readonly flags?: string } = {}) {
  const argv = `clients list -c id,first_name ${flags}`.trim().split(' ');
  return machine.salon(argv, {
    columns: 80,
    rows: 24,
    ...world,
    env: { ...env, PAGER: pager, ...world.env },
  });
}

const seenPath = () => join(machine.home, 'seen');
const keep = () => `cat > ${seenPath()}`;
const seen = () => readFileSync(seenPath(), 'utf8');

describe('a table longer than the screen', () => {
  it('goes through the pager completely', async () => {
    const ran = await list(keep());
    expect(ran).toMatchObject({ exitCode: 0, stdout: '' });
    expect(seen().split('\n')).toHaveLength(452);
  });

  it('gives the pager only the variables that it needs', async () => {
    const secrets = { SALON_SECRETS_KEY: 's', PGPASSWORD: 'p', AWS_SECRET_ACCESS_KEY: 'a' };
    const wanted = {
      HOME: '/home/ana',
      LANG: 'C.UTF-8',
      LC_ALL: 'C',
      TERM: 'xterm',
      LESSCHARSET: 'utf-8',
      TZ: 'UTC',
    };
    const ran = await list(`env > ${seenPath()}; cat > /dev/null`, { env: { ...secrets, ...wanted } });
    expect(ran.exitCode).toBe(0);
    const names = seen()
      .split('\n')
      .flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? []);
    // The shell adds some of its own.
    const others = names.filter(
      (name) => !['PWD', 'OLDPWD', 'SHLVL', '_', 'LESS', 'LESSSECURE', 'LV'].includes(name),
    );
    expect(others.toSorted()).toEqual([...Object.keys(wanted), 'PAGER', 'PATH'].toSorted());
  });

  it('is counted after the pager ends', async () => {
    const { stderr } = await list(keep(), { flags: '--limit 40' });
    expect(stderr).toBe('40 of 450 clients\n');
  });

  it('stops when the pager is closed', async () => {
    server.rows = server.rows.map((row) => ({ ...row, first_name: 'n'.repeat(30_000) }));
    const ran = await list(`"${process.execPath}" -e 0`, { columns: 40_000 });
    expect(ran).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(server.received.length).toBeLessThan(14);
  });

  it('ends with the pager while the server is slow', async () => {
    server.instead = (page) => (page > 2 ? hang : undefined);
    const ran = await list('head -1 > /dev/null');
    expect(ran).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });

  it('is shown up to the page that fails', async () => {
    server.rows = [...server.rows.slice(0, 50), null as never];
    const ran = await list(keep());
    expect({ ...ran, lines: seen().split('\n').length }).toMatchObject({
      exitCode: 1,
      stdout: '',
      lines: 42,
    });
  });

  it.each(['no-such-pager', 'no-such-pager -x', '/'])(
    'is printed straight, with a warning, where the pager is %s',
    async (pager) => {
      const { exitCode, stdout, stderr } = await list(pager);
      expect({ exitCode, lines: stdout.split('\n').length }).toEqual({ exitCode: 0, lines: 452 });
      expect(stderr).toBe(
        `warning: Could not start the pager "${pager}". Set PAGER to another one, or use --no-pager.\n`,
      );
    },
  );

  it.each([
    [
      'keeps colours and the screen, says how to leave, and writes no files',
      {},
      '-FRXK -Ps?e(END) :Space for more, .q leaves$ -c 1',
    ],
    ['gets the options of the environment', { LESS: 'S', LV: '-d', LESSSECURE: '0' }, 'S -d 0'],
  ])('less %s', async (_what, own, asked) => {
    await list(`echo "$LESS $LV $LESSSECURE" > ${seenPath()}; cat > /dev/null`, { env: own });
    expect(seen()).toBe(`${asked}\n`);
  });
});

describe('no pager is started', () => {
  it.each<[string, Parameters<typeof list>[1]]>([
    ['for output that fits on the screen', { flags: '--limit 22' }],
    ['with --no-pager', { flags: '--no-pager' }],
    ['in CI', { env: { CI: '1' } }],
    ['on a dumb terminal', { env: { TERM: 'dumb' } }],
    ['for JSON', { flags: '--json' }],
    ['for CSV', { flags: '-f csv' }],
    ['for a file', { flags: '-o clients.csv' }],
  ])('%s', async (_where, world) => {
    const { exitCode } = await list(keep(), world);
    expect({ exitCode, isPaged: existsSync(seenPath()) }).toEqual({ exitCode: 0, isPaged: false });
  });
});

describe('the pager', () => {
  const terminal = { input: true, output: true, messages: true, columns: 80, rows: 24 };
  it.each([
    ['less by default', {}, 'linux', 'less'],
    ['none on Windows by default', {}, 'win32', undefined],
    ['the one in PAGER', { PAGER: 'more' }, 'win32', 'more'],
    ['none if PAGER is empty', { PAGER: '' }, 'linux', undefined],
    ['none if PAGER is cat', { PAGER: 'cat' }, 'linux', undefined],
    ['none in CI', { CI: 'true' }, 'linux', undefined],
    ['less where CI is turned off', { CI: 'false' }, 'linux', 'less'],
  ] as const)('is %s', (_what, own, platform, command) => {
    expect(choosePager({ env: own, platform, terminal }, undefined)).toBe(command);
  });

  it('is none in a pipe', () => {
    const pipe = { ...terminal, output: false };
    expect(
      choosePager({ env: { PAGER: 'less' }, platform: 'linux', terminal: pipe }, undefined),
    ).toBeUndefined();
  });
});
