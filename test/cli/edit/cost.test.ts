import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;

beforeEach(async () => {
  world = await openEditWorld({ clients: 60, hourlyLimit: 50 });
});
afterEach(() => world[Symbol.asyncDispose]());

describe('an edit with more rows than the hourly limit', () => {
  it('announces the cost, stops at the limit and names the resume command', async () => {
    const ids = (await world.clients()).map(({ id }) => id);
    world.writeSheet(
      'notes.csv',
      ids.map((id) => ({ id, notes: 'planned' })),
    );
    const ran = await world.salon(['clients', 'update', '--file', 'notes.csv', '--yes', '--max-wait', '1s']);
    expect(ran.exitCode, ran.stderr).toBe(3);
    expect(ran.stderr).toMatch(/60 requests, .* of this hour's limit: \d+ left now/);
    expect(ran.stderr).toMatch(/--max-wait \d+m waits instead/);
    expect(ran.stderr).toContain(`salon jobs resume ${world.jobs()[0]}`);
  });
});
