import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMachine, type Machine } from '../support/io.ts';
import { json, openMisbehavingServer } from '../support/misbehaving-server.ts';
import { openTestService } from '../support/service.ts';

const now = new Date('2026-11-21T12:30:00Z');
let machine: Machine;
beforeEach(() => {
  machine = createMachine({ now });
});
afterEach(() => machine[Symbol.dispose]());

describe('salon limits --by-key', () => {
  it('shows what uses the limit up, also when it is used up', async () => {
    await using service = await openTestService({ now: () => now, hourlyLimit: 40 });
    const { owner, viewer } = service.keys;
    const env = { SALON_BASE_URL: service.origin, SALON_API_KEY: owner, SALON_TIME_ZONE: 'Europe/Lisbon' };
    const show = (...flags: string[]) => machine.salon(['limits', '--by-key', ...flags], { env });
    const viewing = { env: { ...env, SALON_API_KEY: viewer } };
    await machine.salon(['api', 'GET', 'clients'], viewing);

    const { exitCode, stdout, stderr } = await show('-f', 'csv', '-c', 'name,kind,requests,percent');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: '2 of 40 requests this hour, which ends 2026-11-21 13:00 (Europe/Lisbon).\n',
    });
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      'name,kind,requests,percent',
      'owner,api_key,1,2.5',
      'viewer,api_key,1,2.5',
      'manager,api_key,0,0',
    ]);

    const statuses: (number | undefined)[] = [];
    do statuses.push((await machine.salon(['api', 'GET', 'clients', '--max-wait', '0s'], viewing)).exitCode);
    while (statuses.at(-1) === 0);
    expect(statuses.at(-1)).toBe(5);
    const used = await show('--json');
    expect(used.exitCode, used.stderr).toBe(0);
    expect(JSON.parse(used.stdout)).toMatchObject([
      { name: 'viewer', requests: 39, percent: 97.5, prefix: viewer.slice(0, 8) },
      { name: 'owner', requests: 1 },
      ...['manager', 'receptionist', 'stylist'].map((name) => ({ name, requests: 0 })),
    ]);
  });

  it('is for those who may list keys', async () => {
    await using service = await openTestService({ now: () => now });
    const env = { SALON_BASE_URL: service.origin, SALON_API_KEY: service.keys.receptionist };
    expect((await machine.salon(['limits', '--by-key'], { env })).exitCode).toBe(10);
  });

  it.each([
    ['sends nothing to a server of another kind', { SALON_DIALECT: 'laravel' }, 0],
    ['says so where the service does not count by key', {}, 1],
  ])('%s', async (_title, given, requests) => {
    await using server = await openMisbehavingServer(() =>
      json(
        { type: 'about:blank', status: 405, code: 'method_not_allowed' },
        { status: 405, headers: { 'content-type': 'application/problem+json' } },
      ),
    );
    const env = { SALON_BASE_URL: `${server.origin}/api/v1`, SALON_API_KEY: 'slk_test', ...given };
    const { exitCode, stderr } = await machine.salon(['limits', '--by-key'], { env });
    expect({ exitCode, requests: server.received.length }).toEqual({ exitCode: 1, requests });
    expect(stderr).toContain('error: This server does not support GET /api-keys/usage.\n');
  });
});
