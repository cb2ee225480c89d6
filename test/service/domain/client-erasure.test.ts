import { describe, expect, it } from 'vitest';
import { createClient } from '../../../src/client/client.ts';
import { indexAuditLog } from '../../../src/service/db/audit-index.ts';
import { openDatabase } from '../../../src/service/db/database.ts';
import { listAppointments } from '../../../src/service/domain/appointments.ts';
import { eraseExpiredArchives } from '../../../src/service/domain/client-erasure.ts';
import { mergeClients } from '../../../src/service/domain/client-merge.ts';
import { unmergeClients } from '../../../src/service/domain/client-unmerge.ts';
import { deleteClient, getClient } from '../../../src/service/domain/clients.ts';
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
    let nowMs = Date.parse('2026-11-21T12:00:00Z');
    const service = await openTestService({ clients: 0, now: () => new Date(nowMs) });
    const salon = createClient({
      baseUrl: service.origin,
      credential: { kind: 'bearer', token: service.keys.owner },
    });
    const [into, from] = await Promise.all(
      ['Ana', 'Secret'].map(async (first_name) => (await salon.clients.create({ first_name })).id ?? ''),
    );
    await salon.clients.merge(into ?? '', { from: from ?? '' });
    nowMs += 30.5 * 86_400_000;
    await salon.clients.create({ first_name: 'Mia' });
    await salon.close();
    await using database = await openDatabase(service.database);
    await indexAuditLog(database, service.id);
    nowMs += 86_400_000;
    await service.close();
    expect(JSON.stringify(await readSalon(database, { withLogs: true }))).not.toContain('Secret');
    await service[Symbol.asyncDispose]();
  });
});
