import type { CommandContext } from './command-context.ts';
import type { Profiles } from './profiles.ts';
import { isApiKey } from './resolve-settings.ts';

/** The profiles whose saved API key is the one in use; none if it comes from elsewhere. */
export async function findProfilesWithKey({ session, profiles }: CommandContext) {
  const { credential } = (await session()).settings;
  const former =
    credential?.source === 'profile' && isApiKey(credential.value) ? credential.value.key : undefined;
  const listIn = (saved: Profiles) =>
    Object.entries(saved.all()).flatMap(([name, profile]) => {
      const { credential } = profile;
      return credential !== undefined && credential.key === former ? [{ name, profile, credential }] : [];
    });
  const found = former === undefined ? [] : listIn(await profiles());
  return {
    names: found.map(({ name }) => name),
    /**
     * Saves a new API key in place of it. Until then the file has the former key, which still works, so that an
     * interruption at any moment locks no one out.
     */
    async replaceKey(key: string): Promise<void> {
      if (found.length === 0) return;
      await (await profiles()).change((latest) => {
        // Somebody may have signed in again meanwhile.
        for (const { name, profile, credential } of listIn(latest))
          latest.save(name, { ...profile, credential: { ...credential, key } });
      });
    },
  };
}
