import { describe, expect, it } from 'vitest';
import { updateAppointment } from '../../../src/service/domain/appointments.ts';
import { deleteClient, updateClient } from '../../../src/service/domain/clients.ts';
import { openSecrets } from '../../../src/service/secrets/secrets.ts';
import { toKeptResponse } from '../../../src/service/webhooks/attempts.ts';
import { createDeliveryWorker } from '../../../src/service/webhooks/delivery-worker.ts';
import { readLog } from '../../support/delivery-log.ts';
import { addWebhook } from '../../support/event-log.ts';
import { body, openMisbehavingServer, type Reply } from '../../support/misbehaving-server.ts';
import { openTestSalon } from '../../support/salon.ts';
import { openWebhookSalon } from '../../support/webhook-salon.ts';

/** Sends the start of a body, and never its end. */
const slowly: Reply = (response) => response.writeHead(500).write('slow down');

/** What an attempt keeps of a receiver's reply. */
async function deliverTo(reply: Reply): Promise<string | null | undefined> {
  await using salon = await openWebhookSalon();
  await using receiver = await openMisbehavingServer(() => reply);
  const { id } = await salon.addWebhook(receiver.origin);
  await salon.addEvents(id, 1);
  await salon.createWorker({ readMs: 200 }).deliverAllDue();
  const [delivery] = await salon.readDeliveries(id);
  const [attempt] = await salon.readAttempts(delivery?.id ?? '');
  return attempt?.response;
}

describe('an attempt', () => {
  it.each([
    ['the body of a success', body('queued as 17'), 'queued as 17'],
    [
      'the body of an error',
      body('{"error":"no such table: hooks"}', { status: 500 }),
      '{"error":"no such table: hooks"}',
    ],
    ['null for an empty body', body(''), null],
    ['what had arrived of a body that does not end', slowly, 'slow down'],
    ['the first KiB of a long body', body('é'.repeat(4_000_000)), `${'é'.repeat(512)}…`],
  ])('keeps %s', async (_, reply, expected) => {
    expect(await deliverTo(reply)).toEqual(expected);
  });
});

describe('a kept response', () => {
  it.each([
    ['a key', 'token slk_4f9aB2c8d1E7 refused', 'token slk_… refused'],
    ['a webhook secret', `expected whsec_${'A'.repeat(43)}=`, 'expected whsec_…'],
    ['a bearer token', '{"authorization":"Bearer abcdef0123456789"}', '{"authorization":"Bearer …"}'],
    [
      'a secret that the end cuts',
      `${'x '.repeat(506)}whsec_${'A'.repeat(43)}=`,
      `${'x '.repeat(506)}whsec_…`,
    ],
  ])('hides %s', (_, text, expected) => {
    expect(toKeptResponse(Buffer.from(text))).toBe(expected);
  });

  it('has no control characters, no half characters and at most 1 KiB', () => {
    expect(toKeptResponse(Buffer.from('a\0b\u001b[2Jc\r\nd'))).toBe('a\ufffdb\ufffd[2Jc\r\nd');
    expect(toKeptResponse(Buffer.from([0x61, 0xff, 0xe2, 0x82]))).toBe('a\ufffd');
    expect(toKeptResponse(Buffer.from(`a${'😀'.repeat(600)}`))).toBe(`a${'😀'.repeat(255)}…`);
    expect(toKeptResponse(Buffer.from('  \n'))).toBe(null);
  });
});

describe('an erased client', () => {
  it('leaves nothing in responses, also in those of attempts in flight', async () => {
    await using salon = await openTestSalon();
    let hold: Promise<void> | undefined;
    await using echo = await openMisbehavingServer(({ body: sent }) => async (response) => {
      await hold;
      response.end(sent);
    });
    const webhookId = await addWebhook(salon, { url: echo.origin });
    const adelheid = await salon.addClient({ first_name: 'Adelheid' });
    const booked = await salon.addAppointment({ client_id: adelheid, notes: 'Adelheid likes tea' });
    await salon.addClient({ first_name: 'Bo' });
    const { store, environment } = salon;
    const worker = createDeliveryWorker({
      ...{ database: store.database, environment, log: { warn: () => {}, error: () => {} } },
      secrets: openSecrets({ location: store.file, environment }),
      ...{ allowsLoopback: true, resolve: async () => ['127.0.0.1'] },
    });
    await worker.deliverAllDue();
    const { reader } = store.database;
    const text = 'select response from delivery_attempts';
    const readKept = async () =>
      (await reader.run<{ response: string | null }>(text, [])).map((row) => row.response);
    expect((await readKept()).filter((text) => text?.includes('Adelheid'))).toHaveLength(2);

    const { promise, resolve } = Promise.withResolvers<void>();
    hold = promise;
    await updateClient(salon.as(), adelheid, { change: { last_name: 'Zwetschge' } });
    await updateAppointment(salon.as(), booked, { change: { notes: 'Zwetschge likes tea' } });
    const sent = echo.received.length;
    await worker.startDue();
    await expect.poll(() => echo.received.length).toBe(sent + 2);
    await deleteClient(salon.as(), adelheid, { force: true });
    // Later, so that the lease of the next attempt differs from that of the one in flight.
    environment.setTime('2026-11-21T12:00:01.000Z');
    resolve();
    await worker.deliverAllDue();
    await worker.close();
    const kept = await readKept();
    expect(kept.filter((text) => /Adelheid|Zwetschge/.test(text ?? ''))).toEqual([]);
    expect(kept.filter((text) => text?.includes('"Bo"'))).toHaveLength(1);
    const { data } = await readLog(salon, webhookId);
    const updated = data.filter(({ event_type }) => event_type.endsWith('.updated'));
    expect(updated.map(({ attempts }) => attempts.at(-1)?.status_code)).toEqual([null, 200]);
  });
});
