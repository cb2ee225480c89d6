import type { Io } from '../io.ts';
import type { Messages } from '../messages/messages.ts';
import type { SavedGrant } from './saved-grant.ts';
import type { Session } from './session.ts';

/** A saved sign-in, and what is needed to reach its server. */
export interface GrantContext {
  readonly grant: SavedGrant;
  readonly session: Session;
  readonly io: Io;
  readonly messages: Messages;
}
