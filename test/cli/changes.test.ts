import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMachine, type Machine } from '../support/io.ts';
import { openTestService, type TestService } from '../support/service.ts';

let service: TestService;
let machine: Machine;

beforeAll(async () => {
  service = await openTestService();
  const env = { SALON_BASE_URL: service.origin, SALON_API_KEY: service.keys.owner };
  machine = createMachine({ env });
});
afterAll(async () => {
  machine[Symbol.dispose]();
  await service[Symbol.asyncDispose]();
});

async function json(argv: readonly string[]): Promise<Record<string, unknown>[]> {
  const { stdout, stderr } = await machine.salon([...argv, '--json']);
  expect(stderr).not.toContain('error:');
  return JSON.parse(stdout);
}

async function addClient(name: string): Promise<string> {
  const made: unknown = await json(['clients', 'create', '--set', `first_name=${name}`]);
  return String(Object(made).id);
}

describe('salon changes', () => {
  it('has a row for each record, with all its changes as one', async () => {
    const id = await addClient('Ada');
    await machine.salon(['clients', 'update', id, '--set', 'notes=tea']);
    const other = await addClient('Bo');
    const made = (await json(['changes', '1h'])).filter(({ record_id }) =>
      [id, other].includes(String(record_id)),
    );
    expect(made.map(({ record, action, changes }) => [record, action, changes])).toEqual([
      ['Ada', 'client.created', ''],
      ['Bo', 'client.created', ''],
    ]);
    expect(made[0]?.['after']).toMatchObject({ first_name: 'Ada', notes: 'tea' });
    const since = new Date().toISOString();
    await machine.salon(['clients', 'update', id, '--set', 'notes=milk']);
    await machine.salon(['clients', 'update', id, '--set', 'notes=coffee', '--set', 'first_name=Ida']);
    await machine.salon(['clients', 'update', id, '--set', 'first_name=Ada']);
    await machine.salon(['clients', 'delete', other, '--yes']);
    const later = await json(['changes', since]);
    expect(later.map(({ record, action, changes }) => [record, action, changes])).toEqual([
      ['Ada', 'client.updated', 'notes: tea → coffee'],
      ['erased client', 'client.deleted', ''],
    ]);
  });

  it('goes on with --follow, and ends with an interrupt while it waits', async () => {
    const interrupt = new AbortController();
    const since = new Date().toISOString();
    await addClient('Cy');
    let written: Promise<unknown> | undefined;
    const { stdout, exitCode } = await machine.salon(['changes', since, '--follow'], {
      signal: interrupt.signal,
      watch: ({ stdout: text }) => {
        if (text.includes('Cy')) written ??= addClient('Di');
        if (text.includes('Di')) interrupt.abort('SIGINT');
      },
    });
    await written;
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map(({ record, action }) => [record, action])).toEqual([
      ['Cy', 'client.created'],
      ['Di', 'client.created'],
    ]);
    expect(exitCode).toBe(130);
  });

  it.each([
    ['2090-01-01', '2090-01-01 is in the future.'],
    ['someday', 'someday'],
  ])('refuses to start at %s', async (from, message) => {
    const { exitCode, stderr } = await machine.salon(['changes', from]);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
  });
});
