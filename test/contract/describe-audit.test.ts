import { describe, expect, it } from 'vitest';
import {
  describeAction,
  describeActor,
  describeChanges,
  describeRecord,
  describeResource,
} from '../../src/contract/describe-audit.ts';

const client = `cli_${'0'.repeat(26)}`;
const stylist = `sty_${'0'.repeat(26)}`;
const appointment = `apt_${'0'.repeat(26)}`;
const webhook = `whk_${'0'.repeat(26)}`;

describe('describeAction', () => {
  it('says what was done, without codes', () => {
    expect(describeAction('user.signed_in')).toBe('Signed in');
    expect(describeAction('client.updated')).toBe('Client updated');
    expect(describeAction('api_key.created')).toBe('API key created');
    expect(describeAction('client.exported')).toBe('Clients exported');
    expect(describeAction('gift_card.sold')).toBe('Gift card sold');
  });

  it('reads no property that every object has', () => {
    expect(describeAction('constructor')).toBe('Constructor');
    expect(describeResource('oauth_grant')).toBe('Connected apps');
    expect(describeResource('appointment')).toBe('Appointments');
  });
});

describe('describeActor', () => {
  it('names people, keys, apps and the operator', () => {
    expect(describeActor({ actor: { type: 'api_key', id: 'key_1', name: 'front desk' }, via: null })).toBe(
      'front desk (API key)',
    );
    const via = { type: 'app', id: 'app_1', name: 'Booking site' };
    expect(describeActor({ actor: { type: 'user', id: 'usr_1', name: 'Ana' }, via })).toBe(
      'Ana (with Booking site)',
    );
    expect(describeActor({ actor: { type: 'operator', id: null, name: null }, via: null })).toBe('Operator');
    expect(describeActor({ actor: { type: 'anonymous', id: null, name: null }, via: null })).toBe(
      'Not signed in',
    );
  });
});

describe('describeRecord', () => {
  const names = { [client]: 'Ana Costa', [appointment]: 'Haircut' };

  it('uses names', () => {
    expect(describeRecord({ record_id: client, client_id: client, names })).toBe('Ana Costa');
    expect(describeRecord({ record_id: appointment, client_id: client, names })).toBe(
      'Haircut for Ana Costa',
    );
    expect(describeRecord({ record_id: null, client_id: null, names })).toBe('');
  });

  it('says that a client was erased, and names a deleted record as the entry does', () => {
    expect(describeRecord({ record_id: client, client_id: client, names: {} })).toBe('erased client');
    expect(describeRecord({ record_id: webhook, client_id: null, names: {} })).toBe('deleted webhook');
    const before = { url: 'https://example.com/hook' };
    expect(describeRecord({ record_id: webhook, client_id: null, before, names: {} })).toBe(
      'https://example.com/hook',
    );
  });

  it('shows the ID where a server names nothing', () => {
    expect(describeRecord({ record_id: client, client_id: client })).toBe(client);
  });
});

describe('describeChanges', () => {
  it('writes fields in words, people by name, and times as told', () => {
    const entry = {
      names: { [stylist]: 'Mia Sato' },
      before: { stylist_id: stylist, start_time: '2026-11-24T10:00:00.000Z', status: 'pending' },
      after: { stylist_id: null, start_time: '2026-11-25T10:00:00.000Z', status: 'no_show' },
    };
    expect(describeChanges(entry, (time) => time.slice(5, 10))).toBe(
      'stylist: Mia Sato → –; start time: 11-24 → 11-25; status: pending → no show',
    );
  });

  it('names a refused operation', () => {
    const details = { operation: 'listAuditLog', code: 'permission_denied' };
    expect(describeChanges({ before: null, after: null, details })).toBe(
      'operation: List audit log entries; code: permission denied',
    );
  });

  it('says that values were erased', () => {
    expect(describeChanges({ before: null, after: null, details: { rows: 3 }, erased: true })).toBe(
      'rows: 3; (values erased)',
    );
  });
});
