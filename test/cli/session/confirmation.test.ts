import { describe, expect, it } from 'vitest';
import type { ConfirmationFlags } from '../../../src/cli/flags/options.ts';
import type { Prompts } from '../../../src/cli/messages/prompts.ts';
import { createConfirmation } from '../../../src/cli/session/confirmation.ts';
import type { Profile } from '../../../src/cli/session/profile.ts';
import { resolveSettings } from '../../../src/cli/session/resolve-settings.ts';
import type { Session } from '../../../src/cli/session/session.ts';
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

interface Scene extends ConfirmationFlags {
  /** The answer to every prompt; without it input is not interactive. */
  readonly answer?: string | boolean;
  readonly environmentKey?: string;
}

/** A confirmation for one profile, with the questions it asked. */
function scene(profile: Profile | undefined, { answer, environmentKey, ...flags }: Scene = {}) {
  const asked: string[] = [];
  const ask = <Answer>(question: string) => {
    asked.push(question);
    return Promise.resolve(answer as Answer);
  };
  const prompts: Prompts = {
    isInteractive: answer !== undefined,
    confirm: ask,
    text: ask,
    secret: ask,
    choose: ask,
    search: ask,
    hasBack: false,
    inTurn: () => expect.unreachable(),
  };
  const sources = { flags: {}, env: {}, profile, io: { timeZone: 'UTC' }, environmentKey };
  const profileName = profile === undefined ? undefined : 'shop';
  const settings = resolveSettings(sources);
  const session: Session = { profileName, profile, settings, env: {}, passedOver: [] };
  return { ...createConfirmation({ flags, prompts, session: async () => session }), asked };
}

describe('confirmation with an ordinary profile', () => {
  it.each([
    ['--yes', { yes: true }, []],
    ['a yes', { answer: true }, ['Remove Ana?']],
    ['the account named', { confirm: 'Salon Müller' }, []],
  ])('accepts %s', async (_what, given, questions) => {
    const { confirm, asked } = scene(plain, given);
    await confirm('Remove Ana?');
    expect(asked).toEqual(questions);
  });

  it.each([
    ['a no', { answer: false }, 'Cancelled. Nothing was changed.'],
    ['input that is not interactive', {}, 'Remove Ana? Confirmation is required.'],
    [
      'another account named',
      { confirm: 'Luna', yes: true },
      'The account is Salon Müller, not Luna. Nothing was changed.',
    ],
  ])('refuses %s', async (_what, given, message) => {
    const { confirm } = scene(plain, given);
    expect(await refusal(confirm('Remove Ana?'))).toMatchObject({ code: 'confirmation_required', message });
  });

  it('is not required for a single write', async () => {
    const { beforeWrite, asked } = scene(plain, { answer: false });
    await beforeWrite(write);
    expect(asked).toEqual([]);
  });

  it('refuses a single write when another account is named', async () => {
    const { beforeWrite } = scene(plain, { confirm: 'Luna' });
    expect((await refusal(Promise.resolve(beforeWrite(write)))).message).toMatch(
      /^The account is Salon Müller/,
    );
  });
});

describe('confirmation with a protected profile', () => {
  it.each([
    ['its name typed', { answer: ' Salon Müller ' }],
    ['its identifier typed', { answer: 'acc_1' }],
    ['--confirm with its name', { confirm: 'Salon Müller' }],
    ['--confirm with its identifier', { confirm: 'acc_1' }],
    ['its name in another Unicode form', { confirm: 'Salon Müller'.normalize('NFD') }],
  ])('accepts %s', async (_what, given) => {
    await scene(guarded, given).confirm('Remove Ana?');
    await scene(guarded, given).beforeWrite(write);
  });

  it.each([
    ['--yes', { yes: true }, /is protected: confirm with its name/],
    ['a yes typed', { answer: 'yes' }, /^The account is Salon Müller, not yes/],
    ['another name typed', { answer: 'Salon müller' }, /^The account is Salon Müller, not Salon müller/],
    ['--confirm with another name', { confirm: 'Luna' }, /^The account is Salon Müller, not Luna/],
    ['--confirm with nothing', { confirm: '' }, /^The account is Salon Müller, not /],
    ['input that is not interactive', {}, /is protected: confirm with its name/],
  ])('refuses %s', async (_what, given, message) => {
    const expected = { code: 'confirmation_required', message: expect.stringMatching(message) };
    const { confirm, beforeWrite } = scene(guarded, given);
    expect(await refusal(Promise.resolve(beforeWrite(write)))).toMatchObject(expected);
    expect(await refusal(confirm('Remove Ana?'))).toMatchObject(expected);
  });

  it('asks once per command', async () => {
    const { confirm, beforeWrite, asked } = scene(guarded, { answer: 'Salon Müller' });
    await confirm('Remove Ana?');
    await Promise.all([beforeWrite(write), beforeWrite(write)]);
    expect(asked).toEqual(['Remove Ana? Salon Müller is protected. Type its name']);
  });

  it('asks once for simultaneous writes', async () => {
    const { beforeWrite, asked } = scene(guarded, { answer: 'Salon Müller' });
    await Promise.all([beforeWrite(write), beforeWrite(write)]);
    expect(asked).toEqual(['Send POST /api/v1/clients? Salon Müller is protected. Type its name']);
  });

  it('asks once after a refusal', async () => {
    const { confirm, beforeWrite, asked } = scene(guarded, { answer: 'no' });
    await refusal(confirm('Remove Ana?'));
    await refusal(Promise.resolve(beforeWrite(write)));
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['the account has no name', { ...guarded, account: { ...account, name: ' ' } }, {}],
    ['the account is unknown', { base_url: 'https://shop.test', protected: true }, {}],
    ['the key comes from the environment', guarded, { environmentKey: 'other' }],
  ])('accepts the name of the profile where %s', async (_why, profile, given) => {
    await scene(profile, { ...given, confirm: 'shop' }).confirm('Remove Ana?');
    const { message } = await refusal(scene(profile, { ...given, confirm: 'acc_1' }).confirm('Remove Ana?'));
    expect(message).toMatch(/^The account is shop, not acc_1/);
  });
});

describe('confirmation with a read-only profile', () => {
  it.each([[{ yes: true }], [{ confirm: 'Salon Müller' }], [{ answer: true }]])(
    'is always refused: %j',
    async (given) => {
      const expected = {
        code: 'read_only',
        message: expect.stringMatching(/^Profile shop is read-only/),
      };
      const { confirm, beforeWrite, asked } = scene(readOnly, given);
      expect(await refusal(confirm('Remove Ana?'))).toMatchObject(expected);
      expect(await refusal(Promise.resolve(beforeWrite(write)))).toMatchObject(expected);
      expect(asked).toEqual([]);
    },
  );
});

describe('confirmation without a profile', () => {
  it('needs only a yes', async () => {
    const { confirm, beforeWrite } = scene(undefined, { yes: true, environmentKey: 'k' });
    await confirm('Remove Ana?');
    await beforeWrite(write);
  });

  it('refuses --confirm, which cannot be checked', async () => {
    const { confirm } = scene(undefined, { confirm: 'Salon Müller', environmentKey: 'k' });
    expect((await refusal(confirm('Remove Ana?'))).message).toMatch(
      /is unknown, so --confirm cannot be checked/,
    );
  });
});
