import { join } from 'node:path';
import { fillTemplate } from '../fill-template.ts';

/** Writes the GitHub Action that downloads salon from an address. */
export function writeAction(folder: string, releaseUrl: string): void {
  const values = { release_url: `'${releaseUrl}'` };
  fillTemplate(join(import.meta.dirname, 'action.yml'), join(folder, 'action.yml'), { values });
}
