import { describe, expect, it } from 'vitest';
import { contractDialect, type Dialect } from '../../../src/client/dialect/dialect.ts';
import { presets } from '../../../src/client/dialect/presets.ts';
import { parseItemPath, toServerPath } from '../../../src/client/dialect/record-form.ts';

describe('a server’s path', () => {
  it.each<[string, string, Partial<Dialect>, string]>([
    ['/clients', '', {}, '/clients'],
    ['/clients/:id', 'cli_1', {}, '/clients/cli_1'],
    ['/appointments/:id/cancel', 'apt_1', {}, '/appointments/apt_1/cancel'],
    ['/webhooks/event-types', '', presets.django, '/webhooks/event-types'],
    ['/clients', '', presets.stripe, '/customers'],
    ['/payments/:id/refunds', 'pi_1', presets.stripe, '/payment_intents/pi_1/refunds'],
    ['/clients/:id', '7', presets.django, '/clients/7/'],
    ['/clients/:id', '7', presets.postgrest, '/clients?id=eq.7'],
    ['/clients/:id', '7', presets.odata, '/Clients(7)'],
    ['/clients/:id', 'ANATR', presets.odata, "/Clients('ANATR')"],
    ['/clients/:id', 'a b', {}, '/clients/a%20b'],
    ['/clients/:id', '7&or=(id.gt.0)', presets.postgrest, '/clients?id=eq.7%26or%3D(id.gt.0)'],
    ['/clients/:id', "O'Neill $&", presets.odata, "/Clients('O''Neill%20%24%26')"],
  ])('for %s with ID "%s" follows the dialect', (path, id, dialect, expected) => {
    expect(toServerPath(path, { ...contractDialect, ...dialect }, id)).toBe(expected);
  });
});

describe('the address of a record', () => {
  it.each<[string, Partial<Dialect>, string | undefined]>([
    ['https://x.test/api/v1/clients/cli_1', {}, 'cli_1'],
    ['/clients/a%20b/?version=2', {}, 'a b'],
    ['/api/clients/7/', presets.django, '7'],
    ["https://x.test/odata/Clients('ANATR')", presets.odata, 'ANATR'],
    ['https://x.test/odata/Clients(7)', presets.odata, '7'],
    ['/clients?id=eq.7', presets.postgrest, '7'],
    ['/clients?id=gt.7', presets.postgrest, undefined],
    ['/', {}, undefined],
  ])('%s has an ID in the form of the dialect', (address, dialect, id) => {
    expect(parseItemPath(address, { ...contractDialect, ...dialect })).toBe(id);
  });
});
