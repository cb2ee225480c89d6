import { describe, expect, it } from 'vitest';
import { isDay, parseBookingWords, readMoment } from '../../../src/cli/booking/words.ts';
import { takeRepeat } from '../../../src/time/repeats.ts';

/** A Saturday. The next Friday is the 27th, and the next Tuesday the 24th. */
const moments = { now: new Date('2026-11-21T12:00:00Z'), timeZone: 'Europe/Lisbon' };

/** What staff type, by language: a time on Friday, Tuesdays, how often, and until when. */
const lines = {
  en: {
    times: ['fri 15:00', 'friday at 3pm', 'on friday 15:00', '3pm friday', '27 nov 15:00'],
    tuesday: ['every tuesday', 'tuesdays', 'every tue'],
    weeks: {
      1: ['every week', 'weekly', 'each week'],
      2: ['every 2 weeks', 'every other week', 'every second week', 'fortnightly', 'every fortnight'],
      4: ['every 4 weeks', 'every four weeks', 'each 4 weeks'],
    },
    six: ['6 times', 'six times', '6x', 'x6', '6 x', 'for 6 times'],
    march: ['until march', 'till march', 'until end of march', 'until the end of march', 'through march'],
  },
  de: {
    times: [
      'freitag 15:00',
      'am Freitag um 15 Uhr',
      'Fr 27.11. 15:00',
      'freitag um 15 uhr',
      '27. November 15 Uhr',
    ],
    tuesday: ['jeden Dienstag', 'immer dienstags', 'dienstags'],
    weeks: {
      1: ['jede Woche', 'wöchentlich', 'alle 8 Tage'],
      2: ['alle 2 Wochen', 'alle zwei Wochen', 'jede zweite Woche', 'jede 2. Woche', 'zweiwöchentlich'],
      4: ['alle 4 Wochen', 'alle vier Wochen', 'vierwöchentlich'],
    },
    six: ['6 mal', '6 Mal', '6mal', 'sechsmal', '6x'],
    march: ['bis März', 'bis Ende März', 'bis zum Ende März', 'bis 31. März'],
  },
  fr: {
    times: [
      'vendredi 15h',
      'vendredi à 15h',
      'le vendredi à 15 h',
      'ven. 27 nov. 15h',
      'le 27 novembre à 15h00',
    ],
    tuesday: ['tous les mardis', 'chaque mardi'],
    weeks: {
      1: ['chaque semaine', 'toutes les semaines', 'tous les 8 jours'],
      2: [
        'toutes les 2 semaines',
        'toutes les deux semaines',
        'tous les 15 jours',
        'tous les quinze jours',
        'une semaine sur deux',
      ],
      4: ['toutes les 4 semaines', 'toutes les quatre semaines'],
    },
    six: ['6 fois', 'six fois', '6x'],
    march: ["jusqu'en mars", "jusqu'à mars", "jusqu'à fin mars", "jusqu'à la fin mars", "jusqu'au 31 mars"],
  },
  es: {
    times: [
      'viernes 15:00',
      'viernes a las 15:00',
      'el viernes a las 15:00',
      'vie 27 nov 15:00',
      'el 27 de noviembre a las 15:00',
    ],
    tuesday: ['todos los martes', 'cada martes'],
    weeks: {
      1: ['cada semana', 'todas las semanas', 'semanalmente'],
      2: ['cada 2 semanas', 'cada dos semanas', 'cada quince días', 'cada 15 días', 'quincenal'],
      4: ['cada 4 semanas', 'cada cuatro semanas'],
    },
    six: ['6 veces', 'seis veces', '6x'],
    march: ['hasta marzo', 'hasta fin de marzo', 'hasta finales de marzo', 'hasta el 31 de marzo'],
  },
  it: {
    times: [
      'venerdì 15:00',
      'venerdì alle 15',
      'venerdì alle ore 15',
      'ven 27 nov 15:00',
      'il 27 novembre alle 15',
    ],
    tuesday: ['ogni martedì', 'tutti i martedì'],
    weeks: {
      1: ['ogni settimana', 'tutte le settimane'],
      2: [
        'ogni 2 settimane',
        'ogni due settimane',
        'ogni quindici giorni',
        'ogni 15 giorni',
        'a settimane alterne',
      ],
      4: ['ogni 4 settimane', 'ogni quattro settimane'],
    },
    six: ['6 volte', 'sei volte', '6x'],
    march: ['fino a marzo', 'fino a fine marzo', 'fino alla fine di marzo', 'fino al 31 marzo'],
  },
  pt: {
    times: [
      'sexta 15:00',
      'sexta-feira às 15h',
      'na sexta às 15h',
      'sex. 27 nov 15:00',
      '27 de novembro às 15h',
    ],
    tuesday: ['todas as terças', 'toda terça', 'cada terça-feira', 'todas as terças-feiras'],
    weeks: {
      1: ['toda semana', 'todas as semanas', 'cada semana'],
      2: [
        'a cada 2 semanas',
        'a cada duas semanas',
        'de 15 em 15 dias',
        'de duas em duas semanas',
        'quinzenalmente',
      ],
      4: ['a cada 4 semanas', 'de 4 em 4 semanas', 'de quatro em quatro semanas'],
    },
    six: ['6 vezes', 'seis vezes', '6x'],
    march: [
      'até março',
      'até fim de março',
      'até ao fim de março',
      'até o final de março',
      'até 31 de março',
    ],
  },
  nl: {
    times: [
      'vrijdag 15:00',
      'vrijdag om 15 uur',
      'op vrijdag om 15u',
      'vr 27 nov 15:00',
      '27 november om 15 uur',
    ],
    tuesday: ['elke dinsdag', 'iedere dinsdag'],
    weeks: {
      1: ['elke week', 'iedere week', 'wekelijks'],
      2: ['om de week', 'om de 2 weken', 'om de twee weken', 'elke twee weken', 'tweewekelijks'],
      4: ['om de 4 weken', 'elke 4 weken', 'om de vier weken'],
    },
    six: ['6 keer', 'zes keer', '6 maal', '6x'],
    march: ['tot maart', 'tot en met maart', 't/m maart', 'tot eind maart', 't/m 31 maart'],
  },
  pl: {
    times: [
      'piątek 15:00',
      'piątek o 15:00',
      'w piątek o 15:00',
      'pt. 27 lis 15:00',
      '27 listopada godz. 15',
    ],
    tuesday: ['co wtorek', 'każdy wtorek', 'w każdy wtorek'],
    weeks: {
      1: ['co tydzień', 'każdego tygodnia'],
      2: ['co 2 tygodnie', 'co dwa tygodnie', 'co drugi tydzień'],
      4: ['co 4 tygodnie', 'co cztery tygodnie'],
    },
    six: ['6 razy', 'sześć razy', '6x'],
    march: ['do marca', 'do końca marca', 'do 31 marca'],
  },
};

