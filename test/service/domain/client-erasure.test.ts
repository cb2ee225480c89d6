import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createClient, type SalonClient } from '../../../src/client/client.ts';
import { parseServiceConfig } from '../../../src/service/config.ts';
import { openDatabase } from '../../../src/service/db/database.ts';
import { listAppointments } from '../../../src/service/domain/appointments.ts';
import { eraseExpiredArchives } from '../../../src/service/domain/client-erasure.ts';
import { mergeClients, unmergeClients } from '../../../src/service/domain/client-merge.ts';
import { deleteClient, getClient } from '../../../src/service/domain/clients.ts';
import { openService } from '../../../src/service/service.ts';
import { mergeDouble, openDoubleSalon } from '../../support/double-salon.ts';
import { addWebhook } from '../../support/event-log.ts';
import type { TestSalon } from '../../support/salon.ts';
import { readSalon } from '../../support/salon-state.ts';
import { openTestService } from '../../support/service.ts';

describe('an archived client', () => {
  async function readText(salon: TestSalon): Promise<string> {
    return JSON.stringify(await readSalon(salon.store.database, { withLogs: true }));
  }

  it('is erased after 30 days, and its visits stay with the client', async () => {
    await using double = await openDoubleSalon();
    const { salon, into, from } = double;
    await mergeDouble(double, { fields: { notes: null } });
    const { database } = salon.store;
    salon.environment.setTime('2026-12-21T12:00:00.000Z');
    await eraseExpiredArchives(database, salon.environment);
    expect(await readText(salon)).toContain('prefers tea');
    salon.environment.setTime('2026-12-21T12:00:00.001Z');
    expect(await eraseExpiredArchives(database, salon.environment)).toBe(false);
    expect(await readText(salon)).not.toContain('prefers tea');
    expect((await listAppointments(salon.as(), { client_id: into })).total).toBe(3);
    await expect(unmergeClients(salon.as(), into, { from })).rejects.toMatchObject({
      code: 'merge_not_reversible',
    });
  });

  it.each(['directly', 'through another client'])(
    'is erased with the client it was merged into %s',
    async (how) => {
      await using double = await openDoubleSalon();
      const { salon, into } = double;
      await addWebhook(salon);
      await mergeDouble(double);
      const last = how === 'directly' ? into : await salon.addClient({ first_name: 'Zoe' });
      if (last !== into) await mergeClients(salon.as(), last, { from: into });
      await deleteClient(salon.as(), last, { force: true });
      const left = await readText(salon);
      for (const personal of ['prefers tea', '351912345678', 'Anna', 'Costa', 'ana@example.org']) {
        expect(left).not.toContain(personal);
      }
      await expect(unmergeClients(salon.as(), last, {})).rejects.toMatchObject({
        code: 'merge_not_reversible',
      });
    },
  );

  it('leaves nothing behind with the other client when it is restored and deleted', async () => {
    await using double = await openDoubleSalon();
    const { salon, into, from } = double;
    await addWebhook(salon);
    await mergeDouble(double);
    await unmergeClients(salon.as(), into, {});
    await deleteClient(salon.as(), from, { force: true });
    expect(await readText(salon)).not.toContain('prefers tea');
    const { email } = await getClient(salon.as(), into);
    expect(email).toBe('ana@example.org');
  });

  it('is erased when a service closes, because many run for a moment only', async () => {
    const mergedMs = Date.parse('2026-11-21T12:00:00Z');
    await using service = await openTestService({ clients: 0, now: () => new Date(mergedMs) });
    const names = ['Ana', 'Secret'];
    await use(service.origin, service.keys.owner, async (salon) => {
      const made = await Promise.all(names.map((first_name) => salon.clients.create({ first_name })));
      const [into = '', from = ''] = made.map(({ id }) => id);
      await salon.clients.merge(into, { from });
    });
    await service.close();
    await using database = await openDatabase(service.database);
    const readAll = async () => JSON.stringify(await readSalon(database, { withLogs: true }));
    // Each service has the clock of its time from the start: one whose clock jumps deletes nothing.
    const runAfter = async (days: number, act?: (salon: SalonClient) => Promise<unknown>) => {
      const config = parseServiceConfig({ port: '0', database: service.database, logLevel: 'silent' });
      const now = () => new Date(mergedMs + days * 86_400_000);
      const environment = { now, random: randomBytes, env: service.env, log: { write: () => true } };
      await using later = await openService(config, environment);
      if (act !== undefined) await use(later.origin, service.keys.owner, act);
    };
    await runAfter(30.5, (salon) => salon.clients.create({ first_name: 'Mia' }));
    expect(await readAll()).toContain('Secret');
    await runAfter(31.5);
    expect(await readAll()).not.toContain('Secret');
  });
});

async function use(
  baseUrl: string,
  token: string,
  act: (salon: SalonClient) => Promise<unknown>,
): Promise<void> {
  await using salon = createClient({ baseUrl, credential: { kind: 'bearer', token } });
  await act(salon);
}
