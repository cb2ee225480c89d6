import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRequest, toJson } from '../../../support/send-request.ts';
import { openTestService, type TestService } from '../../../support/service.ts';
import { signInVisitor } from '../../../support/signed-in-visitor.ts';
import type { FormValues, VisitedPage, Visitor } from '../../../support/visitor.ts';

const now = new Date('2026-11-21T12:00:00Z');
const listPath = '/settings/api-keys';
const newPath = `${listPath}/new`;

let service: TestService;
let owner: Visitor;
let manager: Visitor;
beforeAll(async () => {
  service = await openTestService({ now: () => now });
  await service.addPerson({ email: 'ana@salon.example', name: 'Ana Costa', role: 'owner' });
  await service.addPerson({ email: 'max@salon.example', name: 'Max Holm', role: 'manager' });
  owner = await signInVisitor(service.origin, 'ana@salon.example');
  manager = await signInVisitor(service.origin, 'max@salon.example');
});
afterAll(() => service[Symbol.asyncDispose]());

/** The page that the form leads to, by default with a valid name and role. */
async function generate(values: FormValues, visitor = owner): Promise<VisitedPage> {
  const page = await visitor.open(newPath);
  return visitor.press(page, 'Generate New Key', { name: 'Till', role: 'receptionist', ...values });
}

function readKey({ text }: VisitedPage): string {
  return /value="(slk_[0-9A-Za-z]+)"/.exec(text)?.[1] ?? '';
}

async function readMe(key: string) {
  return toJson(await sendRequest(`${service.origin}/v1/me`, { key }));
}

/** The key as the API lists it. */
async function findKey(name: string): Promise<Record<string, unknown> | undefined> {
  const url = `${service.origin}/v1/api-keys?per_page=200&status=active,expired,revoked`;
  const { data } = JSON.parse((await sendRequest(url, { key: service.keys.owner })).text);
  return data.findLast((key: { name: string }) => key.name === name);
}

