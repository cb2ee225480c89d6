/**
 * The statements of migration 021. Existing keys get the credential that the audit log says created them; one that rolled
 * itself passes its own on. They stay valid as long as before.
 */
export function listKeyOriginStatements(text: string): string[] {
  const isOwnRoll = `exists (select 1 from audit_entries as r
    where r.account_id = m.account_id and r.seq = m.seq + 1 and r.action = 'api_key.rolled' and r.record_id = m.creator)`;
  return [
    `alter table api_keys add column created_with ${text}`,
    'create index api_keys_created_with on api_keys (account_id, created_with) where created_with is not null',
    `with recursive made as (select account_id, seq, record_id as id, actor_id as creator from audit_entries
        where action = 'api_key.created' and actor_type in ('api_key', 'app')),
      origins (id, creator) as (select id, creator from made as m where not ${isOwnRoll}
        union select m.id, o.creator from made as m join origins as o on o.id = m.creator where ${isOwnRoll})
      update api_keys set created_with = (select creator from origins where origins.id = api_keys.id)
      where id in (select id from origins)`,
  ];
}
