import type { ActorType } from '../../contract/audit.ts';

/** The tables of the audit log. */
export interface AuditTables {
  /** A chain of entries for each account, and one for the service itself. The database refuses to change them. */
  audit_entries: {
    /** An account, or `service`. */
    account_id: string;
    /** Position in the chain, from 1, without gaps. */
    seq: number;
    id: string;
    at_ms: number;
    /** Such as `client.updated`. */
    action: string;
    resource: string;
    record_id: string | null;
    /** The client whose personal data the values hold. */
    client_id: string | null;
    /** The client that the record belonged to before the change, if that was another one. */
    former_client_id: string | null;
    actor_type: ActorType;
    actor_id: string | null;
    actor_name: string | null;
    /** The app or session that a person used. */
    via_type: 'app' | 'session' | null;
    via_id: string | null;
    via_name: string | null;
    address: string | null;
    request_id: string | null;
    /** `before`, `after` and `details` as JSON, without the personal data of clients. */
    changes: string | null;
    /** The salted digest of the values with personal data of clients. */
    values_digest: string | null;
    /** SHA-256 of the former entry's hash and of all columns above. */
    hash: string;
  };
  /** Values with personal data of clients. Erasing them does not break the chain. */
  audit_values: {
    account_id: string;
    seq: number;
    salt: string;
    /** `before` and `after` as JSON. */
    body: string;
  };
  /** Where the remaining chain of an account begins: the last entry that was deleted at the end of its retention. */
  audit_checkpoints: { account_id: string; seq: number; hash: string };
  /** How long an account keeps its entries, if it has chosen. */
  audit_settings: { account_id: string; kept_days: number };
}
