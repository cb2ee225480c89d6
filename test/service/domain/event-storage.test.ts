import { describe, expect, it } from 'vitest';
import { addWebhook } from '../../support/event-log.ts';
import { openTestSalon } from '../../support/salon.ts';

describe('events', () => {
  it('are kept without a body when no webhook asks for them', async () => {
    await using salon = await openTestSalon();
    await addWebhook(salon, { events: ['booking.*'] });
    await salon.addAppointment();
    const [client, booking] = await salon.store.database.reader.run<{
      stored_bytes: number;
      body: string | null;
    }>('select seq, type, body, stored_bytes from events order by seq', []);
    expect(client).toEqual({ seq: 1, type: 'client.created', body: null, stored_bytes: 0 });
    expect(booking).toMatchObject({ seq: 2, type: 'booking.created', body: expect.any(String) });
    expect(booking?.stored_bytes).toBe(Buffer.byteLength(booking?.body ?? ''));
  });
});
