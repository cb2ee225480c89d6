import { expect, it } from 'vitest';
import { sendRequest, toJson } from '../../../support/send-request.ts';
import { minuteMs, openVisitedService } from '../../../support/visited-service.ts';

it('sending events elsewhere and keeping fewer audit entries need a recent proof of who it is', async () => {
  await using visited = await openVisitedService();
  const { origin, keys } = visited.service;
  const body = { url: 'http://127.0.0.1:9/' };
  const made = toJson(await sendRequest(`${origin}/v1/webhooks`, { method: 'POST', key: keys.owner, body }));
  const { visitor } = await visited.openSignedIn();
  const edit = `/settings/webhooks/${made['id']}/edit`;
  expect((await visitor.open(edit)).url).toBe(edit);
  const log = await visitor.open('/settings/audit-log');

  visited.moveClock(121 * minuteMs);
  expect((await visitor.open(edit)).url).toMatch(/^\/sign-in\/confirm\?/);
  expect((await visitor.submit(log, { days: '400' })).url).toMatch(/^\/sign-in\/confirm\?/);
  expect((await visitor.open('/settings/audit-log')).text).not.toContain('value="400"');
});
