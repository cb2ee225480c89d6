import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/service/db/database.ts';
import { openTestApp, type TestApp } from '../../support/oauth-app.ts';
import { sendRequest } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';
import { signInVisitor } from '../../support/signed-in-visitor.ts';
import { countBySpeed } from '../../support/speed.ts';

let now = new Date('2026-11-22T10:00:00Z');
let service: TestService;
let app: TestApp;
beforeAll(async () => {
  service = await openTestService({ now: () => now });
  await service.addPerson();
  app = await openTestApp(service.origin);
});
afterAll(() => service[Symbol.asyncDispose]());

/** Signs in first: the clock moves by more than a session lasts. */
const connect = async () => app.connect(await signInVisitor(service.origin), { scope: 'clients:read' });

function pass(seconds: number) {
  now = new Date(now.getTime() + seconds * 1000);
}

const refused = { error: 'invalid_grant' };

async function status(token: string): Promise<number> {
  return (await sendRequest(`${service.origin}/v1/me`, { key: token })).status;
}

async function readRevocations(): Promise<object[]> {
  await using database = await openDatabase(service.database);
  const text = "select changes, actor_id, address from audit_entries where action = 'oauth_grant.revoked'";
  const rows = await database.reader.run<{ changes: string | null }>(text, []);
  return rows.map(({ changes, ...row }) => ({ ...row, details: JSON.parse(changes ?? '{}').details }));
}

describe('a refresh token', () => {
  it('works again while the client may have lost its successor', async () => {
    const first = await connect();
    const lost = await app.refresh(first.refresh);
    pass(60);
    const second = await app.refresh(first.refresh);
    expect(second.refresh).not.toBe(lost.refresh);
    expect(await status((await app.refresh(second.refresh)).access)).toBe(200);
  });

  it('ends with the first use of its successor: a copy that is used then ends the whole access', async () => {
    const first = await connect();
    const second = await app.refresh(first.refresh);
    const third = await app.refresh(second.refresh);
    await expect(app.refresh(first.refresh)).rejects.toMatchObject(refused);
    expect(await status(third.access)).toBe(401);
    await expect(app.refresh(third.refresh)).rejects.toMatchObject(refused);
    expect((await readRevocations()).at(-1)).toEqual({
      actor_id: 'salon-cli',
      address: '127.0.0.1',
      details: { reason: 'token_reused' },
    });
  });

  it('ends after a minute even if its successor is not used', async () => {
    const first = await connect();
    const second = await app.refresh(first.refresh);
    pass(61);
    await expect(app.refresh(first.refresh)).rejects.toMatchObject(refused);
    await expect(app.refresh(second.refresh)).rejects.toMatchObject(refused);
  });

  it('does not live longer because the clock is set back', async () => {
    const first = await connect();
    await app.refresh(first.refresh);
    pass(-600);
    await expect(app.refresh(first.refresh)).rejects.toMatchObject(refused);
    pass(600);
  });

  it('has one successor in the end: of two that were issued for it, the second to be used ends the access', async () => {
    const first = await connect();
    const own = await app.refresh(first.refresh);
    const stolen = await app.refresh(first.refresh);
    const next = await app.refresh(stolen.refresh);
    await expect(app.refresh(own.refresh)).rejects.toMatchObject(refused);
    expect(await status(next.access)).toBe(401);
  });

  it('may be sent by many processes at once', async () => {
    const { refresh } = await connect();
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.refresh(refresh)));
    const last = answers.at(-1)?.refresh ?? '';
    expect(await status((await app.refresh(last)).access)).toBe(200);
  });

  it('of which two successors are used at once leaves at most one', async () => {
    const first = await connect();
    const pair = await Promise.all([app.refresh(first.refresh), app.refresh(first.refresh)]);
    const uses = await Promise.allSettled(pair.map(({ refresh }) => app.refresh(refresh)));
    expect(uses.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
  });

  it('lasts for 30 days after its issue', async () => {
    const [used, idle] = [await connect(), await connect()];
    pass(29 * 86_400);
    const next = await app.refresh(used.refresh);
    pass(2 * 86_400);
    expect(await status((await app.refresh(next.refresh)).access)).toBe(200);
    await expect(app.refresh(idle.refresh)).rejects.toMatchObject(refused);
  });

  it('belongs to its app', async () => {
    const { refresh } = await connect();
    const create = { name: 'Kiosk', type: 'public', flows: ['device_code'] };
    const sent = { method: 'POST', key: service.keys.owner, body: create };
    const { id } = JSON.parse((await sendRequest(`${service.origin}/v1/oauth-clients`, sent)).text);
    const other = await openTestApp(service.origin, { clientId: id });
    await expect(other.refresh(refresh)).rejects.toMatchObject(refused);
    expect(await status((await app.refresh(refresh)).access)).toBe(200);
  });
});

describe('an access token', () => {
  it('ends after an hour', async () => {
    const { access } = await connect();
    pass(3599);
    expect(await status(access)).toBe(200);
    pass(1);
    const response = await sendRequest(`${service.origin}/v1/me`, { key: access });
    expect([response.status, JSON.parse(response.text).detail]).toEqual([
      401,
      expect.stringMatching(/^The access token expired at 20/),
    ]);
  });
});

/** A client that saves each new token, unless it is killed before; then it tries again within the minute. */
const moments = fc.record({
  isKilled: fc.boolean(),
  waitSeconds: fc.integer({ min: 1, max: 50 }),
  idleSeconds: fc.integer({ min: 1, max: 29 * 86_400 }),
});

describe('a client that is killed at any moment of a refresh', () => {
  it('is never locked out', async () => {
    const runs = countBySpeed(5, 100);
    await fc.assert(
      fc.asyncProperty(fc.array(moments, { minLength: 1, maxLength: 8 }), async (steps) => {
        let saved = (await connect()).refresh;
        for (const { isKilled, waitSeconds, idleSeconds } of steps) {
          const answer = await app.refresh(saved);
          if (isKilled) pass(waitSeconds);
          saved = (isKilled ? await app.refresh(saved) : answer).refresh;
          pass(idleSeconds);
        }
      }),
      { numRuns: runs },
    );
  });
});
