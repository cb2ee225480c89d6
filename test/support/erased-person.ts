import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sendRequest, toJson } from './send-request.ts';
import type { TestAccount } from './service.ts';

/** Parts of every text that is entered about the person; none occurs anywhere else. */
export const personalTexts = [
  ...['Quisquilia', 'Zwetschge', 'Krautwurst', 'qz-mail', 'qz-former', '918273645', '918273546', 'qz-tag'],
  ...['qz-external', 'qz-note', 'qz-visit', 'qz-moved', 'qz-reason', 'qz-voucher', 'qz-gift', 'qz-double'],
  ...['qz-early', 'qz-searched', '1987-06-05'],
] as const;

interface Salon extends Pick<TestAccount, 'keys' | 'stylistIds'> {
  readonly origin: string;
}

/** Enters a person into a salon in every way the API has: by creates, changes, merges, repeats, searches and refusals. */
export async function addPerson({ origin, keys, stylistIds }: Salon): Promise<string> {
  let sent = 0;
  const request = async (method: string, path: string, body?: object) => {
    const headers = {
      'content-type': 'application/json',
      ...(method === 'POST' ? { 'idempotency-key': `person-${sent++}` } : {}),
    };
    const rest = { method, key: keys.owner, headers, ...(body === undefined ? {} : { body }) };
    return toJson(await sendRequest(`${origin}/v1${path}`, rest)) as Record<string, string> & { id: string };
  };
  const send: typeof request = async (...args) => {
    const result = await request(...args);
    if ('code' in result) throw new Error(JSON.stringify(result));
    return result;
  };
  const webhook = await send('POST', '/webhooks', { url: 'http://127.0.0.1:9/' });
  const { id } = await send('POST', '/clients', {
    ...{
      first_name: 'Quisquilia',
      last_name: 'Zwetschge',
      email: 'qz-former@example.org',
      birthday: '1987-06-05',
    },
    ...{ phone: '+351 918 273 645', notes: 'qz-note', tags: ['qz-tag'], external_id: 'qz-external' },
  });
  await send('PATCH', `/clients/${id}`, { last_name: 'Krautwurst', email: 'qz-mail@example.org' });
  await send('PUT', `/clients/${id}`, { phone: '+351 918 273 546', notes: 'qz-note, changed' });
  await send('GET', '/clients?q=qz-searched');
  await request('POST', '/clients', { first_name: 'Quisquilia', email: 'qz-mail' });

  const book = (day: number, more: object = {}) =>
    send('POST', '/appointments', {
      ...{ client_id: id, stylist_id: stylistIds[0], service: 'Cut', duration: 30 },
      ...{ start_time: `2026-12-${day}T10:00:00Z`, allow_overlap: true, allow_early: true, ...more },
    });
  const visit = await book(10, { notes: 'qz-early' });
  await send('PATCH', `/appointments/${visit.id}`, { notes: 'qz-visit' });
  await send('PATCH', `/appointments/${visit.id}`, { start_time: '2026-12-11T10:00:00Z' });
  const cancelled = await book(12);
  await send('POST', `/appointments/${cancelled.id}/cancel`, { cancellation_reason: 'qz-reason' });
  const past = await book(13, { status: 'completed', notes: 'qz-visit' });
  const payment = { amount: 4500, currency: 'EUR', method: 'card' };
  const paid = await send('POST', '/payments', {
    ...payment,
    appointment_id: past.id,
    reference: 'qz-voucher',
  });
  await send('POST', `/payments/${paid.id}/refunds`, { amount: 100 });
  await send('POST', '/payments', { ...payment, client_id: id, reference: 'qz-gift' });

  // An appointment of another client that was this one's, when it had other notes.
  const other = await send('POST', '/clients', { first_name: 'Bo' });
  const moved = await book(14, { notes: 'qz-moved' });
  await send('PATCH', `/appointments/${moved.id}`, { client_id: other.id, notes: 'Of Bo.' });

  const twin = await send('POST', '/clients', { first_name: 'Quisquilia', notes: 'qz-double' });
  await book(15, { client_id: twin.id, notes: 'qz-double' });
  await send('POST', `/clients/${id}/merge`, { from: twin.id });
  // Merged into another client by mistake, and restored.
  await send('POST', `/clients/${other.id}/merge`, { from: id });
  await send('PATCH', `/appointments/${past.id}`, { notes: 'qz-visit, in between' });
  await send('POST', `/clients/${other.id}/unmerge`);

  const log = (await send('GET', `/webhooks/${webhook.id}/deliveries?per_page=200`)) as unknown as {
    data: { id: string }[];
  };
  for (const { id: delivery } of log.data) await send('POST', `/deliveries/${delivery}/redeliver`);
  await book(28, { notes: 'qz-visit' });
  // Refused, because of this visit.
  await request('DELETE', `/clients/${id}`);
  return id;
}

/** The texts of the person that the files of a database contain. */
export function findPersonalTexts(database: string): string[] {
  const folder = dirname(database);
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)).toString('latin1'));
  const content = files.join('\n').toLowerCase();
  return personalTexts.filter((text) => content.includes(text.toLowerCase()));
}
