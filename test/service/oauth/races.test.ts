import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseServiceConfig } from '../../../src/service/config.ts';
import { openService, type Service } from '../../../src/service/service.ts';
import { openTestApp, type TestApp, type Tokens } from '../../support/oauth-app.ts';
import { race, races } from '../../support/race.ts';
import { sendRequest } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';
import { allow, signInVisitor } from '../../support/signed-in-visitor.ts';
import type { Visitor } from '../../support/visitor.ts';

/** Each of them opens several pages. */
const tries = Math.ceil(races / 2);

let now = new Date('2026-11-22T10:00:00Z');
let service: TestService;
let second: Service;
let visitor: Visitor;
let app: TestApp;
beforeAll(async () => {
  service = await openTestService({ now: () => now });
  await service.addPerson();
  const environment = {
    ...{ now: () => now, random: (size: number) => randomBytes(size), env: service.env },
    log: { write: () => {} },
  };
  second = await openService(
    parseServiceConfig({ port: '0', database: service.database, logLevel: 'silent' }),
    environment,
  );
  visitor = await signInVisitor(service.origin);
  app = await openTestApp(service.origin);
});
afterAll(async () => {
  await second.close();
  await service[Symbol.asyncDispose]();
});

const connect = () => app.connect(visitor, { scope: 'clients:read' });

/** Requests by an address are limited. */
function passLimits(): void {
  now = new Date(now.getTime() + 120_000);
}

interface Answer {
  readonly status: number;
  readonly body: { readonly access_token?: string; readonly refresh_token?: string; readonly error?: string };
}

async function post(origin: string, path: string, form: Record<string, string>): Promise<Answer> {
  const body = new URLSearchParams({ client_id: 'salon-cli', ...form });
  const response = await fetch(`${origin}${path}`, { method: 'POST', body });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
}

const refresh = (origin: string, token = '') =>
  post(origin, '/oauth/token', { grant_type: 'refresh_token', refresh_token: token });

/** Sends requests to both processes at once. Returns their answers. */
async function raceAnswers(
  number: number,
  here: (origin: string) => Promise<Answer>,
  there: (origin: string) => Promise<Answer>,
): Promise<readonly [here: Answer, there: Answer]> {
  const results = await race(
    number,
    () => here(service.origin),
    () => there(second.origin),
  );
  const [one, other] = results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value as Answer;
  });
  return [one as Answer, other as Answer];
}

/** The statuses at both processes. */
async function readStatuses(token = ''): Promise<number[]> {
  const origins = [service.origin, second.origin];
  const responses = origins.map((origin) => sendRequest(`${origin}/v1/me`, { key: token }));
  return (await Promise.all(responses)).map(({ status }) => status);
}

const refused = { status: 400, body: { error: 'invalid_grant' } };

describe('in two processes at once', () => {
  it('an authorization code is exchanged once, and the second use ends what the first one got', async () => {
    for (let number = 0; number < tries; number++) {
      passLimits();
      const { url, checks } = await app.begin({ scope: 'clients:read' });
      const code = (await allow(visitor, url)).searchParams.get('code') ?? '';
      const form = {
        ...{ grant_type: 'authorization_code', code, code_verifier: checks.pkceCodeVerifier },
        redirect_uri: url.searchParams.get('redirect_uri') ?? '',
      };
      const exchange = (origin: string) => post(origin, '/oauth/token', form);
      const answers = await raceAnswers(number, exchange, exchange);
      const [won, ...more] = answers.filter(({ status }) => status === 200);
      expect(more).toEqual([]);
      for (const answer of answers) if (answer !== won) expect(answer).toMatchObject(refused);
      if (won === undefined) continue;
      expect(await readStatuses(won.body.access_token)).toEqual([401, 401]);
      expect(await refresh(second.origin, won.body.refresh_token)).toMatchObject(refused);
    }
  });

  it('a refresh token works, as a client may have lost the answer, but only one of its successors', async () => {
    for (let number = 0; number < tries; number++) {
      passLimits();
      const first = await connect();
      const send = (token?: string) => (origin: string) => refresh(origin, token);
      const pair = await raceAnswers(number, send(first.refresh), send(first.refresh));
      expect(pair).toMatchObject([{ status: 200 }, { status: 200 }]);
      const [one, other] = pair.map(({ body }) => body.refresh_token);
      expect(one).not.toBe(other);
      const uses = await raceAnswers(number + 1, send(one), send(other));
      expect(uses.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
      for (const use of uses) if (use.status !== 200) expect(use).toMatchObject(refused);
      // Two parties have the token: neither keeps access.
      for (const { body } of uses) expect(await readStatuses(body.access_token)).toEqual([401, 401]);
    }
  });

  it.each([
    ['a copy of a former token', (first: Tokens) => (origin: string) => refresh(origin, first.refresh)],
    [
      'a revocation',
      (first: Tokens) => (origin: string) => post(origin, '/oauth/revoke', { token: first.refresh }),
    ],
  ])('%s ends the access, although the client refreshes it', async (_, end) => {
    for (let number = 0; number < tries; number++) {
      passLimits();
      const first = await connect();
      const next = await refresh(second.origin, first.refresh);
      const last = await refresh(second.origin, next.body.refresh_token);
      const [, refreshed] = await raceAnswers(number, end(first), (origin) =>
        refresh(origin, last.body.refresh_token),
      );
      expect([200, 400]).toContain(refreshed.status);
      for (const { body } of [last, refreshed]) {
        expect(await readStatuses(body.access_token)).toEqual([401, 401]);
        expect(await refresh(service.origin, body.refresh_token)).toMatchObject({ status: 400 });
      }
    }
  });
});
