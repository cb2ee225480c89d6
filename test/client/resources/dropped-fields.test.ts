import { describe, expect, it } from 'vitest';
import { ExactNumber } from '../../../src/text/json.ts';
import {
  body,
  json,
  openMisbehavingServer,
  type Received,
  type Reply,
} from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';

type Row = Readonly<Record<string, unknown>>;

interface Server {
  readonly record: Row;
  /** The record after a write. */
  readonly store: (sent: Row, record: Row) => Row;
  /** The response to a write; the record if left out. */
  readonly answer?: (record: Row) => Reply;
  readonly reads?: boolean;
}

/** One client, of whom the server stores what it likes. */
async function openServer({ record: start, store, answer, reads = true }: Server) {
  let record = start;
  const server = await openMisbehavingServer(({ method, body: text }: Received): Reply => {
    if (method === 'GET') return reads ? json(record) : json({ message: 'No.' }, { status: 405 });
    record = store(JSON.parse(text || '{}') as Row, record);
    return answer?.(record) ?? json(record, { status: method === 'POST' ? 201 : 200 });
  });
  return Object.assign(server, {
    methods: () => server.received.map(({ method }) => method).join(' '),
  });
}

const old = { id: '7', first_name: 'Ana', notes: 'old', balance: 10 };
const drops = (names: readonly string[]): Server['store'] => {
  return (sent, record) => ({
    ...record,
    ...Object.fromEntries(Object.entries(sent).filter(([name]) => !names.includes(name))),
  });
};
/** The whole record is sent, or the change alone. */
const merges = [
  ['replaces', false],
  ['merges', true],
] as const;

describe.each(merges)('an update on a server that %s', (_how, partial) => {
  const dialect = { partialUpdates: partial };

  it('is not done for a field that the server does not know, which is read once more', async () => {
    await using server = await openServer({ record: old, store: drops(['nickname']) });
    await using client = openClient(server.origin, { dialect });
    expect(await refusal(client.clients.update('7', { nickname: 'Bob' }))).toMatchObject({
      code: 'refused',
      message: 'The server responded with 200, but nickname of client 7 did not change.',
      members: { id: '7', not_stored: ['nickname'], saved: [] },
    });
    expect(server.methods()).toBe(partial ? 'PUT GET' : 'GET PUT GET');
  });

  it('is not done for a read-only field, and says what was saved', async () => {
    await using server = await openServer({ record: old, store: drops(['balance']) });
    await using client = openClient(server.origin, { dialect });
    const error = await refusal(client.clients.update('7', { balance: 99, notes: 'new' }));
    expect(error.message).toContain(partial ? 'balance of client 7 is 10' : 'balance of client 7 did not');
    expect(error).toMatchObject({
      message: expect.stringContaining(' Saved: notes.'),
      members: { not_stored: ['balance'], saved: ['notes'], record: { ...old, notes: 'new' } },
    });
    expect(error.members).not.toHaveProperty('in_doubt');
  });

  it('is not done if the server stores another value', async () => {
    const store: Server['store'] = (sent, record) => ({ ...record, ...sent, balance: 50, notes: 'no' });
    await using server = await openServer({ record: old, store });
    await using client = openClient(server.origin, { dialect });
    const error = await refusal(client.clients.update('7', { balance: 99, notes: 'no show on Monday' }));
    expect(error.message).toBe(
      'The server responded with 200, but balance of client 7 is 50; notes of client 7 is "no".',
    );
  });

  it('is done if the response shows the record as it was, and the record is changed', async () => {
    await using server = await openServer({ record: old, store: drops([]), answer: () => json(old) });
    await using client = openClient(server.origin, { dialect });
    const written = await client.clients.update('7', { notes: 'new' });
    expect(written).toMatchObject({ outcome: 'done', record: { notes: 'new' } });
  });

  it.each([
    ['204', () => body('', { status: 204 })],
    ['an empty object', () => json({})],
  ])('answered with %s is done once the record shows it', async (_what, answer) => {
    await using server = await openServer({ record: old, store: drops([]), answer });
    await using client = openClient(server.origin, { dialect });
    const written = await client.clients.update('7', { notes: 'new' });
    expect(written).toMatchObject({ outcome: 'done', record: { ...old, notes: 'new' } });
    await using other = await openServer({ record: old, store: drops(['notes']), answer });
    await using second = openClient(other.origin, { dialect });
    expect((await refusal(second.clients.update('7', { notes: 'new' }))).code).toBe('refused');
  });

  it('of a password is neither done nor failed: no record shows it', async () => {
    await using server = await openServer({ record: old, store: drops(['password']) });
    await using client = openClient(server.origin, { dialect });
    const change = { password: 'open sesame', notes: 'new' };
    expect(await refusal(client.clients.update('7', change))).toMatchObject({
      code: 'result_unknown',
      message: expect.stringContaining('it is unknown whether it stored password.'),
      members: { in_doubt: true, unconfirmed: ['password'] },
    });
  });

  it('sends no further request if the response shows the change', async () => {
    await using server = await openServer({ record: old, store: drops([]) });
    await using client = openClient(server.origin, { dialect });
    await client.clients.update('7', { notes: 'new', city: null, tags: [] });
    expect(server.methods()).toBe(partial ? 'PUT' : 'GET PUT');
  });
});

