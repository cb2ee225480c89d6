import type { AccountIdentity } from '../../bulk/input/edit-fields.ts';
import type { SalonClient } from '../../client/client.ts';
import { readAccount } from '../session/account.ts';
import type { CommandContext } from '../session/command-context.ts';
import { toServiceOrigin } from '../session/session.ts';

/** A client, and whose records it works on: the service is asked, since a profile may have been given another key. */
export async function openSignedIn(
  context: CommandContext,
): Promise<{ readonly client: SalonClient; readonly account: AccountIdentity }> {
  const session = await context.session();
  const client = await context.client();
  const account = await readAccount(client);
  return { client, account: { origin: toServiceOrigin(session), account: account?.id ?? null } };
}
