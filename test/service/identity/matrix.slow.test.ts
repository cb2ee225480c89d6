import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Endpoint, scopeOf } from '../../../src/contract/endpoint.ts';
import { endpoints, type Operation } from '../../../src/contract/endpoints.ts';
import { type Role, scopes } from '../../../src/contract/roles.ts';
import type { Writer } from '../../../src/service/db/engine.ts';
import { revokeAccess } from '../../../src/service/db/identity/access.ts';
import { switchAccount } from '../../../src/service/identity/sessions.ts';
import { type Credentialed, openCredentialed } from '../../support/credentialed.ts';
import { bodies, otherScopes, toRequestPath } from '../../support/operation-requests.ts';
import { callers, statuses } from '../../support/role-table.ts';
import { toJson } from '../../support/send-request.ts';

/** What acts for a role, besides the API keys of `role-matrix.test.ts`. An app of its own has no calendar. */
const kinds = ['session', 'person token', 'app token'] as const;

const all = Object.entries<Endpoint>(endpoints) as [Operation, Endpoint][];
const cases = kinds.flatMap((kind) =>
  all.flatMap(([operation, endpoint]) =>
    callers.flatMap(([role, whose], index) =>
      kind === 'app token' && role === 'stylist'
        ? []
        : [{ ...{ kind, operation, endpoint, role, whose }, status: toStatus(kind, operation, index) }],
    ),
  ),
);
const withScope = all.flatMap(([operation, endpoint]) =>
  [scopeOf(endpoint)].flatMap((scope) => (scope === null ? [] : [{ operation, endpoint, scope }])),
);
const withId = all.filter(([, { path }]) => path.includes(':id'));

/** What has no scope is not for tokens; otherwise the role alone decides. */
function toStatus(kind: (typeof kinds)[number], operation: Operation, index: number): number {
  const { action } = endpoints[operation];
  if (kind !== 'session' && action !== null && scopeOf(endpoints[operation]) === null) return 403;
  return statuses[operation][index] ?? 0;
}

let salon: Credentialed;
beforeAll(async () => {
  salon = await openCredentialed();
});
afterAll(() => salon[Symbol.asyncDispose]());

describe('a role', () => {
  const issued = new Map<string, string>();
  async function issue(kind: (typeof kinds)[number], role: Role): Promise<string> {
    const name = `${kind} ${role}`;
    const credential = issued.get(name) ?? (await salon.issue(kind, { role }));
    issued.set(name, credential);
    return credential;
  }

  it.each(cases)('with a $kind: $role at $operation ($whose): $status', async (testCase) => {
    const { kind, operation, endpoint, role, whose, status } = testCase;
    const { requests } = salon;
    const record = endpoint.path.includes(':id') ? await requests.makeRecord(endpoint, whose) : {};
    const body = await requests.toBody(operation, whose);
    const path = toRequestPath(endpoint, record['id']);
    const response = await salon.send(endpoint.method, path, { key: await issue(kind, role), body });
    expect(response.status, response.text).toBe(status);
    if (status >= 400 && record['id'] !== undefined) {
      expect(await requests.readAgain(endpoint, record)).toEqual(record);
    }
  });
});

describe.each(['person token', 'app token'] as const)('a %s', (kind) => {
  it.each(withScope)('needs only $scope for $operation', async ({ operation, endpoint, scope }) => {
    const { requests } = salon;
    const record = endpoint.path.includes(':id') ? await requests.makeRecord(endpoint, 'other') : {};
    const body = await requests.toBody(operation, 'other');
    const path = toRequestPath(endpoint, record['id']);
    const without = { role: 'owner', scopes: scopes.filter((other) => other !== scope) } as const;
    const refused = await salon.send(endpoint.method, path, { key: await salon.issue(kind, without), body });
    expect(toJson(refused)).toMatchObject({ status: 403, code: 'insufficient_scope', scope });
    if (record['id'] !== undefined) expect(await requests.readAgain(endpoint, record)).toEqual(record);
    const key = await salon.issue(kind, {
      role: 'owner',
      scopes: [scope, ...(otherScopes[operation] ?? [])],
    });
    const response = await salon.send(endpoint.method, path, { key, body });
    expect(response.status, response.text).toBe(endpoint.success.status);
  });
});

