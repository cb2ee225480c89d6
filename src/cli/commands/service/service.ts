import type { Command } from 'commander';
import type { Frame } from '../../frame.ts';
import { addGroup } from '../../options.ts';
import { registerAccountCreate } from './account-create.ts';
import { registerServiceBackup } from './backup.ts';
import { registerKeyCreate } from './key-create.ts';
import { registerKeyRevoke } from './key-revoke.ts';
import { registerServiceSeed } from './seed.ts';
import { registerServiceStart } from './start.ts';

export function registerService(program: Command, frame: Frame): void {
  const service = addGroup(program, {
    name: 'service',
    description: 'Host a salon: run the service, its accounts, keys and data',
  });
  registerServiceStart(service, frame);
  registerServiceSeed(service, frame);
  registerServiceBackup(service, frame);
  const account = addGroup(service, { name: 'account', description: 'The accounts of a database' });
  registerAccountCreate(account, frame);
  const key = addGroup(service, { name: 'key', description: 'The API keys of a database' });
  registerKeyCreate(key, frame);
  registerKeyRevoke(key, frame);
}
