import { writeFileSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createHome, finish, runSalon, startSalon } from '../support/salon-process.ts';
import { openTestService } from '../support/service.ts';
import { bySpeed } from '../support/speed.ts';

const kills = bySpeed({ full: 3, long: 100 });

/** When the program is killed: before or after the service rolls the key, or so many milliseconds after its answer. */
type Moment = 'before the roll' | 'before the answer' | number;

function toMoment(number: number): Moment {
  if (number % 5 === 0) return 'before the roll';
  if (number % 5 === 1) return 'before the answer';
  return number / 2;
}

/** A proxy on loopback that kills at a moment of a roll. */
async function openKillingProxy(target: string) {
  let strike: (() => void) | undefined;
  let moment: Moment = 0;
  const server = createServer((request, response) => {
    const isRoll = request.method === 'POST' && request.url?.endsWith('/roll');
    const killAt = (at: Moment) => {
      if (isRoll && moment === at) strike?.();
    };
    killAt('before the roll');
    const sent = forward(
      new URL(request.url ?? '/', target),
      { method: request.method, headers: request.headers },
      (answer) => {
        killAt('before the answer');
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        const after = moment;
        if (isRoll && typeof after === 'number')
          response.on('finish', () => setTimeout(() => strike?.(), after));
      },
    );
    sent.on('error', () => response.destroy());
    request.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    arm(next: Moment, kill: () => void) {
      moment = next;
      strike = kill;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

it(`"salon keys roll" killed at ${kills} moments locks nobody out`, { timeout: 600_000 }, async () => {
  using home = createHome();
  await using service = await openTestService();
  await using proxy = await openKillingProxy(service.origin);
  writeFileSync(`${home.folder}/key`, service.keys.owner, { mode: 0o600 });
  const login = ['auth', 'login', '--base-url', proxy.origin, '--key-file', 'key'];
  expect(await runSalon(login, { home })).toMatchObject({ exitCode: 0 });
  let killed = 0;
  for (let number = 0; number < kills; number++) {
    const rolling = startSalon(['keys', 'roll'], { home });
    proxy.arm(toMoment(number), () => rolling.kill('SIGKILL'));
    if ((await finish(rolling)).signal === 'SIGKILL') killed += 1;
    const me = await runSalon(['api', 'GET', '/me'], { home });
    expect(me, `after kill ${number}`).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(me.stdout).role).toBe('owner');
  }
  expect(killed).toBeGreaterThan(kills / 3);
});
