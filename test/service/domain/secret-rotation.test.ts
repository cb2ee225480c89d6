import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { RecordRows } from '../../../src/service/db/record-rows.ts';
import type { Context } from '../../../src/service/domain/context.ts';
import { readSecretsStatus, rotateSecrets } from '../../../src/service/domain/secret-rotation.ts';
import { createWebhook, rotateWebhookSecret } from '../../../src/service/domain/webhooks.ts';
import { openSecrets, type SecretKeys } from '../../../src/service/secrets/secrets.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';

const url = 'https://shop.example/hook';
const key = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64');

function openKeys(salon: TestSalon, variable?: string): SecretKeys {
  const env = variable === undefined ? {} : { SALON_SECRETS_KEY: variable };
  return openSecrets({ location: salon.store.file, environment: { ...salon.environment, env } });
}

async function readSecrets({ store }: TestSalon, secrets: Context['secrets']): Promise<(string | null)[]> {
  const text = 'select * from webhooks order by seq';
  const rows = await store.database.reader.run<RecordRows['webhooks']>(text, []);
  return rows.flatMap(({ id, secret, former_secret }) =>
    [secret, former_secret].map((text) => text && secrets.open(text, `webhook_secret ${id}`)),
  );
}

/** A salon with two webhooks, one of them with two secrets. */
async function openSealedSalon() {
  const salon = await openTestSalon();
  const { secret: one } = await createWebhook(salon.as(), { url });
  const { id, secret: former } = await createWebhook(salon.as(), { url });
  const { secret: two } = await rotateWebhookSecret(salon.as(), id);
  return {
    salon,
    expected: [one, null, two, former],
    [Symbol.asyncDispose]: () => salon[Symbol.asyncDispose](),
  };
}

describe('a rotation', () => {
  it('seals every secret with a new key and removes the old one', async () => {
    await using sealed = await openSealedSalon();
    const { salon, expected } = sealed;
    const running = salon.as().secrets;
    const [before] = openKeys(salon).listIds();
    const rotation = await rotateSecrets(salon.store.database, salon.environment, openKeys(salon));
    expect(rotation).toMatchObject({
      source: `${salon.store.file}.key`,
      secrets: 3,
      resealed: 3,
      unreadable: 0,
    });
    expect(openKeys(salon).listIds()).toEqual([rotation.key]);
    expect(rotation.key).not.toBe(before);
    expect(await readSecrets(salon, openKeys(salon))).toEqual(expected);
    expect(await readSecrets(salon, running)).toEqual(expected);
  });

  it('uses the first key of the environment, and leaves no file', async () => {
    await using sealed = await openSealedSalon();
    const { salon, expected } = sealed;
    const variable = key();
    const keys = openKeys(salon, variable);
    expect(await rotateSecrets(salon.store.database, salon.environment, keys)).toMatchObject({
      ...{ source: 'SALON_SECRETS_KEY', key: keys.listIds()[0], resealed: 3 },
    });
    expect(existsSync(`${salon.store.file}.key`)).toBe(false);
    expect(await readSecrets(salon, openKeys(salon, variable))).toEqual(expected);
    expect(
      await rotateSecrets(salon.store.database, salon.environment, openKeys(salon, variable)),
    ).toMatchObject({
      resealed: 0,
    });
    const next = key();
    const both = openKeys(salon, `${next},${variable}`);
    expect(await rotateSecrets(salon.store.database, salon.environment, both)).toMatchObject({ resealed: 3 });
    expect(await readSecrets(salon, openKeys(salon, next))).toEqual(expected);
  });

  it('leaves secrets whose key is missing, and opens them once it is back', async () => {
    await using sealed = await openSealedSalon();
    const { salon, expected } = sealed;
    const file = `${salon.store.file}.key`;
    const lost = readFileSync(file, 'utf8');
    rmSync(file);
    const added = (await createWebhook({ ...salon.as(), secrets: openKeys(salon) }, { url })).secret;
    const rotation = await rotateSecrets(salon.store.database, salon.environment, openKeys(salon));
    expect(rotation).toMatchObject({ secrets: 4, resealed: 1, unreadable: 3 });
    expect(rotation.missing_keys).toHaveLength(1);
    writeFileSync(file, readFileSync(file, 'utf8') + lost, { mode: 0o600 });
    expect(await readSecretsStatus(salon.store.database.reader, openKeys(salon))).toMatchObject({
      ...{ key: rotation.key, secrets: 4, unreadable: 0 },
    });
    expect(await readSecrets(salon, openKeys(salon))).toEqual([...expected, added, null]);
  });

  it('keeps the old key if its transaction fails', async () => {
    await using sealed = await openSealedSalon();
    const { salon, expected } = sealed;
    const { database } = salon.store;
    const transaction: typeof database.transaction = (lock, body) =>
      database.transaction(lock, async (tx) => {
        await body(tx);
        throw new Error('The power failed.');
      });
    await expect(rotateSecrets({ transaction }, salon.environment, openKeys(salon))).rejects.toThrow(
      'The power failed.',
    );
    expect(openKeys(salon).listIds()).toHaveLength(2);
    expect(await readSecrets(salon, openKeys(salon))).toEqual(expected);
    expect(await rotateSecrets(database, salon.environment, openKeys(salon))).toMatchObject({
      resealed: 3,
      unreadable: 0,
    });
    expect(openKeys(salon).listIds()).toHaveLength(1);
  });
});
