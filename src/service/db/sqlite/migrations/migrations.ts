import type { Migration } from 'kysely/migration';
import { identityMigration } from './013-identity.ts';
import { apiKeysMigration } from './014-api-keys.ts';
import { oauthMigration } from './015-oauth.ts';
import { auditMigration } from './016-audit.ts';
import { erasureMigration } from './017-erasure.ts';
import { accountKeysMigration } from './018-account-keys.ts';
import { databaseSettingsMigration } from './019-database-settings.ts';
import { secretHoldersMigration } from './020-secret-holders.ts';
import { keyOriginsMigration } from './021-key-origins.ts';
import { secondFactorsMigration } from './022-second-factors.ts';
import { responsesMigration } from './023-responses.ts';
import { alikeLettersMigration } from './024-alike-letters.ts';
import { firstMigrations } from './first-migrations.ts';
import { toMigration } from './statements.ts';

/** In order. A released migration is never changed. */
export const migrations: Readonly<Record<string, Migration>> = {
  ...firstMigrations,
  '013-identity': identityMigration,
  '014-api-keys': apiKeysMigration,
  '015-oauth': oauthMigration,
  '016-audit': auditMigration,
  '017-erasure': erasureMigration,
  '018-account-keys': accountKeysMigration,
  '019-database-settings': databaseSettingsMigration,
  '020-secret-holders': secretHoldersMigration,
  '021-key-origins': keyOriginsMigration,
  '022-second-factors': secondFactorsMigration,
  '023-responses': responsesMigration,
  '024-alike-letters': alikeLettersMigration,
  '025-no-row-counts': toMigration('drop table blocks'),
};
