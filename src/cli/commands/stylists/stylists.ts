import type { Command } from 'commander';
import type { Frame } from '../../frame.ts';
import { registerStylistsCreate } from './create.ts';
import { registerStylistsGet } from './get.ts';
import { registerStylistsList } from './list.ts';
import { registerStylistsUpdate } from './update.ts';

export function registerStylists(stylists: Command, frame: Frame): void {
  registerStylistsList(stylists, frame);
  registerStylistsGet(stylists, frame);
  registerStylistsCreate(stylists, frame);
  registerStylistsUpdate(stylists, frame);
}
