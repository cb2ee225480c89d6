import { randomBytes } from 'node:crypto';
import { openAdministration } from '../src/service/administration.ts';
import { parseServiceConfig } from '../src/service/config.ts';
import { openDatabase } from '../src/service/db/database.ts';
import { openService } from '../src/service/service.ts';
import { addApp, issueAppToken, issuePersonToken } from '../test/support/issue-credentials.ts';
import { addMember } from '../test/support/members.ts';

// The real service in its own process, with a sample salon, a key, tokens and a limit out of reach.
const [, , file = '', countText = '', clientsText = '2000'] = process.argv;
const database = `sqlite:${file}`;
const environment = { now: () => new Date(), random: (size: number) => randomBytes(size) };

async function makeSalon(appointments: number) {
  await using administration = await openAdministration(database, environment);
  const account = await administration.createAccount({
    name: 'Bench',
    plan: 'enterprise',
    hourlyLimit: 1_000_000_000,
  });
  const { id: accountId } = account;
  const startedAt = performance.now();
  await administration.seedAccount({
    accountId,
    clients: Number(clientsText),
    appointments,
    seed: 1,
    today: new Date(),
  });
  const seedMs = performance.now() - startedAt;
  const operator = await administration.inAccount(accountId);
  const { key } = await administration.createApiKey(operator, { role: 'owner', name: 'bench' });
  return { key, seedMs, accountId };
}

/** Access tokens of a person and of an app, with all rights. */
async function issueTokens(accountId: string) {
  await using opened = await openDatabase(database);
  const userId = await addMember(opened, environment, { accountId });
  return opened.transaction('service', async (tx) => {
    const clientId = await addApp(tx, environment, { accountId, role: 'owner' });
    return {
      person: await issuePersonToken(tx, environment, { accountId, userId }),
      app: await issueAppToken(tx, environment, { clientId }),
    };
  });
}

const salon = await makeSalon(Number(countText));
const tokens = await issueTokens(salon.accountId);
const service = await openService(parseServiceConfig({ database, port: '0', logLevel: 'silent' }), {
  ...environment,
  log: { write: () => {} },
});
process.send?.({ ...salon, tokens, port: Number(new URL(service.origin).port) });
