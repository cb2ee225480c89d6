import { describe, expect, it } from 'vitest';
import { contractDialect, type Dialect } from '../../../src/client/dialect/dialect.ts';
import { presets } from '../../../src/client/dialect/presets.ts';
import { toServerPath } from '../../../src/client/dialect/resource-path.ts';

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
  ])('for %s with ID "%s" follows the dialect', (path, id, dialect, expected) => {
    expect(toServerPath(path, { ...contractDialect, ...dialect }, id)).toBe(expected);
  });
});
