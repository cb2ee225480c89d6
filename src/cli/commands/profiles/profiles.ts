import type { Command } from 'commander';
import type { Frame } from '../../frame.ts';
import { addGroup } from '../../options.ts';
import { registerProfilesList } from './list.ts';
import { registerProfilesRemove } from './remove.ts';
import { registerProfilesSet } from './set.ts';
import { registerProfilesShow } from './show.ts';
import { registerProfilesUse } from './use.ts';

export function registerProfiles(program: Command, frame: Frame): void {
  const profiles = addGroup(program, {
    name: 'profiles',
    alias: 'profile',
    description: 'Which salons this machine knows',
  });
  registerProfilesList(profiles, frame);
  registerProfilesShow(profiles, frame);
  registerProfilesUse(profiles, frame);
  registerProfilesSet(profiles, frame);
  registerProfilesRemove(profiles, frame);
}