it('an update that nothing can confirm is unknown', async () => {
  const answer = () => body('', { status: 204 });
  await using server = await openServer({ record: old, store: drops([]), answer, reads: false });
  await using client = openClient(server.origin, { dialect: { partialUpdates: true } });
  expect(await refusal(client.clients.update('7', { notes: 'new' }))).toMatchObject({
    code: 'result_unknown',
    members: { unconfirmed: ['notes'] },
  });
});

it('a field that was sent as it was may be changed by the server', async () => {
  const store: Server['store'] = (sent, record) => ({ ...record, ...sent, updated_at: 'later', visits: 2 });
  const record = { ...old, updated_at: '2026-01-01T00:00:00Z', visits: 1 };
  await using server = await openServer({ record, store });
  await using client = openClient(server.origin);
  const { id: _id, ...whole } = { ...record, notes: 'new' };
  expect(await client.clients.update('7', whole)).toMatchObject({ outcome: 'done' });
});

describe('a new record', () => {
  it('without a field that was sent is an error with its ID and what was stored', async () => {
    await using server = await openServer({
      record: {},
      store: (sent) => ({ id: 8, last_name: sent['last_name'] }),
    });
    await using client = openClient(server.origin);
    const error = await refusal(client.clients.create({ last_name: 'Ng', nickname: 'Bob' }));
    expect(error).toMatchObject({
      code: 'refused',
      message: 'The server responded with 201, but client 8 was stored without nickname. Saved: last_name.',
      members: { id: '8', not_stored: ['nickname'], record: { id: 8, last_name: 'Ng' } },
    });
    expect(server.methods()).toBe('POST GET');
  });

  it('is done if it was copied with an ID and times of another', async () => {
    await using server = await openServer({
      record: {},
      store: (sent) => ({ ...sent, id: 8, created_at: 'now', updated_at: 'now' }),
    });
    await using client = openClient(server.origin);
    const copied = { id: '7', last_name: 'Ng', created_at: '2026-01-01', updated_at: '2026-01-01' };
    expect(await client.clients.create(copied)).toMatchObject({ outcome: 'done', id: '8' });
  });
});

