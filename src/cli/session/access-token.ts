import type { RenewableCredential } from '../../client/http/credential.ts';
import { SalonError } from '../../contract/errors.ts';
import { openKeyring } from '../oauth/keyring.ts';
import { isDue, isExpired, type Tokens } from '../oauth/tokens.ts';
import type { GrantContext } from './network.ts';
import { readTokens } from './saved-grant.ts';
import type { Session } from './session.ts';

/**
 * The access tokens of a saved sign-in. They are renewed shortly before they expire and when the server refuses one,
 * once for all processes. Methods throw `not_signed_in` when the sign-in has ended.
 */
export function createAccessToken(options: GrantContext): RenewableCredential {
  const { grant, session, io, messages } = options;
  const ended = createEndedError(session);
  let tokens: Tokens | undefined;
  let renewal: Promise<Tokens> | undefined;
  const renewOnce = (refused?: string) => {
    renewal ??= import('./grant-lifetime.ts')
      .then(({ renewTokens }) => renewTokens({ ...options, ended }, refused))
      .then((renewed) => {
        tokens = renewed;
        return renewed;
      })
      .finally(() => {
        renewal = undefined;
      });
    return renewal;
  };
  return {
    kind: 'renewable',
    origin: grant.origin,
    async read() {
      tokens ??= await readTokens(grant, openKeyring(io.platform));
      if (tokens === undefined) throw ended;
      const isRenewable = tokens.refresh_token !== undefined;
      const isUsable = !isExpired(tokens, io.now());
      if (isUsable && !(isRenewable && isDue(tokens, io.now()))) return tokens.access_token;
      const { access_token: former } = tokens;
      try {
        return (await renewOnce()).access_token;
      } catch (error) {
        if (!isUsable || !(error instanceof SalonError) || error.code === 'not_signed_in') throw error;
        messages.verbose(`Could not renew the sign-in yet: ${error.message}`);
        return former;
      }
    },
    async renew(refused) {
      if (tokens !== undefined && tokens.access_token !== refused) return tokens.access_token;
      return (await renewOnce(refused)).access_token;
    },
  };
}

/** The sign-in was revoked, was not used for too long, or is no longer stored. */
function createEndedError({ profileName, settings }: Session): SalonError {
  const where = settings.baseUrl?.value ?? 'the salon';
  const profile = profileName === undefined ? '' : ` -p ${profileName}`;
  return new SalonError('not_signed_in', `Your sign-in to ${where} has ended.`, {
    hint: `Sign in again: salon auth login${profile}`,
  });
}
