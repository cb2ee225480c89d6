import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createMachine } from '../../support/io.ts';

let requests: string[] = [];
const own = await listen('own');
const other = await listen('other');
const machine = createMachine();
afterAll(() => {
  for (const { server } of [own, other]) server.close();
  machine[Symbol.dispose]();
});
beforeEach(() => {
  requests = [];
});

const folder = join(machine.home, 'conf');
const SALON_CONFIG_DIR = folder;
mkdirSync(folder, { mode: 0o700 });
writeFileSync(
  join(folder, 'config.json'),
  JSON.stringify({
    profiles: {
      full: { base_url: own.url, credential: { key: 'k-own', origin: own.url } },
      keyless: { base_url: own.url },
      'signed-in': { base_url: own.url },
    },
  }),
);
chmodSync(join(folder, 'config.json'), 0o600);

const elsewhere = { SALON_BASE_URL: other.url, SALON_API_KEY: 'k-env' };
const get = ['api', 'GET', '/clients'];
const both = 'SALON_BASE_URL, SALON_API_KEY';

describe('--profile decides the salon', () => {
  it.each<[string, string, object, string[], string[], string | undefined]>([
    ['its URL and key win over those of the environment', 'full', elsewhere, [], ['own k-own'], both],
    ['its key wins', 'full', { SALON_API_KEY: 'k-env' }, [], ['own k-own'], 'SALON_API_KEY'],
    ['its URL wins', 'full', { SALON_BASE_URL: other.url }, [], ['own k-own'], 'SALON_BASE_URL'],
    [
      'a key of the environment is used if it has none',
      'keyless',
      { SALON_API_KEY: 'k-env' },
      [],
      ['own k-env'],
      undefined,
    ],
    [
      'the same URL is not passed over',
      'keyless',
      { SALON_BASE_URL: own.url, SALON_API_KEY: 'k-env' },
      [],
      ['own k-env'],
      undefined,
    ],
    ['a key for elsewhere is not used', 'keyless', elsewhere, [], [], both],
    [
      'a key does not go to the URL of a flag',
      'keyless',
      { SALON_API_KEY: 'k-env' },
      ['--base-url', other.url],
      [],
      'SALON_API_KEY',
    ],
    ['its key does not go to the URL of a flag', 'full', {}, ['--base-url', other.url], [], undefined],
    [
      'headers for elsewhere are not sent',
      'full',
      { SALON_BASE_URL: other.url, SALON_HEADERS: 'x-gate: k-gate' },
      [],
      ['own k-own'],
      'SALON_BASE_URL, SALON_HEADERS',
    ],
    [
      'the dialect is its own',
      'full',
      { SALON_DIALECT: 'django', SALON_DIALECT_PREFIX: '/x' },
      [],
      ['own k-own'],
      'SALON_DIALECT, SALON_DIALECT_PREFIX',
    ],
  ])('%s', async (_what, profile, variables, flags, sent, named) => {
    const env = { SALON_CONFIG_DIR, ...variables };
    const ran = await machine.salon(['-p', profile, ...flags, ...get], { env });
    expect(requests, ran.stderr).toEqual(sent);
    expect(ran.exitCode).toBe(sent.length === 0 ? 4 : 0);
    const warning = `warning: --profile ${profile} decides the salon; not used: ${named}.\n`;
    if (named === undefined) expect(ran.stderr).not.toContain('decides the salon');
    else expect(ran.stderr).toContain(warning);
  });

  it('so that nobody is told to set the key that is not used', async () => {
    const keyless = await machine.salon(['-p', 'keyless', ...get], {
      env: { SALON_CONFIG_DIR, ...elsewhere },
    });
    expect(keyless.stderr).toContain("SALON_API_KEY is sent to the profile's own base URL only");
    expect(keyless.stderr).not.toContain('or set SALON_API_KEY');
  });

  it('but SALON_PROFILE does not: the other variables win over it', async () => {
    await machine.salon(get, { env: { SALON_CONFIG_DIR, SALON_PROFILE: 'full', ...elsewhere } });
    expect(requests).toEqual(['other k-env']);
  });

  it('and auth login keeps to it, with its own dialect and no headers for elsewhere', async () => {
    const env = { SALON_CONFIG_DIR, ...elsewhere, SALON_HEADERS: 'x-gate: k', SALON_DIALECT: 'django' };
    const login = (argv: readonly string[]) =>
      machine.salon(['auth', 'login', '--with-key', ...argv], { env, stdin: 'k-new' });
    const ran = await login(['-p', 'signed-in']);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(new Set(requests)).toEqual(new Set(['own k-new']));
    const passedOver = 'SALON_BASE_URL, SALON_API_KEY, SALON_HEADERS, SALON_DIALECT';
    expect(ran.stderr).toContain(`warning: --profile signed-in decides the salon; not used: ${passedOver}.`);
    expect(ran.stderr).toContain(
      `SALON_BASE_URL is set, so commands without --profile connect to ${other.url}.`,
    );
    expect(ran.stderr).toContain('To use it, add -p signed-in, or unset');
    const saved = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')).profiles['signed-in'];
    expect(saved).toMatchObject({ base_url: own.url, credential: { key: 'k-new', origin: own.url } });
    expect(saved.dialect).toBeUndefined();
    // A profile that is not there yet is made of what the environment says.
    requests = [];
    await login(['-p', 'new']);
    expect(new Set(requests)).toEqual(new Set(['other k-new with the header']));
  });

  it('and profiles show says what counts', async () => {
    const env = { SALON_CONFIG_DIR, ...elsewhere };
    const { stdout } = await machine.salon(['-p', 'full', 'profiles', 'show', '-f', 'ndjson'], { env });
    expect(stdout).toContain(`{"setting":"base_url","value":"${own.url}","from":"profile"}`);
    expect(stdout).toMatch(/\{"setting":"key","value":"[^"]+","from":"profile"\}/);
  });
});

async function listen(name: string) {
  const server = createServer(({ headers }, response) => {
    const gate = headers['x-gate'] === undefined ? '' : ' with the header';
    requests.push(`${name} ${headers.authorization?.replace('Bearer ', '')}${gate}`);
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end('{"data":[],"pagination":{"page":1,"per_page":200,"total":0}}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
