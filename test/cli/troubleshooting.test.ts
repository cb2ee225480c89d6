import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type Authority, createAuthority } from '../support/certificates.ts';
import { type EditWorld, openEditWorld } from '../support/edit-world.ts';
import { readHar } from '../support/har.ts';
import { createMachine } from '../support/io.ts';
import { body, hang, html, json, openMisbehavingServer, reset } from '../support/misbehaving-server.ts';
import { openTlsServer } from '../support/tls-server.ts';

let world: EditWorld;
let authority: Authority;
beforeAll(async () => {
  world = await openEditWorld({ clients: 40, appointments: 60 });
  authority = createAuthority();
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  authority[Symbol.dispose]();
});

/** The parts of the log, without the messages for people. */
function logOf(stderr: string): string {
  return stderr.match(/^[→←✗].*(?:\n {4}.*|\n(?=\n {4}))*/gm)?.join('\n') ?? '';
}

/** Whole words only: `Ana` is not in `analysis`. */
function isShown(text: string, value: string): boolean {
  const escaped = value.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\d])${escaped}(?![\\p{L}\\d])`, 'u').test(text);
}

describe('--debug and --trace', () => {
  it('show neither the key nor a name, e-mail address or phone number of the salon', async () => {
    const key = world.service.keys.owner;
    const clients = await world.clients();
    const fields = ['first_name', 'last_name', 'email', 'phone', 'notes', 'birthday'];
    const people = clients.flatMap((client) => fields.map((field) => client[field]));
    const values = people.filter((value): value is string => typeof value === 'string' && value.length > 1);
    expect(values.length).toBeGreaterThan(100);
    const [first] = clients;
    const commands = [
      ['clients', 'list'],
      ['clients', 'list', '--search', String(first?.['first_name'])],
      ['clients', 'list', '--email', String(first?.['email'] ?? 'ana@example.com')],
      ['clients', 'get', String(first?.id)],
      ['clients', 'get', String(first?.['first_name'])],
      ['clients', 'update', String(first?.id), '--set', `notes=for ${first?.['last_name']}`],
      ['clients', 'update', String(first?.id), '--set', `birthday=${first?.['last_name']}`],
      ['clients', 'create', '--set', `email=${first?.['first_name']}`],
      ['appointments', 'list'],
      ['stylists', 'list'],
      ['payments', 'list'],
      ['api', 'POST', '/clients', '--data', JSON.stringify({ vorname: first?.['first_name'], email: 3 })],
    ];
    for (const command of commands) {
      const ran = await world.salon([...command, '--debug', '--trace', 'trace.har']);
      const log = logOf(ran.stderr);
      const har = world.readText('trace.har');
      expect(log).toContain('← ');
      expect(readHar(world.pathOf('.')).length).toBeGreaterThan(0);
      for (const text of [log, har]) {
        expect(text).not.toContain(key.slice(0, 12));
        expect(values.filter((value) => isShown(text, value))).toEqual([]);
      }
    }
  });

  it('show people with --no-mask, and still not the key', async () => {
    const [first] = await world.clients();
    const ran = await world.salon(['clients', 'list', '--debug', '--trace', 'trace.har', '--no-mask']);
    for (const text of [logOf(ran.stderr).replaceAll('\n    ', ''), world.readText('trace.har')]) {
      expect(text).toContain(first?.['last_name']);
      expect(text).not.toContain(world.service.keys.owner.slice(0, 12));
    }
  });

  it('show no key that the server repeats, also with --no-mask', async () => {
    const key = 'opaque-key-0123456789abcdef';
    await using server = await openMisbehavingServer(({ path }) =>
      json({ id: key, path, token: key }, { headers: { location: `/x?key=${key}`, 'x-echo': key } }),
    );
    using machine = createMachine({ env: { SALON_BASE_URL: server.origin, SALON_API_KEY: key } });
    const argv = ['api', 'PUT', `/clients/${key}?api_key=${key}`, '--data', JSON.stringify({ secret: key })];
    const ran = await machine.salon([...argv, '--debug', '--trace', 'trace.har', '--no-mask']);
    expect(readHar(machine.home)).toHaveLength(1);
    const har = readFileSync(join(machine.home, 'trace.har'), 'utf8');
    for (const text of [logOf(ran.stderr), har]) expect(text).not.toContain('opaque-key');
  });

  it('show the phases of a request, those of connecting only where it connected', async () => {
    await using server = await openTlsServer(authority.issue('local', { names: ['DNS:localhost'] }));
    using machine = createMachine({
      env: { SALON_BASE_URL: `https://localhost:${server.port}`, SALON_API_KEY: 'key' },
    });
    const argv = [
      'clients',
      'update',
      'cli_1',
      '--set',
      'notes=',
      '--ca-file',
      authority.file,
      '--concurrency',
      '1',
    ];
    const ran = await machine.salon([...argv, '--debug', '--trace', 'trace.har']);
    expect(ran).toMatchObject({ exitCode: 0 });
    const [first, second] = readHar(machine.home);
    expect(first?.timings).toMatchObject({ dns: expect.any(Number), connect: expect.any(Number) });
    for (const phase of ['dns', 'connect', 'ssl']) {
      expect(first?.timings[phase]).toBeGreaterThan(0);
      expect(second?.timings[phase]).toBe(-1);
    }
    expect(second?.timings['wait']).toBeGreaterThan(0);
    expect(second?.serverIPAddress).toMatch(/^127\.0\.0\.1$|^::1$/);
    expect(ran.stderr).toMatch(
      /ms: (?:waited [\d.]+, )?DNS [\d.]+, connect [\d.]+, TLS [\d.]+, first byte [\d.]+, body/,
    );
  });

  it('cut a long body in the log and keep it in the trace', async () => {
    const rows = Array.from({ length: 400 }, (_, index) => ({ id: `cli_${index}`, status: 'x'.repeat(60) }));
    await using server = await openMisbehavingServer(() => json({ data: rows }));
    using machine = createMachine({ env: { SALON_BASE_URL: server.origin, SALON_API_KEY: 'key' } });
    const ran = await machine.salon(['api', 'GET', '/clients', '--debug', '--trace', 'trace.har']);
    expect(ran.stderr).toMatch(/\(\d+ more characters; --trace saves them\)/);
    expect(logOf(ran.stderr).length).toBeLessThan(13_000);
    expect(readHar(machine.home)[0]?.response.content.text).toBe(JSON.stringify({ data: rows }));
  });
});

