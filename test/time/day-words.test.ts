import { describe, expect, it } from 'vitest';
import { dayMs, hourMs } from '../../src/time/time.ts';
import { readWrittenTime } from '../../src/time/written-times.ts';

/** What people say, by language: weekdays from Sunday on, before and after them, days from yesterday on, and weeks. */
const words = {
  de: {
    weekdays: 'Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag',
    short: 'So Mo Di Mi Do Fr Sa',
    days: ['gestern', 'heute', 'morgen', 'übermorgen'],
    weeks: ['letzte Woche', 'diese Woche', 'nächste Woche'],
    before: 'am ',
    clock: 'um 15 Uhr',
    date: '24. November',
  },
  fr: {
    weekdays: 'dimanche lundi mardi mercredi jeudi vendredi samedi',
    short: 'dim. lun. mar. mer. jeu. ven. sam.',
    days: ['hier', "aujourd'hui", 'demain', 'après-demain'],
    weeks: ['la semaine dernière', 'cette semaine', 'la semaine prochaine'],
    before: 'le ',
    clock: 'à 15h',
    date: '24 novembre',
  },
  es: {
    weekdays: 'domingo lunes martes miércoles jueves viernes sábado',
    short: 'dom lun mar mié jue vie sáb',
    days: ['ayer', 'hoy', 'mañana', 'pasado mañana'],
    weeks: ['la semana pasada', 'esta semana', 'la próxima semana'],
    before: 'el ',
    clock: 'a las 15:00',
    date: '24 de noviembre',
  },
  it: {
    weekdays: 'domenica lunedì martedì mercoledì giovedì venerdì sabato',
    short: 'dom lun mar mer gio ven sab',
    days: ['ieri', 'oggi', 'domani', 'dopodomani'],
    weeks: ['la settimana scorsa', 'questa settimana', 'la settimana prossima'],
    before: '',
    clock: 'alle 15',
    date: '24 novembre',
  },
  pt: {
    weekdays: 'domingo segunda terça quarta quinta sexta-feira sábado',
    short: 'dom seg ter qua qui sex sáb',
    days: ['ontem', 'hoje', 'amanhã', 'depois de amanhã'],
    weeks: ['semana passada', 'esta semana', 'próxima semana'],
    before: 'na ',
    clock: 'às 15h',
    date: '24 de novembro',
  },
  nl: {
    weekdays: 'zondag maandag dinsdag woensdag donderdag vrijdag zaterdag',
    short: 'zo ma di wo do vr za',
    days: ['gisteren', 'vandaag', 'morgen', 'overmorgen'],
    weeks: ['vorige week', 'deze week', 'volgende week'],
    before: 'op ',
    clock: 'om 15 uur',
    date: '24 november',
  },
  pl: {
    weekdays: 'niedzielę poniedziałek wtorek środę czwartek piątek sobotę',
    short: 'niedz. pon. wt. śr. czw. pt. sob.',
    days: ['wczoraj', 'dziś', 'jutro', 'pojutrze'],
    weeks: ['w zeszłym tygodniu', 'w tym tygodniu', 'w przyszłym tygodniu'],
    before: 'w ',
    clock: 'o 15:00',
    date: '24 listopada',
  },
};

const todays = Array.from({ length: 7 }, (_, index) => Date.UTC(2026, 10, 16) + index * dayMs);
const read = (text: string, todayMs: number) => readWrittenTime(text, { todayMs, sinceMs: todayMs });
/** Counts days until one fits. */
function findDay(todayMs: number, weekday: number): number {
  let ms = todayMs;
  while (new Date(ms).getUTCDay() !== weekday) ms += dayMs;
  return ms;
}

