import { describe, expect, it } from 'vitest';
import { addWebhook } from '../../support/event-log.ts';
import { openTestSalon } from '../../support/salon.ts';

describe('events', () => {
  it('are kept without a body when no webhook asks for them', async () => {
    await using salon = await openTestSalon();
    await addWebhook(salon, { events: ['booking.*'] });
    await salon.addAppointment();
    const rows = await salon.store.database.reader
      .selectFrom('events')
      .select(['seq', 'type', 'body', 'stored_bytes'])
      .orderBy('seq')
      .execute();
    const [client, booking] = rows;
    expect(client).toEqual({ seq: 1, type: 'client.created', body: null, stored_bytes: 0 });
    expect(booking).toMatchObject({ seq: 2, type: 'booking.created', body: expect.any(String) });
    expect(booking?.stored_bytes).toBe(Buffer.byteLength(booking?.body ?? ''));
  });
});
