import { kindOfId } from './identifiers.ts';

/** Actions whose words are not simply those of their code. */
const actionWords: Readonly<Record<string, string>> = {
  'appointment.no_show': 'Appointment marked as no-show',
  'appointment.arrived': 'Client arrived',
  'audit_log.pruned': 'Old audit entries deleted',
  'audit_values.erased': 'Client erased from the audit log',
  'account.loaded': 'Records imported',
  'account.seeded': 'Sample records added',
  'access.refused': 'Request refused',
  'client.restored': 'Merge of clients undone',
  'client.merged': 'Client merged into another',
  'membership.created': 'Member joined',
  'membership.ended': 'Member deactivated',
  'membership.updated': 'Member changed',
  'oauth_client.secret_revoked': 'Secret of OAuth client revoked',
  'oauth_client.secret_rotated': 'Secret of OAuth client rotated',
  'oauth_grant.created': 'App connected',
  'oauth_grant.revoked': 'App disconnected',
  'secrets.rotated': 'Encryption key rotated',
  'user.erased': 'Person erased',
  'user.passkey_added': 'Passkey added',
  'user.passkey_removed': 'Passkey removed',
  'user.password_changed': 'Password changed',
  'user.password_reset': 'Password reset',
  'user.recovery_codes_created': 'Recovery codes created',
  'user.renamed': 'Person renamed',
  'user.reset_created': 'Link to reset a password created',
  'user.reset_requested': 'Password reset requested',
  'user.second_factor_added': 'Second factor added',
  'user.second_factor_removed': 'Second factor removed',
  'user.sign_in_failed': 'Sign-in failed',
  'user.signed_in': 'Signed in',
  'user.signed_out': 'Signed out',
  'webhook.redelivered': 'Webhook deliveries repeated',
  'webhook.secret_rotated': 'Secret of webhook rotated',
};

/** The resources of actions whose words are not simply those of their code. */
const resourceWords: Readonly<Record<string, string>> = {
  access: 'refused requests',
  api_key: 'API keys',
  audit_entry: 'audit entries',
  audit_log: 'audit log',
  audit_values: 'erasures',
  delivery: 'webhook deliveries',
  membership: 'team',
  oauth_client: 'OAuth clients',
  oauth_grant: 'connected apps',
  secrets: 'encryption keys',
  user: 'sign-in and security',
};

const singulars: Readonly<Record<string, string>> = { api_key: 'API key', oauth_client: 'OAuth client' };

/** What was done, in words: "Signed in" for `user.signed_in`, "Client updated" for `client.updated`. */
export function describeAction(action: string): string {
  const own = findOwn(actionWords, action);
  if (own !== undefined) return own;
  const [resource = '', verb = ''] = action.split('.');
  const what =
    verb === 'exported' ? describeResource(resource) : (findOwn(singulars, resource) ?? renderCode(resource));
  return toSentence(`${what} ${renderCode(verb)}`.trim());
}

/** A kind of action in words, such as "Clients" for `client`. */
export function describeResource(resource: string): string {
  return toSentence(findOwn(resourceWords, resource) ?? `${renderCode(resource)}s`);
}

const kindWords: Readonly<Record<string, string>> = {
  client: 'erased client',
  webhook: 'deleted webhook',
  oauth_client: 'deleted app',
  grant: 'former app connection',
  session: 'ended session',
  invitation: 'former invitation',
  user: 'former person',
  api_key: 'API key',
};

/** Stands for the name of a record that has none, such as "erased client". The ID itself if its form is unknown. */
export function describeUnnamed(id: string): string {
  const kind = kindOfId(id);
  return kind === undefined ? id : (kindWords[kind] ?? renderCode(kind));
}

/** A code as words: "no show" for `no_show`. */
export function renderCode(code: string): string {
  return code.replaceAll('_', ' ');
}

function findOwn(words: Readonly<Record<string, string>>, code: string): string | undefined {
  return Object.hasOwn(words, code) ? words[code] : undefined;
}

function toSentence(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
