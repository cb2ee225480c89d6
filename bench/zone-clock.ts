import { createZoneClock, hourMs } from '../src/time/time.ts';
import type { RunTime } from './measure-in-turn.ts';
import { renderTimes } from './render-times.ts';

// The local time of every hour of a year, each asked of a clock of its own: as `createZoneClock` does it, which keeps one
// format for each zone, and with a format for each clock.
const rounds = 9;
const hours = Array.from({ length: 8760 }, (_, hour) => Date.UTC(2026, 0) + hour * hourMs);

const numeric = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
} as const;
const ways = [
  { name: 'a format for each zone', read: (ms: number) => createZoneClock('Europe/Berlin').wall(ms) },
  {
    name: 'a format for each clock',
    read: (ms: number) =>
      new Intl.DateTimeFormat('en-US', { timeZone: 'Europe/Berlin', hourCycle: 'h23', ...numeric }).format(
        ms,
      ),
  },
];

const times: RunTime[][] = ways.map(() => []);
for (let round = -1; round < rounds; round += 1) {
  for (const [index, { read }] of ways.entries()) {
    const [start, cpu] = [performance.now(), process.cpuUsage()];
    for (const ms of hours) read(ms);
    const { user, system } = process.cpuUsage(cpu);
    const time = { wallMs: performance.now() - start, busyMs: (user + system) / 1000 };
    if (round >= 0) times[index]?.push(time);
  }
}
process.stdout.write(
  `${hours.length} conversions, ${rounds} rounds in turn\n\n${renderTimes(ways, times)}\n`,
);
