import { hash } from 'node:crypto';
import type { AuditEntryRow, SaltedValues } from '../db/audit.ts';

/** The hash before the first entry of every chain. */
export const firstHash = '';

/** The hash of an entry: SHA-256 of the former entry's hash and of every column, in base64url. */
export function toEntryHash(formerHash: string, entry: Omit<AuditEntryRow, 'hash'>): string {
  const covered = [
    formerHash,
    ...[entry.account_id, entry.seq, entry.id, entry.at_ms, entry.action, entry.resource, entry.record_id],
    ...[entry.client_id, entry.former_client_id, entry.actor_type, entry.actor_id, entry.actor_name],
    ...[entry.via_type, entry.via_id, entry.via_name, entry.address, entry.request_id],
    ...[entry.changes, entry.values_digest],
  ];
  return hash('sha256', JSON.stringify(covered), 'base64url');
}

/** The digest that an entry has of its values. With an erased salt, it says nothing about them. */
export function toValuesDigest({ salt, body }: SaltedValues): string {
  return hash('sha256', `${salt}.${body}`, 'base64url');
}
