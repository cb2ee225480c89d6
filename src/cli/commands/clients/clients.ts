import type { Command } from 'commander';
import type { Frame } from '../../frame.ts';
import { registerClientsCreate } from './create.ts';
import { registerClientsDelete } from './delete.ts';
import { registerClientsGet } from './get.ts';
import { registerClientsList } from './list.ts';
import { registerClientsUpdate } from './update.ts';

export function registerClients(clients: Command, frame: Frame): void {
  registerClientsList(clients, frame);
  registerClientsGet(clients, frame);
  registerClientsCreate(clients, frame);
  registerClientsUpdate(clients, frame);
  registerClientsDelete(clients, frame);
}
