import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { registerStylistsCreate } from './create.ts';
import { registerStylistsGet } from './get.ts';
import { registerStylistsList } from './list.ts';
import { registerStylistsUpdate } from './update.ts';

export function registerStylists(stylists: Command, runner: ActionRunner): void {
  registerStylistsList(stylists, runner);
  registerStylistsGet(stylists, runner);
  registerStylistsCreate(stylists, runner);
  registerStylistsUpdate(stylists, runner);
}