describe('Generate New Key', () => {
  it('shows a key that works, once, and lists it with its creator', async () => {
    const page = await generate({ name: 'Website' });
    const key = readKey(page);
    expect(await readMe(key)).toMatchObject({ role: 'receptionist', key: { name: 'Website' } });
    expect(page.seen).toContain('not shown again');
    const list = await owner.open(listPath);
    expect(list.seen).toContain(`Website ${key.slice(0, 8)}…`);
    expect(list.seen).toContain('Ana Costa');
    expect(list.text).not.toContain(key);
    expect(await findKey('Website')).toMatchObject({
      created_by_name: 'Ana Costa',
      expires_at: '2027-11-21T12:00:00.000Z',
    });
  });

  it.each([
    ['30', '2026-12-21T12:00:00.000Z'],
    ['never', null],
  ])('ends the key after the chosen time: %s', async (expires, expires_at) => {
    await generate({ name: `For ${expires}`, expires });
    expect(await findKey(`For ${expires}`)).toMatchObject({ expires_at });
  });

  it('ends the key with the chosen day', async () => {
    await generate({ name: 'Trial', expires: 'date', expires_on: '2026-11-21' });
    expect(await findKey('Trial')).toMatchObject({ expires_at: '2026-11-22T00:00:00.000Z' });
  });

  it('does not call the stylist optional, which the role Stylist needs', async () => {
    const { seen } = await owner.open(`${listPath}/new`);
    expect(seen).toContain('Stylist Needed for the role Stylist, and only for it.');
  });

  it('limits the key to scopes, a stylist and addresses', async () => {
    await generate({
      name: 'Mirror',
      role: 'stylist',
      stylist_id: service.stylistIds[1] ?? '',
      access: 'some',
      scopes: ['appointments:read', 'clients:read'],
      allowed_addresses: '203.0.113.9/24\n2001:DB8:0::1',
    });
    expect(await findKey('Mirror')).toMatchObject({
      role: 'stylist',
      stylist_id: service.stylistIds[1],
      scopes: ['appointments:read', 'clients:read'],
      allowed_addresses: ['203.0.113.0/24', '2001:db8::1'],
    });
    const { seen } = await owner.open(listPath);
    expect(seen).toMatch(/stylist Calendar of [^_]+ appointments:read, clients:read From 203\.0\.113\.0\/24/);
  });

  it.each([
    ['no name', { name: ' ' }, 'Name is required'],
    ['a role above every role', { role: 'admin' }, 'Role must be one of owner, manager'],
    ['no stylist for a stylist', { role: 'stylist' }, 'Stylist is required for this role'],
    ['scopes beside everything', { scopes: ['clients:read'] }, 'clear the scopes'],
    ['no scope', { access: 'some' }, 'Choose at least one scope'],
    ['a date that is not asked for', { expires_on: '2027-01-01' }, 'clear the date'],
    ['no date', { expires: 'date' }, 'Enter a date'],
    ['a day in the past', { expires: 'date', expires_on: '2026-11-20' }, 'in the future'],
    ['an unknown time', { expires: '1e9' }, 'Expires must be one of 30, 90'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 'at most 100 characters'],
    ['51 addresses', { allowed_addresses: '10.0.0.1 '.repeat(51) }, 'at most 50 entries'],
    ['the last day of all', { expires: 'date', expires_on: '9999-12-31' }, 'in the future'],
    ['a host name', { allowed_addresses: 'example.com' }, 'must be an IP address or a range'],
  ])('is refused with %s and keeps what was entered', async (_, values, message) => {
    const name = 'name' in values ? values.name : 'Wrong <b>';
    const page = await generate({ name, ...values });
    expect(page.status).toBe(422);
    expect(page.seen).toContain(message);
    expect(page.text).toContain(name.replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
    expect(await findKey(name.trim())).toBeUndefined();
  });

  it('offers a manager no role above their own, and refuses one that is sent', async () => {
    const offered = await manager.open(newPath);
    expect(offered.text).not.toContain('value="owner"');
    const page = await generate({ name: 'Too high', role: 'owner' }, manager);
    expect(page.status).toBe(403);
    expect(await findKey('Too high')).toBeUndefined();
  });

  it('is not there for a receptionist', async () => {
    await service.addPerson({ email: 'rea@salon.example', name: 'Rea', role: 'receptionist' });
    const visitor = await signInVisitor(service.origin, 'rea@salon.example');
    expect((await visitor.open('/settings/account')).text).not.toContain(listPath);
    for (const path of [listPath, newPath]) expect((await visitor.open(path)).status).toBe(403);
  });
});

describe('the list of keys', () => {
  it('rolls a key: both work until the chosen time', async () => {
    const former = readKey(await generate({ name: 'Rolled' }));
    const { id } = (await findKey('Rolled')) ?? {};
    const page = await owner.press(await owner.open(`${listPath}/${id}/roll`), 'Roll key', {
      overlap_seconds: '3600',
    });
    expect(page.seen).toContain('The old key works until 21 Nov 2026, 13:00 UTC');
    expect(await readMe(readKey(page))).toMatchObject({ role: 'receptionist' });
    expect(await readMe(former)).toMatchObject({ key: { id, expires_at: '2026-11-21T13:00:00.000Z' } });
  });

  it('refuses a roll for a longer time than the API allows', async () => {
    await generate({ name: 'Kept' });
    const { id, expires_at } = (await findKey('Kept')) ?? {};
    const page = await owner.press(await owner.open(`${listPath}/${id}/roll`), 'Roll key', {
      overlap_seconds: '604801',
    });
    expect(page.status).toBe(422);
    expect(await findKey('Kept')).toMatchObject({ id, expires_at, replaced_by: null });
  });

  it('revokes a key after confirmation, and hides it unless revoked keys are shown', async () => {
    const key = readKey(await generate({ name: 'Lost phone' }));
    const { id } = (await findKey('Lost phone')) ?? {};
    const question = await owner.open(`${listPath}/${id}/revoke`);
    expect(question.seen).toContain('Programs that use Lost phone');
    const list = await owner.press(question, 'Revoke key');
    expect(list.seen).toContain('Revoked the key Lost phone.');
    expect(await readMe(key)).toMatchObject({ status: 401, detail: expect.stringContaining('revoked') });
    expect((await owner.open(listPath)).text).not.toContain(`${listPath}/${id}`);
    expect((await owner.open(`${listPath}?show=all`)).seen).toContain('Lost phone Revoked');
  });

  it('says how many keys a key has created, and revokes it with everything it created', async () => {
    const parent = readKey(await generate({ name: 'Parent', role: 'manager' }));
    const create = (name: string) =>
      sendRequest(`${service.origin}/v1/api-keys`, {
        ...{ method: 'POST', key: parent, body: { name, role: 'viewer' } },
      });
    const [child] = [toJson(await create('Child 1')), toJson(await create('Child 2'))];
    const { id } = (await findKey('Parent')) ?? {};
    expect((await owner.open(`${listPath}/${id}/roll`)).seen).toContain('What it has created (2) ends with');
    const question = await owner.open(`${listPath}/${id}/revoke`);
    expect(question.seen).toContain(
      'or the keys and OAuth client secrets that it created (2) stop working at once',
    );
    const list = await owner.press(question, 'Revoke with everything it created');
    expect(list.seen).toContain('Revoked the key Parent and 2 that it created.');
    expect(await readMe(String(child?.['key']))).toMatchObject({ status: 401 });
  });

  it("lets a manager see an owner's key, but neither roll nor revoke it", async () => {
    const key = readKey(await generate({ name: 'Owner key', role: 'owner' }));
    const { id } = (await findKey('Owner key')) ?? {};
    const list = await manager.open(listPath);
    expect(list.seen).toContain('Owner key');
    expect(list.text).not.toContain(`${id}/revoke`);
    for (const [verb, button] of [
      ['roll', 'Roll key'],
      ['revoke', 'Revoke key'],
    ] as const) {
      const page = await manager.press(await manager.open(`${listPath}/${id}/${verb}`), button);
      expect(page.status).toBe(403);
    }
    expect(await readMe(key)).toMatchObject({ role: 'owner' });
  });

  it("does not find another account's key", async () => {
    const other = await service.addAccount();
    const url = `${service.origin}/v1/api-keys`;
    const { data } = JSON.parse((await sendRequest(url, { key: other.keys.owner })).text);
    expect((await owner.open(`${listPath}/${data[0].id}/revoke`)).status).toBe(404);
  });
});