describe('a value that a server stores in another form', () => {
  /** Sent and stored, each with a value that the record had before. */
  const forms: readonly (readonly [unknown, unknown])[] = [
    ['0151 23456789', '+4915123456789'],
    ['+49 (151) 234-5678', '+491512345678'],
    ['ANA@Example.COM', 'ana@example.com'],
    [' Ana  Costa ', 'Ana Costa'],
    ['ana costa', 'Ana Costa'],
    ['two\r\nlines', 'two\nlines'],
    [
      ['vip', 'New '],
      ['new', 'vip'],
    ],
    ['2026-11-23T10:00:00+01:00', '2026-11-23T09:00:00.000000Z'],
    ['2026-11-23T10:00:00+01:00', '2026-11-23 10:00:00'],
    ['2026-11-23T10:00:00.250Z', '2026-11-23T10:00:00Z'],
    ['2026-11-23T10:00:00Z', 1_795_428_000],
    ['1990-05-01', '1990-05-01T00:00:00.000Z'],
    ['1', 1],
    [12.5, '12.50'],
    [new ExactNumber('12345678901234567890'), '12345678901234567890'],
    [true, 1],
    [false, 0],
    ['', null],
    [5, { id: 5, name: 'Colour' }],
    [{ city: 'Rome' }, { city: 'Rome', zip: null }],
  ];

  it.each(forms)('is done, and shown as stored: %j as %j', async (sent, stored) => {
    const record = { ...old, value: 'before' };
    await using server = await openServer({ record, store: () => ({ ...record, value: stored }) });
    await using client = openClient(server.origin);
    const written = await client.clients.update('7', { value: sent });
    expect(written).toMatchObject({ outcome: 'done', record: { value: stored } });
    expect(server.methods()).toBe('GET PUT');
  });

  it.each([
    [45, 54],
    ['45', 54],
    ['-5', '5'],
    [12.345, '12.35'],
    [true, false],
    [['vip', 'new'], ['vip']],
    ['2026-11-23T10:00:00+01:00', '2026-11-23T11:00:00Z'],
    ['+4915123456789', '+4915123456780'],
    ['a very long note', 'a very'],
    ['007', '7'],
    ['9007199254740993', new ExactNumber('9007199254740992')],
  ])('is not done if it means something else: %j as %j', async (sent, stored) => {
    const record = { ...old, value: 'before' };
    await using server = await openServer({ record, store: () => ({ ...record, value: stored }) });
    await using client = openClient(server.origin);
    expect((await refusal(client.clients.update('7', { value: sent }))).members).toMatchObject({
      not_stored: ['value'],
    });
  });

  it.each([
    ['Ana', 'ana'],
    ['o.k.', 'ok'],
    ['+4915123456789', '0151 23456789'],
  ])('is not done if the record just was like that: %j as %j', async (sent, stored) => {
    const record = { ...old, value: stored };
    await using server = await openServer({ record, store: () => record });
    await using client = openClient(server.origin);
    expect((await refusal(client.clients.update('7', { value: sent }))).code).toBe('refused');
  });
});

it('a national phone number is done again if the record has it with its country code', async () => {
  const record = { ...old, phone: '+4915123456789' };
  await using server = await openServer({ record, store: () => record });
  await using client = openClient(server.origin);
  expect(await client.clients.update('7', { phone: '0151 23456789' })).toMatchObject({ outcome: 'done' });
});

it('a reference is found in the record that it names', async () => {
  const record = { ...old, stylist: { id: 3, name: 'Mia' } };
  const store = () => ({ ...record, stylist: { id: 4, name: 'Theo' } });
  await using server = await openServer({ record, store });
  await using client = openClient(server.origin);
  expect(await client.clients.update('7', { stylist_id: 4 })).toMatchObject({ outcome: 'done' });
  expect((await refusal(client.clients.update('7', { stylist_id: 5 }))).members).toMatchObject({
    not_stored: ['stylist_id'],
  });
});

it('a cancellation is done only if the appointment is cancelled, in the words of its server', async () => {
  const appointment = { id: '7', status: 'CONFIRMED' };
  await using server = await openServer({
    record: appointment,
    store: () => ({ ...appointment, status: 'CANCELLED_BY_SELLER' }),
  });
  await using client = openClient(server.origin, { dialect: {} });
  expect((await client.appointments.cancel('7')).record).toMatchObject({ status: 'CANCELLED_BY_SELLER' });
  await using other = await openServer({ record: appointment, store: () => appointment });
  await using second = openClient(other.origin);
  expect((await refusal(second.appointments.cancel('7'))).message).toContain('status of appointment 7 is');
});
