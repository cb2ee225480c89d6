import type { Command } from 'commander';
import type { Frame } from '../../frame.ts';
import { registerProfilesList } from './list.ts';
import { registerProfilesRemove } from './remove.ts';
import { registerProfilesSet } from './set.ts';
import { registerProfilesShow } from './show.ts';
import { registerProfilesUse } from './use.ts';

export function registerProfiles(profiles: Command, frame: Frame): void {
  registerProfilesList(profiles, frame);
  registerProfilesShow(profiles, frame);
  registerProfilesUse(profiles, frame);
  registerProfilesSet(profiles, frame);
  registerProfilesRemove(profiles, frame);
}
