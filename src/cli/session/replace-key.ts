import type { CommandContext } from './command-context.ts';
import type { Profiles } from './profiles.ts';
import { isApiKey } from './resolve-settings.ts';

/** The names of the profiles whose saved API key is the one in use; none if it comes from elsewhere. */
export async function findProfilesWithKey(
  context: Pick<CommandContext, 'session' | 'profiles'>,
): Promise<readonly string[]> {
  const saved = await readSavedKey(context);
  return saved === undefined ? [] : listProfilesWith(await context.profiles(), saved);
}

/**
 * Saves a new API key in place of the one in use. Until then the file has the former key, which still works, so that
 * an interruption at any moment locks no one out.
 */
export async function replaceKeyInProfiles(
  context: Pick<CommandContext, 'session' | 'profiles'>,
  names: readonly string[],
  key: string,
): Promise<void> {
  const saved = await readSavedKey(context);
  if (saved === undefined || names.length === 0) return;
  await (await context.profiles()).change((profiles) => {
    // Somebody may have signed in again meanwhile.
    for (const name of listProfilesWith(profiles, saved)) {
      const profile = profiles.find(name);
      if (profile?.credential === undefined) continue;
      profiles.save(name, { ...profile, credential: { ...profile.credential, key } });
    }
  });
}

async function readSavedKey({ session }: Pick<CommandContext, 'session'>): Promise<string | undefined> {
  const { credential } = (await session()).settings;
  if (credential?.source !== 'profile' || !isApiKey(credential.value)) return undefined;
  return credential.value.key;
}

function listProfilesWith(profiles: Profiles, key: string): readonly string[] {
  return Object.entries(profiles.all()).flatMap(([name, { credential }]) =>
    credential?.key === key ? [name] : [],
  );
}
