import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { registerProfilesList } from './list.ts';
import { registerProfilesRemove } from './remove.ts';
import { registerProfilesSet } from './set.ts';
import { registerProfilesShow } from './show.ts';
import { registerProfilesUse } from './use.ts';

export function registerProfiles(profiles: Command, runner: ActionRunner): void {
  registerProfilesList(profiles, runner);
  registerProfilesShow(profiles, runner);
  registerProfilesUse(profiles, runner);
  registerProfilesSet(profiles, runner);
  registerProfilesRemove(profiles, runner);
}
