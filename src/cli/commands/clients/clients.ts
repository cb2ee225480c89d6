import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { registerClientsCreate } from './create.ts';
import { registerClientsDelete } from './delete.ts';
import { registerClientsGet } from './get.ts';
import { registerClientsList } from './list.ts';
import { registerClientsUpdate } from './update.ts';

export function registerClients(clients: Command, runner: ActionRunner): void {
  registerClientsList(clients, runner);
  registerClientsGet(clients, runner);
  registerClientsCreate(clients, runner);
  registerClientsUpdate(clients, runner);
  registerClientsDelete(clients, runner);
}
