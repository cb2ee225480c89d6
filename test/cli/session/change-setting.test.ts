import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMachine, type Machine } from '../../support/io.ts';

let machine: Machine;
beforeEach(async () => {
  machine = createMachine();
  const argv = ['auth', 'login', '--base-url', 'https://salon.test', '--no-verify'];
  await machine.salon(argv, { stdin: 'sk_test' });
});
afterEach(() => machine[Symbol.dispose]());

const set = (...argv: string[]) => machine.salon(['profiles', 'set', 'default', ...argv]);
const file = () => join(machine.home, '.config/salon/config.json');
const saved = () => JSON.parse(readFileSync(file(), 'utf8')).profiles.default;

describe('profiles set', () => {
  it.each([
    ['dialect', 'spring', { extends: 'spring' }],
    ['dialect.page_parameter', 'p', { pageParameter: 'p' }],
    ['page-parameter', 'none', { pageParameter: null, paging: undefined }],
    ['first_page', '0', { firstPage: 0 }],
    ['partial_updates', 'true', { partialUpdates: true }],
    ['read_only_fields', 'a, b', { readOnlyFields: ['a', 'b'] }],
    ['filter.start_time_from', 'date_from', { filterNames: { start_time_from: 'date_from' } }],
    ['filter_names.q', 'none', { filterNames: { q: null } }],
    ['list_parameters', 'order=id.asc', { listParameters: { order: 'id.asc' } }],
    ['list_parameters.$count', 'true', { listParameters: { $count: 'true' } }],
    ['lists.appointments.page_parameter', 'none', { lists: { appointments: { pageParameter: null } } }],
    ['dialect.headers.X-Version', '2', { headers: { 'X-Version': '2' } }],
    ['paging', 'cursor', { paging: 'cursor' }],
  ])('saves %s %s', async (setting, value, dialect) => {
    expect((await set(setting, value)).stderr).toBe(
      `Profile default: ${setting.replace('page-p', 'page_p')} is ${value}.\n`,
    );
    expect({ paging: undefined, ...saved().dialect }).toEqual({ paging: undefined, ...dialect });
  });

  it('changes one filter of a ready-made dialect and keeps the others', async () => {
    await set('dialect', 'square');
    await set('filter.email', 'mail');
    expect(saved().dialect.filterNames).toMatchObject({ email: 'mail', client_id: 'customer_id' });
  });

  it('removes a setting with "default"', async () => {
    for (const [setting, value] of [
      ['timeout', '7s'],
      ['prefix', '/crm'],
      ['filter.q', 'find'],
      ['ca_file', 'ca.pem'],
    ]) {
      await set(setting ?? '', value ?? '');
    }
    for (const setting of ['timeout', 'prefix', 'filter_names', 'ca_file']) await set(setting, 'default');
    expect(Object.keys(saved())).toEqual(['base_url', 'credential']);
  });

  it.each([
    ['first_page', '2', /first_page.* must be a whole number from 0 to 1/],
    ['paging', 'pages', /paging.* must be one of page, offset/],
    ['prefix', '../x', /prefix.* must be a path such as \/api\/v1/],
    ['resources.clients', 'a b', /resources\.clients[^.]* must be an object/],
    ['prefix.x', 'y', /No setting "prefix\.x"/],
    ['page_paramter', 'p', /Did you mean page_parameter\?/],
    ['dialect', 'shopify', /neither a ready-made dialect nor a file/],
  ])('refuses %s %s', async (setting, value, message) => {
    const before = saved();
    const { exitCode, stderr } = await set(setting, value);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringMatching(message) });
    expect(saved()).toEqual(before);
  });

  it('keeps and shows what a newer version saved', async () => {
    const config = JSON.parse(readFileSync(file(), 'utf8'));
    config.profiles.default.dialect = { extends: 'spring', telepathy: true };
    writeFileSync(file(), JSON.stringify(config));
    await set('per_page', '9');
    expect(saved().dialect).toEqual({ extends: 'spring', telepathy: true, perPage: 9 });
    const { stdout } = await machine.salon(['profiles', 'show', '-f', 'csv']);
    expect(stdout).toContain('dialect,spring,profile\ndialect.prefix,');
    expect(stdout).toContain('dialect.per_page,9,profile');
  });
});
