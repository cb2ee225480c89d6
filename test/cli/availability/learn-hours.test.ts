import { describe, expect, it } from 'vitest';
import { learnHours } from '../../../src/cli/availability/opening-hours.ts';
import { renderWeekHours } from '../../../src/time/week-hours.ts';

const minuteMs = 60_000;

/** `mia 2026-11-02 09:10 60` in UTC. */
function toVisit(text: string) {
  const [stylistId = '', date, time, minutes] = text.split(' ');
  const startMs = Date.parse(`${date}T${time}:00Z`);
  return {
    ...{ id: text, service: 'Cut', minutes: Number(minutes) },
    ...{ stylistId, startMs, endMs: startMs + Number(minutes) * minuteMs },
  };
}

const learn = (visits: readonly string[], timeZone = 'UTC') => {
  const learnt = learnHours(visits.map(toVisit), timeZone);
  return learnt && { ...learnt, salon: renderWeekHours(learnt.salon) };
};

describe('opening hours from appointments', () => {
  it('are those of an ordinary day, rounded to half hours, by weekday', () => {
    const mondays = ['2026-10-19', '2026-10-26', '2026-11-02', '2026-11-09', '2026-11-16'];
    const visits = mondays.flatMap((date) => [`mia ${date} 09:10 60`, `theo ${date} 16:40 45`]);
    const learnt = learn([
      ...visits,
      'mia 2026-11-16 05:00 30',
      'mia 2026-11-09 21:00 90',
      'mia 2026-11-14 10:00 60',
    ]);
    expect(learnt?.salon).toBe('mon 09:00-17:30, sat 10:00-11:00');
  });

  it('of a stylist are the salon’s, on the weekdays that they have worked', () => {
    const learnt = learn(['mia 2026-11-16 09:00 60', 'theo 2026-11-16 17:00 60', 'theo 2026-11-17 10:00 60']);
    const mia = learnt?.stylists.get('mia');
    expect(mia && renderWeekHours(mia)).toBe('mon 09:00-18:00');
    expect(learnt?.salon).toBe('mon 09:00-18:00, tue 10:00-11:00');
  });

  it('are local, and end at midnight at the latest', () => {
    expect(learn(['mia 2026-07-06 21:00 180'], 'Europe/Berlin')?.salon).toBe('mon 23:00-24:00');
  });

  it('are unknown without appointments', () => {
    expect(learn([])).toBeUndefined();
  });
});
