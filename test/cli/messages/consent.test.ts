import { describe, expect, it } from 'vitest';
import type { Prompts } from '../../../src/cli/messages/prompts.ts';
import { type ConsentFlags, createConsent } from '../../../src/cli/session/consent.ts';
import type { Profile } from '../../../src/cli/session/profiles.ts';
import type { Session } from '../../../src/cli/session/session.ts';
import { resolveSettings } from '../../../src/cli/session/settings.ts';
import { refusal } from '../../support/open-client.ts';

const account = { id: 'acc_1', name: 'Salon Müller', plan: 'pro', role: 'owner' };
const plain: Profile = {
  base_url: 'https://shop.test',
  credential: { key: 'k', origin: 'https://shop.test' },
  account,
};
const guarded: Profile = { ...plain, protected: true };
const readOnly: Profile = { ...plain, read_only: true };
const write = { method: 'POST', path: '/api/v1/clients' };

interface Scene extends ConsentFlags {
  /** What the person at the terminal answers; left out, nobody is there. */
  readonly answer?: string | boolean;
  readonly environmentKey?: string;
}

/** A consent under one profile, and the questions it asked. */
function scene(profile: Profile | undefined, { answer, environmentKey, ...flags }: Scene = {}) {
  const asked: string[] = [];
  const ask = <Answer>(question: string) => {
    asked.push(question);
    return Promise.resolve(answer as Answer);
  };
  const prompts: Prompts = { possible: answer !== undefined, confirm: ask, text: ask, secret: ask };
  const sources = { flags: {}, env: {}, profile, systemTimeZone: 'UTC', environmentKey };
  const profileName = profile === undefined ? undefined : 'shop';
  const session: Session = { profileName, profile, settings: resolveSettings(sources) };
  return { ...createConsent({ flags, prompts, session: async () => session }), asked };
}

describe('consent under an ordinary profile', () => {
  it.each([
    ['--yes', { yes: true }, []],
    ['a yes', { answer: true }, ['Remove Ana?']],
    ['the account named', { confirm: 'Salon Müller' }, []],
  ])('is given by %s', async (_what, given, questions) => {
    const { ask, asked } = scene(plain, given);
    await ask('Remove Ana?');
    expect(asked).toEqual(questions);
  });

  it.each([
    ['a no', { answer: false }, 'Nothing was changed.'],
    ['nobody there', {}, 'Remove Ana? Nobody is here to say yes.'],
    [
      'another account named',
      { confirm: 'Luna', yes: true },
      'This is Salon Müller, not Luna: nothing was changed.',
    ],
  ])('is not given by %s', async (_what, given, message) => {
    const { ask } = scene(plain, given);
    expect(await refusal(ask('Remove Ana?'))).toMatchObject({ code: 'confirmation_required', message });
  });

  it('is not asked for before a single write', async () => {
    const { beforeWrite, asked } = scene(plain, { answer: false });
    await beforeWrite(write);
    expect(asked).toEqual([]);
  });

  it('is refused before a single write that is meant for another account', async () => {
    const { beforeWrite } = scene(plain, { confirm: 'Luna' });
    expect((await refusal(Promise.resolve(beforeWrite(write)))).message).toMatch(/^This is Salon Müller/);
  });
});

describe('consent under a protected profile', () => {
  it.each([
    ['its name typed', { answer: ' Salon Müller ' }],
    ['its identifier typed', { answer: 'acc_1' }],
    ['--confirm with its name', { confirm: 'Salon Müller' }],
    ['--confirm with its identifier', { confirm: 'acc_1' }],
    ['the same letters put together otherwise', { confirm: 'Salon Müller'.normalize('NFD') }],
  ])('is given by %s', async (_what, given) => {
    await scene(guarded, given).ask('Remove Ana?');
    await scene(guarded, given).beforeWrite(write);
  });

  it.each([
    ['--yes', { yes: true }, /nobody is here to type its name/],
    ['a yes typed', { answer: 'yes' }, /^This is Salon Müller, not yes/],
    ['another name typed', { answer: 'Salon müller' }, /^This is Salon Müller, not Salon müller/],
    ['--confirm with another name', { confirm: 'Luna' }, /^This is Salon Müller, not Luna/],
    ['--confirm with nothing', { confirm: '' }, /^This is Salon Müller, not /],
    ['nobody there', {}, /nobody is here to type its name/],
  ])('is not given by %s', async (_what, given, message) => {
    const expected = { code: 'confirmation_required', message: expect.stringMatching(message) };
    const { ask, beforeWrite } = scene(guarded, given);
    expect(await refusal(Promise.resolve(beforeWrite(write)))).toMatchObject(expected);
    expect(await refusal(ask('Remove Ana?'))).toMatchObject(expected);
  });

  it('is asked for once, whatever is sent after it', async () => {
    const { ask, beforeWrite, asked } = scene(guarded, { answer: 'Salon Müller' });
    await ask('Remove Ana?');
    await Promise.all([beforeWrite(write), beforeWrite(write)]);
    expect(asked).toEqual(['Remove Ana? Salon Müller is protected; type its name']);
  });

  it('is asked for once where several writes come at the same time', async () => {
    const { beforeWrite, asked } = scene(guarded, { answer: 'Salon Müller' });
    await Promise.all([beforeWrite(write), beforeWrite(write)]);
    expect(asked).toEqual(['Send POST /api/v1/clients? Salon Müller is protected; type its name']);
  });

  it('stays refused once it was refused', async () => {
    const { ask, beforeWrite, asked } = scene(guarded, { answer: 'no' });
    await refusal(ask('Remove Ana?'));
    await refusal(Promise.resolve(beforeWrite(write)));
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['the account has no name', { ...guarded, account: { ...account, name: ' ' } }, {}],
    ['the service does not say whose key it is', { base_url: 'https://shop.test', protected: true }, {}],
    ['the key comes from the environment', guarded, { environmentKey: 'other' }],
  ])('takes the profile’s name where %s', async (_why, profile, given) => {
    await scene(profile, { ...given, confirm: 'shop' }).ask('Remove Ana?');
    const { message } = await refusal(scene(profile, { ...given, confirm: 'acc_1' }).ask('Remove Ana?'));
    expect(message).toMatch(/^This is shop, not acc_1/);
  });
});

describe('consent under a read-only profile', () => {
  it.each([[{ yes: true }], [{ confirm: 'Salon Müller' }], [{ answer: true }]])(
    'is never given: %j',
    async (given) => {
      const expected = {
        code: 'confirmation_required',
        message: expect.stringMatching(/^Profile shop is read-only/),
      };
      const { ask, beforeWrite, asked } = scene(readOnly, given);
      expect(await refusal(ask('Remove Ana?'))).toMatchObject(expected);
      expect(await refusal(Promise.resolve(beforeWrite(write)))).toMatchObject(expected);
      expect(asked).toEqual([]);
    },
  );
});

describe('consent without a profile', () => {
  it('asks for a yes alone', async () => {
    const { ask, beforeWrite } = scene(undefined, { yes: true, environmentKey: 'k' });
    await ask('Remove Ana?');
    await beforeWrite(write);
  });

  it('cannot be given by naming an account, which nothing here could check', async () => {
    const { ask } = scene(undefined, { confirm: 'Salon Müller', environmentKey: 'k' });
    expect((await refusal(ask('Remove Ana?'))).message).toMatch(/is not known, so --confirm says nothing/);
  });
});
