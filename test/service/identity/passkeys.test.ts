import { describe, expect, it } from 'vitest';
import { readOwnSecurity } from '../../../src/service/identity/own-account.ts';
import {
  beginPasskey,
  beginPasskeySignIn,
  confirmWithPasskey,
  finishPasskey,
  finishPasskeySignIn,
  removePasskey,
} from '../../../src/service/identity/passkeys.ts';
import { signInWithPassword } from '../../../src/service/identity/password-sign-in.ts';
import { assertRecentlyConfirmed } from '../../../src/service/identity/sessions.ts';
import { type Authenticator, createAuthenticator } from '../../support/authenticator.ts';
import { openTestPeople, someBrowser, type TestPeople } from '../../support/people.ts';

const origin = 'https://salon.example';

/** A person with a passkey. */
async function addPasskey(people: TestPeople, email = 'ana@salon.example') {
  const userId = await people.addPerson({ email });
  const context = await people.signIn(email);
  const authenticator = createAuthenticator();
  const { options, ticket } = await beginPasskey(context, { origin });
  const response = authenticator.register(options, origin);
  await finishPasskey(context, { origin, ticket, name: 'Phone', response });
  return { userId, context, authenticator };
}

async function signIn(
  people: TestPeople,
  authenticator: Authenticator,
  change: { from?: string; flags?: number } = {},
) {
  const visit = people.visit();
  const { options, ticket } = await beginPasskeySignIn(visit, { origin });
  const response = authenticator.answer(options, change.from ?? origin, change.flags);
  return {
    result: await finishPasskeySignIn(visit, { origin, ticket, response, browser: someBrowser }),
    ticket,
    response,
  };
}

const refusal = {
  status: 'refused',
  message: 'This passkey was not accepted. Try again, or use your password.',
};

describe('a passkey', () => {
  it('signs a person in without an address', async () => {
    await using people = await openTestPeople();
    const { authenticator, context } = await addPasskey(people);
    expect((await signIn(people, authenticator)).result).toMatchObject({ status: 'signed_in' });
    expect(await readOwnSecurity(context)).toMatchObject({
      passkeys: [{ id: authenticator.id, name: 'Phone', last_used_at: expect.any(String) }],
    });
  });

  it('signs a person in whose password strangers have guessed at', async () => {
    await using people = await openTestPeople();
    const { authenticator } = await addPasskey(people);
    const guess = { email: 'ana@salon.example', password: 'wrong', browser: someBrowser };
    for (let at = 0; at < 11; at += 1) await signInWithPassword(people.visit(), guess);
    expect((await signIn(people, authenticator)).result).toMatchObject({ status: 'signed_in' });
  });

  it('is asked to verify the person, and offered by the browser alone', async () => {
    await using people = await openTestPeople();
    const { context } = await addPasskey(people);
    const { options } = await beginPasskeySignIn(people.visit(), { origin });
    expect(options).toMatchObject({ rpId: 'salon.example', userVerification: 'required' });
    expect(options).not.toHaveProperty('allowCredentials.0');
    expect((await beginPasskey(context, { origin })).options).toMatchObject({
      excludeCredentials: [{ type: 'public-key' }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  });

  it.each([
    ['another site', { from: 'https://salon.example.evil.test' }],
    ['another port', { from: 'https://salon.example:8443' }],
    ['a device that did not verify the person', { flags: 0x01 }],
  ])('is refused from %s', async (_, change) => {
    await using people = await openTestPeople();
    const { authenticator } = await addPasskey(people);
    expect((await signIn(people, authenticator, change)).result).toEqual(refusal);
  });

  it('is refused when a response is sent twice, or for another ticket', async () => {
    await using people = await openTestPeople();
    const { authenticator } = await addPasskey(people);
    const { ticket, response } = await signIn(people, authenticator);
    const visit = people.visit();
    const replay = { origin, response, browser: someBrowser };
    expect(await finishPasskeySignIn(visit, { ...replay, ticket })).toEqual(refusal);
    const other = await beginPasskeySignIn(visit, { origin });
    expect(await finishPasskeySignIn(visit, { ...replay, ticket: other.ticket })).toEqual(refusal);
  });

  it('is refused after five minutes', async () => {
    await using people = await openTestPeople();
    const { authenticator } = await addPasskey(people);
    const visit = people.visit();
    const { options, ticket } = await beginPasskeySignIn(visit, { origin });
    people.salon.environment.setTime('2026-11-21T12:05:00Z');
    const response = authenticator.answer(options, origin);
    expect(await finishPasskeySignIn(visit, { origin, ticket, response, browser: someBrowser })).toEqual(
      refusal,
    );
  });

  it.each([
    ['nothing', null],
    ['no ID', {}],
    ['an ID alone', { id: 'AAAA' }],
    ['parts of the wrong kind', { id: 'AAAA', response: [], type: 7 }],
  ])('is refused when the browser sends %s', async (_, response) => {
    await using people = await openTestPeople();
    await addPasskey(people);
    const visit = people.visit();
    const { ticket } = await beginPasskeySignIn(visit, { origin });
    const input = { origin, ticket, response: response as never, browser: someBrowser };
    expect(await finishPasskeySignIn(visit, input)).toEqual(refusal);
  });

  it('does not work after it was removed', async () => {
    await using people = await openTestPeople();
    const { authenticator, context } = await addPasskey(people);
    await removePasskey(context, authenticator.id);
    expect((await signIn(people, authenticator)).result).toEqual(refusal);
    await expect(removePasskey(context, authenticator.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('cannot be added or removed by another person', async () => {
    await using people = await openTestPeople();
    const { authenticator, context } = await addPasskey(people);
    await people.addPerson({ email: 'mia@salon.example' });
    const mia = await people.signIn('mia@salon.example');
    await expect(removePasskey(mia, authenticator.id)).rejects.toMatchObject({ code: 'not_found' });
    const { options, ticket } = await beginPasskey(context, { origin });
    const response = createAuthenticator().register(options, origin);
    const added = finishPasskey(mia, { origin, ticket, name: 'Mine', response });
    await expect(added).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('cannot be added twice, or without being asked for', async () => {
    await using people = await openTestPeople();
    const { authenticator, context } = await addPasskey(people);
    const { options, ticket } = await beginPasskey(context, { origin });
    const input = { origin, ticket, name: 'Again' };
    const add = (response: ReturnType<Authenticator['register']>) =>
      finishPasskey(context, { ...input, response });
    await expect(add(authenticator.register(options, origin))).rejects.toMatchObject({
      code: 'validation_failed',
    });
    const wrong = createAuthenticator().register({ challenge: 'AAAA' }, origin);
    await expect(add(wrong)).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('confirms who a person is, but not for somebody else', async () => {
    await using people = await openTestPeople();
    const { authenticator, context } = await addPasskey(people);
    const other = await addPasskey(people, 'mia@salon.example');
    people.salon.environment.setTime('2026-11-21T15:00:00Z');
    const confirm = async (with_: Authenticator) => {
      const { options, ticket } = await beginPasskeySignIn(context, { origin });
      return confirmWithPasskey(context, { origin, ticket, response: with_.answer(options, origin) });
    };
    expect(await confirm(other.authenticator)).toEqual(refusal);
    await expect(assertRecentlyConfirmed(context)).rejects.toMatchObject({ code: 'confirmation_required' });
    expect(await confirm(authenticator)).toEqual({ status: 'confirmed' });
    await assertRecentlyConfirmed(context);
  });
});
