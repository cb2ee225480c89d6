import { describe, expect, it } from 'vitest';
import { createApiKey, getApiKey, revokeApiKey, rollApiKey } from '../../../src/service/identity/api-keys.ts';
import { signInAs, till, useKey } from '../../support/api-keys.ts';
import { openTestSalon } from '../../support/salon.ts';

const dayMs = 86_400_000;

describe('rolling an API key', () => {
  it('replaces it with one that has the same rights; both work until the overlap ends', async () => {
    await using salon = await openTestSalon();
    const stylist_id = await salon.addStylist();
    const rights: Parameters<typeof createApiKey>[1] = {
      ...{ name: 'Mirror', role: 'stylist', stylist_id },
      scopes: ['appointments:read'],
      allowed_addresses: ['203.0.113.7'],
      expires_at: '2026-12-21T12:00:00Z',
    };
    const former = await createApiKey(salon.as(), rights);
    salon.environment.setTime('2026-11-22T12:00:00Z');
    const rolled = await rollApiKey(salon.as(), former.id, {});
    expect(rolled).toMatchObject({
      ...rights,
      expires_at: '2026-12-22T12:00:00.000Z',
      former_id: former.id,
      former_expires_at: '2026-11-23T12:00:00.000Z',
    });
    expect(rolled.key).not.toBe(former.key);
    expect(await getApiKey(salon.as(), former.id)).toMatchObject({
      replaced_by: rolled.id,
      status: 'active',
    });
    salon.environment.setTime('2026-11-23T11:59:59Z');
    for (const { key } of [former, rolled]) expect((await useKey(salon, key)).caller.role).toBe('stylist');
    salon.environment.setTime('2026-11-23T12:00:00Z');
    await expect(useKey(salon, former.key)).rejects.toMatchObject({ code: 'invalid_token' });
    expect((await useKey(salon, rolled.key)).caller.role).toBe('stylist');
  });

  it('can be repeated while the former key is valid, with the lifetime it had at first', async () => {
    await using salon = await openTestSalon();
    const former = await createApiKey(salon.as(), till);
    await rollApiKey(salon.as(), former.id, {});
    const again = await rollApiKey(salon.as(), former.id, {});
    expect(Date.parse(again.expires_at ?? '')).toBe(salon.environment.now().getTime() + 365 * dayMs);
    expect(again.former_expires_at).toBe('2026-11-22T12:00:00.000Z');
    const forever = await createApiKey(salon.as(), { ...till, expires_at: null });
    expect(await rollApiKey(salon.as(), forever.id, {})).toMatchObject({ expires_at: null });
    const last = '9999-12-31T23:59:59.999Z';
    const late = await createApiKey(salon.as(), { ...till, expires_at: last });
    salon.environment.setTime('2026-11-21T13:00:00Z');
    expect(await rollApiKey(salon.as(), late.id, {})).toMatchObject({ expires_at: last, status: 'active' });
  });

  it('never makes the former key valid for longer', async () => {
    await using salon = await openTestSalon();
    const { id } = await createApiKey(salon.as(), { ...till, expires_at: '2026-11-21T13:00:00Z' });
    const { former_expires_at } = await rollApiKey(salon.as(), id, { overlap_seconds: 604_800 });
    expect(former_expires_at).toBe('2026-11-21T13:00:00.000Z');
  });

  it('stops the former key at once without an overlap', async () => {
    await using salon = await openTestSalon();
    const { id, key } = await createApiKey(salon.as(), till);
    await rollApiKey(salon.as(), id, { overlap_seconds: 0 });
    await expect(useKey(salon, key)).rejects.toMatchObject({ code: 'invalid_token' });
  });

  it('is refused for a revoked or expired key', async () => {
    await using salon = await openTestSalon();
    const revoked = await createApiKey(salon.as(), till);
    await revokeApiKey(salon.as(), revoked.id);
    const expired = await createApiKey(salon.as(), { ...till, expires_at: '2026-11-21T13:00:00Z' });
    salon.environment.setTime('2026-11-21T13:00:00Z');
    for (const { id } of [revoked, expired]) {
      const refusal = { violations: [{ code: 'inactive' }] };
      await expect(rollApiKey(salon.as(), id, {})).rejects.toMatchObject(refusal);
    }
  });

  it('never grants more rights than the caller has', async () => {
    await using salon = await openTestSalon();
    const above = await createApiKey(salon.as(), { name: 'Owner', role: 'owner' });
    const manager = await signInAs(salon, 'manager');
    for (const change of [rollApiKey(manager, above.id, {}), revokeApiKey(manager, above.id)]) {
      await expect(change).rejects.toMatchObject({ code: 'permission_denied' });
    }
    const all = await createApiKey(salon.as(), till);
    const narrow = salon.as({ scopes: ['api_keys:write'] });
    await expect(rollApiKey(narrow, all.id, {})).rejects.toMatchObject({ code: 'insufficient_scope' });
    await revokeApiKey(narrow, all.id);
  });
});