function read(line: string) {
  const found = takeRepeat(line.split(/ +/), (text) => isDay(text, moments));
  const { moment, ...names } = parseBookingWords(found?.rest ?? line.split(/ +/), moments);
  return { ...names, start: readMoment(moment, moments).start, repeat: found?.repeat };
}

describe.each(Object.entries(lines))('a repeat in %s', (_language, own) => {
  const ends = [...own.six, ...own.march];
  const wanted = { client: 'Ana Costa', service: 'Cut and style', stylist: 'Mia' };
  const expectLine = (line: string, expected: object) =>
    expect({ line, ...read(line) }).toMatchObject({ line, ...wanted, ...expected });

  it('has its first time, how often and its end, in any order', () => {
    for (const time of own.times) {
      for (const [count, phrases] of Object.entries(own.weeks)) {
        for (const often of phrases) {
          for (const end of ends) {
            const start = '2026-11-27T15:00:00Z';
            const repeat = own.six.includes(end) ? { times: 6 } : { until: expect.stringMatching(/ma|31/) };
            // "Until march 27 nov" may be until 27 March.
            const isUnclear = /^\d/.test(time) && own.march.includes(end);
            for (const line of [
              `Ana Costa with Mia for Cut and style ${time} ${often} ${end}`,
              `Ana Costa with Mia for Cut and style ${often} ${isUnclear ? '' : end} ${time} ${isUnclear ? end : ''}`,
              `Ana Costa ${often} ${end} with Mia for Cut and style ${time}`,
              `Ana Costa with Mia ${often} for Cut and style ${time} ${end}`,
            ])
              expectLine(line, { start, repeat: { unit: 'week', count: Number(count), ...repeat } });
          }
        }
      }
    }
  });

  it('is on the weekday that it names', () => {
    for (const often of own.tuesday) {
      for (const end of ends) {
        const start = '2026-11-24T15:00:00Z';
        const repeat = { unit: 'week', count: 1, weekday: 2 };
        expectLine(`Ana Costa with Mia for Cut and style ${often} 15:00 ${end}`, { start, repeat });
        expectLine(`Ana Costa with Mia for Cut and style 15:00 ${often} ${end}`, { start, repeat });
        expectLine(`Ana Costa ${often} ${end} with Mia for Cut and style 15:00`, { start, repeat });
      }
    }
  });

  it('is refused without an end', () => {
    for (const often of [...own.tuesday, ...Object.values(own.weeks).flat()]) {
      for (const line of [`Ana Costa for Cut ${often}`, `Ana Costa ${often} with Mia for Cut 15:00`])
        expect(() => read(line), line).toThrow(/needs an end: a day, a month or a number of times\.$/);
    }
  });
});