describe.each(kinds)("another account's record, asked for with a %s,", (kind) => {
  it('is not found by any operation and not changed', async () => {
    const { id: accountId } = await salon.service.addAccount();
    const key = await salon.issue(kind, { accountId, role: 'owner' });
    for (const [operation, endpoint] of withId) {
      const record = await salon.requests.makeRecord(endpoint, 'other');
      const path = toRequestPath(endpoint, record['id']);
      const response = await salon.send(endpoint.method, path, { key, body: bodies[operation] });
      const isForPeople = endpoint.action !== null && scopeOf(endpoint) === null;
      const status = kind !== 'session' && isForPeople ? 403 : 404;
      expect({ operation, status: response.status }).toEqual({ operation, status });
      expect(await salon.requests.readAgain(endpoint, record)).toEqual(record);
    }
  });
});

describe('a person in two accounts', () => {
  async function readRights(key: string) {
    const response = await salon.send('GET', '/me', { key });
    const { status, account, role } = toJson(response);
    return response.status === 200 ? { account: (account as { id: string }).id, role } : status;
  }

  async function addToTwo() {
    const [first, second] = [salon.service.id, (await salon.service.addAccount()).id];
    const person = await salon.addPerson([
      { accountId: first, role: 'owner' },
      { accountId: second, role: 'viewer' },
    ]);
    const issueAll = async () => ({
      session: await person.session(first),
      token: await person.token(first),
      otherSession: await person.session(second),
      otherToken: await person.token(second),
    });
    const keys = await issueAll();
    const readAll = async () =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(keys).map(async ([name, key]) => [name, await readRights(key)] as const),
        ),
      );
    const [owner, viewer] = [
      { account: first, role: 'owner' },
      { account: second, role: 'viewer' },
    ];
    return { first, second, person, keys, readAll, owner, viewer };
  }

  it('has the role of the account that a session or token is for', async () => {
    const { keys, readAll, owner, viewer } = await addToTwo();
    const expected = { session: owner, token: owner, otherSession: viewer, otherToken: viewer };
    expect(await readAll()).toEqual(expected);
    for (const key of [keys.otherSession, keys.otherToken]) {
      const body = { first_name: 'Bo' };
      expect(toJson(await salon.send('POST', '/clients', { key, body }))).toMatchObject({ status: 403 });
    }
  });

  it('works in the other account after switching, with the role there', async () => {
    const { second, keys, readAll, owner, viewer } = await addToTwo();
    await switchAccount(await salon.toContext(keys.session), second);
    const expected = { session: viewer, token: owner, otherSession: viewer, otherToken: viewer };
    expect(await readAll()).toEqual(expected);
  });

  it('loses a role at once in the account that lowers it, and keeps the other', async () => {
    const { first, person, readAll, viewer } = await addToTwo();
    const lower = (tx: Writer) =>
      tx.run("update memberships set role = 'receptionist' where account_id = ? and user_id = ?", [
        first,
        person.id,
      ]);
    await salon.change(lower);
    const receptionist = { account: first, role: 'receptionist' };
    const expected = { session: receptionist, token: receptionist, otherSession: viewer, otherToken: viewer };
    expect(await readAll()).toEqual(expected);
  });

  it('loses access at once to the account that ends the membership, and keeps the other', async () => {
    const { first, person, readAll, viewer } = await addToTwo();
    const holder = { accountId: first, userId: person.id };
    await salon.change((tx, environment) => revokeAccess(tx, holder, environment.now().toISOString()));
    const expected = { session: 401, token: 401, otherSession: viewer, otherToken: viewer };
    expect(await readAll()).toEqual(expected);
  });
});
