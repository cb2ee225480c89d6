import { describe, expect, it } from 'vitest';
import { createWebhook, rotateWebhookSecret, updateWebhook } from '../../../src/service/domain/webhooks.ts';
import { createMachine } from '../../support/io.ts';
import { openTestSalon } from '../../support/salon.ts';

it('salon server keys list shows API keys and webhook secrets, never the secrets themselves', async () => {
  await using salon = await openTestSalon();
  using machine = createMachine();
  const list = async (flags = '') => {
    const argv = `server keys list --database ${salon.store.file} ${flags}`.trim().split(' ');
    const ran = await machine.salon(argv, { now: salon.environment.now() });
    expect(ran.exitCode, ran.stderr).toBe(0);
    return ran.stdout;
  };
  const create = '--role viewer --name till --expires never';
  await machine.salon(`server keys create --database ${salon.store.file} ${create}`.split(' '));
  const { id, secret } = await createWebhook(salon.as(), { url: 'https://shop.example/hook' });
  const { secret: rotated } = await rotateWebhookSecret(salon.as(), id);
  await updateWebhook(salon.as(), id, { change: { active: false }, ifMatch: undefined });
  const shown = await list('--json');
  expect(JSON.parse(shown)).toMatchObject([
    { kind: 'api_key', name: 'till', role: 'viewer', status: 'active', last_used_at: null },
    { kind: 'webhook_secret', id, name: 'https://shop.example/hook', status: 'disabled', expires_at: null },
    { kind: 'webhook_secret', id, expires_at: expect.any(String), last_used_at: null },
  ]);
  for (const text of [secret, rotated, 'whsec_']) expect(shown).not.toContain(text);
  // The columns of earlier versions keep their places.
  expect((await list()).split('\n')[0]).toMatch(
    /^id\tname\tprefix\trole\t.*\treplaced_by\tkind\tcreated_with\tcreated_keys$/,
  );
});

describe('salon server keys create', () => {
  it('limits a key to the stylist with a name', async () => {
    await using salon = await openTestSalon();
    using machine = createMachine();
    const id = await salon.addStylist({ display_name: 'Mia' });
    const create = `server keys create --name k --role stylist --database ${salon.store.file} --stylist mia --json`;
    const made = await machine.salon(create.split(' '), { now: salon.environment.now() });
    expect(JSON.parse(made.stdout)).toMatchObject({ stylist_id: id, account_id: salon.accountId });
  });

  it.each([
    ['--role stylist', 'An API key with the role stylist needs a stylist.'],
    ['--role viewer --stylist mia', 'An API key with the role viewer cannot be limited to a stylist.'],
    ['--role stylist --stylist zoe', 'The account has no stylist "zoe".'],
  ])('refuses %s', async (flags, message) => {
    await using salon = await openTestSalon();
    using machine = createMachine();
    const create = `server keys create --name k --database ${salon.store.file} ${flags}`;
    const ran = await machine.salon(create.split(' '), { now: salon.environment.now() });
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
  });
});
