import { describe, expect, it } from 'vitest';
import { createApiKey } from '../../../src/service/identity/api-keys.ts';
import { openCredentials } from '../../../src/service/identity/credentials.ts';
import { createOauthClient } from '../../../src/service/identity/oauth-clients.ts';
import { till } from '../../support/api-keys.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';

describe('a key limited to addresses', () => {
  const readFrom = async (salon: TestSalon, key: string, address: string | null) => {
    const credentials = openCredentials({
      database: salon.store.database,
      environment: salon.environment,
    });
    return credentials.read(key, { requestId: 'req_1', address });
  };

  it.each(['203.0.113.7', '203.0.113.255', '2001:db8:1::5', '198.51.100.1'])(
    'works from %s',
    async (address) => {
      await using salon = await openTestSalon();
      const allowed_addresses = ['203.0.113.5/24', '2001:db8::/32', '::ffff:198.51.100.1'];
      const { key } = await createApiKey(salon.as(), { ...till, allowed_addresses });
      expect((await readFrom(salon, key, address)).role).toBe('receptionist');
    },
  );

  it.each(['203.0.114.1', '2001:db9::1', '198.51.100.2', null])('is refused from %s', async (address) => {
    await using salon = await openTestSalon();
    const allowed_addresses = ['203.0.113.5/24', '2001:db8::/32', '198.51.100.1'];
    const { key } = await createApiKey(salon.as(), { ...till, allowed_addresses });
    await expect(readFrom(salon, key, address)).rejects.toMatchObject({
      code: 'address_not_allowed',
      message: `This API key may not be used from ${address ?? 'an unknown address'}.`,
    });
  });

  it('adds no app, which would work from everywhere', async () => {
    await using salon = await openTestSalon();
    const body = { name: 'Till', role: 'owner' as const, allowed_addresses: ['203.0.113.5'] };
    const { key } = await createApiKey(salon.as(), body);
    const caller = await readFrom(salon, key, '203.0.113.5');
    const app = { name: 'Everywhere', flows: ['client_credentials'], role: 'owner' } as const;
    await expect(
      createOauthClient({ ...salon.as(), caller }, { ...app, flows: [...app.flows] }),
    ).rejects.toMatchObject({
      code: 'permission_denied',
      message: 'This needs a person, or an API key without restricted scopes or addresses.',
    });
  });
});

it.each(['\u200b', ' \u2060\u00a0', '\u00ad'])(
  'a key has no name of invisible characters alone',
  async (name) => {
    await using salon = await openTestSalon();
    await expect(createApiKey(salon.as(), { ...till, name })).rejects.toMatchObject({
      code: 'validation_failed',
    });
  },
);
