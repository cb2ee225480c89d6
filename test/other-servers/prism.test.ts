import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findFreePort } from '../support/free-port.ts';
import { createMachine, type Machine } from '../support/io.ts';
import { openTestService } from '../support/service.ts';
import { isLong } from '../support/speed.ts';
import { writeProfile } from './machine.ts';
import { installNpmPackages, startProcess } from './real-server.ts';

/**
 * Prism answers with examples made from our own /openapi.json, and refuses bodies that do not fit it. It keeps nothing, so
 * a write cannot be read back, no answer is what was asked for, and its lists contradict themselves.
 */
describe.runIf(isLong)('@stoplight/prism-cli@5.16.0 with our API description', () => {
  let origin: string;
  const stack = new AsyncDisposableStack();
  let machine: Machine;

  beforeAll(async () => {
    await using service = await openTestService();
    const document = await (await fetch(`${service.origin}/openapi.json`)).text();
    const folder = stack.use(await installNpmPackages('@stoplight/prism-cli@5.16.0'));
    await writeFile(join(folder.path, 'openapi.json'), document);
    const port = await findFreePort();
    const program = join('node_modules', '@stoplight/prism-cli/dist/index.js');
    const argv = [program, 'mock', '--port', String(port), '--host', '127.0.0.1', 'openapi.json'];
    stack.use(await startProcess(folder, { program: process.execPath, argv, port }));
    origin = `http://127.0.0.1:${port}`;
  }, 300_000);
  afterAll(() => stack.disposeAsync());
  beforeEach(() => {
    machine = createMachine({ env: { SALON_DATA_DIR: 'data', SALON_CONFIG_DIR: 'config' } });
    writeProfile(machine, origin, { prefix: '' });
    return () => machine[Symbol.dispose]();
  });

  it('takes a new client that fits', async () => {
    const argv = ['clients', 'create', '--set', 'first_name=string', '--allow-duplicate', '--json'];
    const ran = await machine.salon(argv);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({ first_name: 'string' });
  });

  it.each([
    ['clients get cli_01jd0000000000000000000000 --no-history', 'client string instead of client cli_01jd'],
    [
      'clients update cli_01jd0000000000000000000000 --set notes=x',
      'client string instead of client cli_01jd',
    ],
    ['clients delete cli_01jd0000000000000000000000 --yes', 'client string instead of client cli_01jd'],
    ['clients create --set first_name=Nova --allow-duplicate', 'but first_name of client string is "string"'],
  ])('takes no example for an answer: salon %s', async (line, message) => {
    const ran = await machine.salon(line.split(' '));
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ran.stderr).toContain(message);
  });

  it.each([
    ['a list, whose total is 0 although it has a row, and whose pages are all the same', ''],
    ['a list with a search and an order', '--search string --sort=-created_at'],
  ])('does not pass for a whole list: %s', async (_what, flags) => {
    const argv = `clients list ${flags} -o clients.json`.trim().split(/ +/);
    const ran = await machine.salon(argv);
    expect(ran).toMatchObject({ stdout: '' });
    expect([1, 3]).toContain(ran.exitCode);
    expect(ran.stderr).toContain('repeats the page before it');
    expect(existsSync(join(machine.home, 'clients.json'))).toBe(false);
  });

  it('refuses what does not fit', async () => {
    const ran = await machine.salon(['clients', 'create', '--set', 'shoe_size:=38', '--json']);
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
  });
});