describe('--trace', () => {
  test.each([
    ['no response', reset, 5, 0],
    ['a page of a gateway', html('Bad gateway for Ana', { status: 502 }), 5, 502],
    ['a redirect', body('', { status: 302, headers: { location: 'https://sso.test/Ana' } }), 1, 302],
    ['a body that is cut', body('{"data":[', { headers: { 'content-type': 'application/json' } }), 5, 0],
  ])('is complete when the command fails: %s', async (_what, reply, exitCode, status) => {
    await using server = await openMisbehavingServer(() => reply);
    using machine = createMachine({ env: { SALON_BASE_URL: server.origin, SALON_API_KEY: 'key' } });
    const ran = await machine.salon(['clients', 'list', '--retries', '0', '--trace', 'trace.har']);
    expect(ran.exitCode).toBe(exitCode);
    const [entry] = readHar(machine.home);
    expect(entry?.response.status).toBe(status);
    if (status !== 502) expect(entry?._error).toMatch(/./);
    expect(readFileSync(join(machine.home, 'trace.har'), 'utf8')).not.toContain('Ana');
  });

  it('is complete when the command is interrupted', async () => {
    await using server = await openMisbehavingServer(() => hang);
    using machine = createMachine({ env: { SALON_BASE_URL: server.origin, SALON_API_KEY: 'key' } });
    const interrupt = new AbortController();
    const ran = await machine.salon(
      ['clients', 'list', '--debug', '--timeout', '1s', '--trace', 'trace.har'],
      {
        signal: interrupt.signal,
        watch: ({ stderr }) => stderr.includes('→') && interrupt.abort('SIGINT'),
      },
    );
    expect(ran.exitCode).toBe(130);
    expect(readHar(machine.home)).toMatchObject([{ request: { method: 'GET' }, response: { status: 0 } }]);
  });

  it('is readable for its owner only, also where it replaces a file', async () => {
    writeFileSync(world.pathOf('old.har'), 'old');
    chmodSync(world.pathOf('old.har'), 0o644);
    await world.salon(['clients', 'list', '--trace', 'old.har']);
    expect(statSync(world.pathOf('old.har')).mode & 0o777).toBe(0o600);
    expect(readHar(world.pathOf('.'), 'old.har').length).toBeGreaterThan(0);
  });

  it('is refused for the file of --output, and for what is no file', async () => {
    const same = await world.salon(['clients', 'list', '-o', 'same.csv', '--trace', './same.csv']);
    expect(same).toMatchObject({
      exitCode: 2,
      stderr: 'error: --trace and --output need different files.\n',
    });
    for (const path of ['-', '/dev/null']) {
      const ran = await world.salon(['clients', 'list', '--trace', path]);
      expect(ran).toMatchObject({ exitCode: 2, stderr: `error: --trace needs a file, not ${path}.\n` });
    }
  });

  it('is refused before anything is sent if it cannot be written', async () => {
    await using server = await openMisbehavingServer(() =>
      json({ data: [], pagination: { page: 1, per_page: 1, total: 0 } }),
    );
    using machine = createMachine({ env: { SALON_BASE_URL: server.origin, SALON_API_KEY: 'key' } });
    const ran = await machine.salon(['clients', 'list', '--trace', 'missing/trace.har']);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain('No folder missing for --trace missing/trace.har.');
    expect(server.received).toEqual([]);
  });
});