describe('a part of a day before or after a time', () => {
  // The day is a Saturday.
  const saturday = Date.UTC(2026, 10, 21);
  it.each([
    ['after 17:00', 17, 24],
    ['sat after 17:00', 17, 24],
    ['after 5pm on sat', 17, 24],
    ['sat before 12:00', 0, 12],
    ['sat before noon', 0, 12],
    ['Samstag ab 15 Uhr', 15, 24],
    ['samstag nach 15 Uhr', 15, 24],
    ['samstag vor 12 Uhr', 0, 12],
    ['samedi après 15h', 15, 24],
    ['samedi avant 12h', 0, 12],
    ['sábado después de las 15:00', 15, 24],
    ['sábado antes de las 12:00', 0, 12],
    ['sabato dopo le 15:00', 15, 24],
    ['sabato prima delle 12:00', 0, 12],
    ['sábado depois das 15h', 15, 24],
    ['sábado antes das 12h', 0, 12],
    ['zaterdag voor 12 uur', 0, 12],
    ['sobota przed 12:00', 0, 12],
  ])('is %s', (text, start, end) => {
    expect(read(text, saturday)?.readings).toEqual([
      { startMs: saturday + start * hourMs, endMs: saturday + end * hourMs },
    ]);
  });

  it('is not the day after tomorrow, and says no hour twice', () => {
    expect(read('the day after tomorrow 15:00', saturday)?.readings).toMatchObject([
      { startMs: saturday + 2 * dayMs + 15 * hourMs },
    ]);
    expect(read('sat after 3', saturday)?.problem?.message).toBe('"3" may be 03:00 or 15:00.');
  });
});

describe.each(Object.entries(words))('days in %s', (_language, own) => {
  it('are the next one of each weekday, alone, after a word and with a time', () => {
    for (const todayMs of todays) {
      for (const [weekday, name] of own.weekdays.split(' ').entries()) {
        const startMs = findDay(todayMs, weekday);
        for (const text of [name, `${own.before}${name}`, name.toUpperCase()])
          expect(read(text, todayMs)?.readings, text).toEqual([{ startMs, endMs: startMs + dayMs }]);
        const timeMs = startMs + 15 * hourMs;
        for (const text of [`${name} 15:00`, `${own.before}${name} ${own.clock}`, `15:00 ${name}`])
          expect(read(text, todayMs)?.readings, text).toEqual([{ startMs: timeMs, endMs: timeMs }]);
      }
    }
  });

  it('are counted from today, with a time too', () => {
    for (const todayMs of todays) {
      for (const [index, text] of own.days.entries()) {
        const startMs = todayMs + (index - 1) * dayMs;
        expect(read(text, todayMs)?.readings, text).toEqual([{ startMs, endMs: startMs + dayMs }]);
        expect(read(`${text} ${own.clock}`, todayMs)?.readings, text).toMatchObject([
          { startMs: startMs + 15 * hourMs },
        ]);
      }
    }
  });

  it('are weeks from Monday on', () => {
    const monday = Date.UTC(2026, 10, 16);
    for (const todayMs of todays) {
      for (const [index, text] of own.weeks.entries()) {
        const startMs = monday + (index - 1) * 7 * dayMs;
        expect(read(text, todayMs)?.readings, text).toEqual([{ startMs, endMs: startMs + 7 * dayMs }]);
      }
    }
  });

  it('have their weekday before a date, whole or short, and are refused with another one', () => {
    // 24 November 2026 is a Tuesday.
    const startMs = Date.UTC(2026, 10, 24);
    for (const names of [own.weekdays, own.short]) {
      for (const [weekday, name] of names.split(' ').entries()) {
        for (const date of [own.date, '24.11.', '24/11/2026', '2026-11-24']) {
          const found = read(`${name}, ${date} ${own.clock}`, todays[0] ?? 0);
          const readings = weekday === 2 ? [expect.objectContaining({ startMs: startMs + 15 * hourMs })] : [];
          expect(found?.readings, `${name} ${date}`).toEqual(readings);
        }
      }
    }
  });

  it('are no names: a weekday is not short without a date', () => {
    for (const name of own.short.split(' ')) {
      if (name !== 'niedz.') expect(read(`${name} 15:00`, todays[0] ?? 0), name).toBeUndefined();
    }
  });
});
