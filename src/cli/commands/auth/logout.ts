import { SalonError, withContext } from '../../../contract/errors.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { requireProfile } from '../../session/session.ts';

/** Removes the API key of a profile, or ends its sign-in here and at the server. */
export async function logout(context: CommandContext): Promise<CommandResult> {
  const store = await context.profiles();
  const { profileName, settings } = await context.session();
  if (profileName === undefined) {
    throw new SalonError('usage', 'No profile is in use.', { hint: 'Choose one with --profile.' });
  }
  const { oauth: grant } = requireProfile(store, profileName);
  const { variable } = settings.credential ?? {};
  const still = variable === undefined ? '' : ` ${variable} is still set, and commands use its key.`;
  const end = grant && (await endGrantOfProfile(context, profileName));
  const removed = await store.change((profiles) => {
    const { credential, oauth, ...kept } = requireProfile(profiles, profileName);
    // A sign-in that another process has just saved is not this one.
    const isOther = oauth !== undefined && oauth.id !== grant?.id;
    profiles.save(profileName, isOther ? { ...kept, oauth } : kept);
    return credential;
  });
  if (end === undefined) {
    const message =
      removed === undefined
        ? `Profile ${profileName} has no API key and no sign-in.`
        : `Removed the API key of profile ${profileName}.`;
    return { show: 'nothing', message: `${message}${still}` };
  }
  const { failure, isRevoked } = end;
  if (failure !== undefined) {
    throw withContext(failure, {
      message: `Signed out on this machine, but ${grant?.issuer} did not confirm it: ${failure.message}`,
      hint: 'Disconnect the command line in your account settings, under Connected apps.',
    });
  }
  const where = isRevoked
    ? ''
    : ` ${grant?.issuer} does not support revocation; the sign-in expires there when unused.`;
  return { show: 'nothing', message: `Signed out of profile ${profileName}.${where}${still}` };
}

/** Undefined where the profile has no sign-in. */
export async function endGrantOfProfile(context: CommandContext, profileName: string) {
  const session = await context.session(profileName);
  const grant = session.profile?.oauth;
  if (grant === undefined) return undefined;
  const { endGrant: end } = await import('../../session/end-grant.ts');
  return end({ grant, session, io: context.io, messages: context.messages });
}
