import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkDatabase } from '../../../src/service/maintenance/check.ts';
import { type EndedBatch, type SentBatch, sendBatch } from '../../support/book-batches.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';
import { bySpeed } from '../../support/speed.ts';

const batches = bySpeed({ full: 80, long: 1_000 });
/** Batches between two kills. */
const perKill = 20;
const program = join(import.meta.dirname, '../../support/book-batches.ts');

it(`${batches} batches of two processes that are killed again and again are made whole or not, in one order`, async () => {
  await using salon = await openTestSalon();
  const stylistIds = [await salon.addStylist(), await salon.addStylist()];
  const args = [salon.store.location, salon.accountId, await salon.addClient(), stylistIds.join(',')];
  const sent = new Map<string, SentBatch>();
  const ended = new Map<string, EndedBatch>();
  let wake = () => {};
  const start = (): ChildProcess =>
    fork(program, args).on('message', (message: SentBatch | EndedBatch) => {
      if ('ids' in message) ended.set(message.key, message);
      else sent.set(message.key, message);
      wake();
    });
  const running = [start(), start()];
  for (let wanted = perKill; wanted <= batches; wanted += perKill) {
    while (ended.size < wanted) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    const victim = running.shift();
    victim?.kill('SIGKILL');
    if (victim !== undefined) await once(victim, 'close');
    running.push(start());
  }
  for (const child of running) {
    child.kill('SIGKILL');
    await once(child, 'close');
  }

  const acknowledged = [...ended.values()];
  const lost = [...sent.values()].filter(({ key }) => !ended.has(key));
  expect(lost.length).toBeGreaterThan(0);
  // Whoever had no answer asks again, and gets what was done, or has it done now.
  for (const batch of lost) ended.set(batch.key, await sendBatch(salon.as(), batch));

  const positions = await readPositions(salon);
  expect(await findOverlaps(salon)).toEqual([]);
  expect((await checkDatabase(salon.store.location)).flatMap(({ problems }) => problems)).toEqual([]);
  const known = [...ended.values()].flatMap(({ ids }) => ids.filter((id) => id !== null));
  expect(new Set(known)).toEqual(new Set(positions.keys()));
  expect(new Set(known).size).toBe(known.length);
  for (const { key, ids } of ended.values()) {
    const { on_conflict = 'refuse' } = sent.get(key)?.body ?? {};
    const made = ids.filter((id) => id !== null);
    if (on_conflict === 'refuse') expect([0, ids.length]).toContain(made.length);
    // Nothing comes between those of one batch.
    const [first = 0, ...others] = made.map((id) => positions.get(id)?.seq ?? 0);
    expect(others).toEqual(others.map((_, at) => first + 1 + at));
  }
  expect(acknowledged.filter(({ ids }) => ids.includes(null)).length).toBeGreaterThan(0);
  expect(acknowledged.filter(({ ids }) => !ids.includes(null)).length).toBeGreaterThan(0);
  for (const one of acknowledged) {
    // What has begun after the end of another follows it.
    const last = Math.max(0, ...one.ids.map((id) => positions.get(id ?? '')?.seq ?? 0));
    const later = [...ended.values()].filter(
      ({ key }) => BigInt(sent.get(key)?.startNs ?? 0) > BigInt(one.endNs),
    );
    const next = Math.min(
      ...later.flatMap(({ ids }) => ids.flatMap((id) => positions.get(id ?? '')?.seq ?? [])),
    );
    expect(next).toBeGreaterThan(last);
    // What was refused had a reason by then: time that an earlier appointment, or one of the same batch, takes.
    if (one.ids.includes(null)) expect(findReason(one, sent, [...positions.values()], next)).toBe(true);
  }
});

interface Position {
  readonly seq: number;
  readonly stylist_id: string;
  readonly start_ms: number;
  readonly end_ms: number;
}

async function readPositions({ store }: TestSalon): Promise<Map<string, Position>> {
  const text = 'select id, seq, stylist_id, start_ms, end_ms from appointments';
  const rows = await store.database.reader.run<Position & { readonly id: string }>(text, []);
  return new Map(rows.map(({ id, ...position }) => [id, position]));
}

function findOverlaps({ store }: TestSalon): Promise<object[]> {
  const text = `select one.id from appointments as one join appointments as other on other.account_id = one.account_id
    and other.stylist_id = one.stylist_id and other.id > one.id
    and other.start_ms < one.end_ms and other.end_ms > one.start_ms`;
  return store.database.reader.run(text, []);
}

/** Whether a refused booking overlaps one of the same batch, or an appointment before a position. */
function findReason(
  { key, ids }: EndedBatch,
  sent: ReadonlyMap<string, SentBatch>,
  positions: readonly Position[],
  before: number,
): boolean {
  const spans = (sent.get(key)?.body.bookings ?? []).map(({ stylist_id, start_time, duration }) => {
    const start_ms = Date.parse(start_time);
    return { stylist_id, start_ms, end_ms: start_ms + duration * 60_000 };
  });
  type Span = Omit<Position, 'seq'>;
  const meets = (one: Span, other: Span) =>
    one.stylist_id === other.stylist_id && one.start_ms < other.end_ms && one.end_ms > other.start_ms;
  const hasReason = (span: Span, at: number) =>
    spans.slice(0, at).some((other) => meets(span, other)) ||
    positions.some((other) => other.seq < before && meets(span, other));
  const isAll = !ids.some((id) => id !== null);
  const refused = spans.filter((_, at) => ids[at] === null);
  // Of a batch that was wanted whole, one reason is enough.
  return isAll ? spans.some(hasReason) : refused.every((span) => hasReason(span, spans.indexOf(span)));
}
