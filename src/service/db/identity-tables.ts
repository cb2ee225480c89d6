import type { Role } from '../../contract/roles.ts';

/** What a link that works once is for. */
export type OneTimeLinkKind = 'invitation' | 'reset';

/** People and how they sign in. Hashes are SHA-256 in hexadecimal of random texts that only their holder knows. */
export interface IdentityTables {
  users: {
    id: string;
    email: string;
    /** The address in the form that identifies it, see `email-address.ts`. */
    email_key: string;
    name: string;
    /** argon2id in PHC format. */
    password_hash: string;
    /** The sealed seed of the authenticator app; null without a second factor. */
    totp_secret: string | null;
    /** The time step of the last accepted code: each works once. */
    totp_step: number | null;
    /** When a mailed link proved that the address is theirs. */
    verified_at: string | null;
    created_at: string;
  };
  memberships: {
    account_id: string;
    user_id: string;
    role: Role;
    /** Set for the role stylist alone. */
    stylist_id: string | null;
    created_at: string;
    ended_at: string | null;
  };
  sessions: {
    hash: string;
    id: string;
    user_id: string;
    /** The account the person works in; they may switch. */
    account_id: string;
    created_ms: number;
    /** Written once in a few minutes. */
    last_used_ms: number;
    expires_ms: number;
    /** When the person last proved who they are. */
    authenticated_ms: number;
    address: string | null;
    user_agent: string | null;
    /** Whether the sign-in had one, or a passkey. */
    has_second_factor: 0 | 1;
  };
  one_time_links: {
    hash: string;
    id: string;
    kind: OneTimeLinkKind;
    /** Of an invitation. */
    account_id: string | null;
    /** Of a reset. */
    user_id: string | null;
    email: string;
    email_key: string;
    role: Role | null;
    stylist_id: string | null;
    /** The person who made it; null for the operator, and for a reset by mail. */
    creator_id: string | null;
    /** Whether it was sent by mail only, so that using it proves the address. */
    is_mailed: 0 | 1;
    removes_second_factor: 0 | 1;
    created_ms: number;
    expires_ms: number;
    used_ms: number | null;
  };
  /** Steps of sign-ins that cannot be repeated. */
  used_tickets: { hash: string; expires_ms: number };
  /** How many attempts are left to whom, see `attempt-limits.ts`. */
  attempt_limits: { key: string; until_ms: number };
  passkeys: {
    /** The credential ID in base64url. */
    id: string;
    user_id: string;
    name: string;
    /** COSE, in base64url. */
    public_key: string;
    counter: number;
    /** A JSON list. */
    transports: string;
    created_at: string;
    last_used_at: string | null;
  };
  /** Unused ones. */
  recovery_codes: { user_id: string; hash: string };
}
