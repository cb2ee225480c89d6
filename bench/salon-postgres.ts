import { randomBytes } from 'node:crypto';
import { openAdministration } from '../src/service/administration.ts';
import { parseServiceConfig } from '../src/service/config.ts';
import { openDatabase } from '../src/service/db/database.ts';
import { openService } from '../src/service/service.ts';

// The real service on PostgreSQL in its own process, with accounts of sample records and a limit out of reach.
const [, , database = '', accountsText = '', appointmentsText = ''] = process.argv;
const environment = {
  now: () => new Date(),
  random: (size: number) => randomBytes(size),
  env: { SALON_SECRETS_KEY: randomBytes(32).toString('base64') },
};

/** An account, with what bookings need. */
async function makeAccount(number: number) {
  await using administration = await openAdministration(database, environment);
  const plan = { name: `Bench ${number}`, plan: 'enterprise', hourlyLimit: 1_000_000_000 } as const;
  const { id: accountId } = await administration.createAccount(plan);
  const appointments = number === 0 ? Number(appointmentsText) : 100;
  const records = { clients: number === 0 ? 2000 : 100, stylists: 12, appointments };
  await administration.seedAccount({ accountId, ...records, seed: number, today: environment.now() });
  const operator = await administration.inAccount(accountId);
  const { key } = await administration.createApiKey(operator, { role: 'owner', name: 'bench' });
  await using opened = await openDatabase(database);
  const readIds = async (table: string) =>
    (
      await opened.reader.run<{ id: string }>(`select id from ${table} where account_id = ?`, [accountId])
    ).map(({ id }) => id);
  return { accountId, key, clientIds: await readIds('clients'), stylistIds: await readIds('stylists') };
}

const accounts = [];
for (let number = 0; number < Number(accountsText); number += 1) accounts.push(await makeAccount(number));
const service = await openService(parseServiceConfig({ database, port: '0', logLevel: 'silent' }), {
  ...environment,
  log: { write: () => {} },
});
process.send?.({ accounts, port: Number(new URL(service.origin).port) });
