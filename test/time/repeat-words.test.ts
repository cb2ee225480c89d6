import { describe, expect, it } from 'vitest';
import { readMonthEnd, takeRepeat } from '../../src/time/repeats.ts';

const isDay = (text: string) => /^(?:fri|mon|24 dec)$/.test(text) || readMonthEnd(text, 0) !== undefined;
const take = (line: string) => takeRepeat(line.split(' '), isDay);

describe('the words of a repeat', () => {
  it.each([
    ['every 4 weeks 8 times', 4, 'week'],
    ['8 times every 2 weeks', 2, 'week'],
    ['8x every week', 1, 'week'],
    ['each week 8 times', 1, 'week'],
    ['every second tuesday 8 times', 2, 'week', 'Tuesday'],
    ['every other friday 8 times', 2, 'week', 'Friday'],
    ['every 3rd fri 8 times', 3, 'week', 'Friday'],
    ['on tuesdays 8 times', 1, 'week', 'Tuesday'],
    ['every fortnight 8 times', 2, 'week'],
    ['weekly 8 times', 1, 'week'],
    ['monthly 8 times', 1, 'month'],
    ['every two months 8 times', 2, 'month'],
    ['every day 8 times', 1, 'day'],
    ['alle 4 Wochen 8 mal', 4, 'week'],
    ['alle zwei Wochen 8 Mal', 2, 'week'],
    ['jeden zweiten Dienstag 8 mal', 2, 'week', 'Tuesday'],
    ['jede Woche 8x', 1, 'week'],
    ['wöchentlich 8 mal', 1, 'week'],
    ['jeden Monat 8 mal', 1, 'month'],
    ['toutes les 4 semaines 8 fois', 4, 'week'],
    ['tous les mardis 8 fois', 1, 'week', 'Tuesday'],
    ['tous les 15 jours 8 fois', 2, 'week'],
    ['chaque mois 8 fois', 1, 'month'],
    ['cada 4 semanas 8 veces', 4, 'week'],
    ['cada dos semanas 8 veces', 2, 'week'],
    ['todos los martes 8 veces', 1, 'week', 'Tuesday'],
    ['todos los sábados 8 veces', 1, 'week', 'Saturday'],
    ['cada mes 8 veces', 1, 'month'],
    ['ogni 4 settimane 8 volte', 4, 'week'],
    ['ogni due settimane 8 volte', 2, 'week'],
    ['ogni martedì 8 volte', 1, 'week', 'Tuesday'],
    ['ogni mese 8 volte', 1, 'month'],
    ['a cada 4 semanas 8 vezes', 4, 'week'],
    ['todas as terças 8 vezes', 1, 'week', 'Tuesday'],
    ['todas as quartas-feiras 8 vezes', 1, 'week', 'Wednesday'],
    ['cada duas semanas 8 vezes', 2, 'week'],
    ['todo mês 8 vezes', 1, 'month'],
    ['om de 4 weken 8 keer', 4, 'week'],
    ['elke tweede dinsdag 8 keer', 2, 'week', 'Tuesday'],
    ['elke week 8 maal', 1, 'week'],
    ['elke maand 8 keer', 1, 'month'],
    ['co 4 tygodnie 8 razy', 4, 'week'],
    ['co tydzień 8 razy', 1, 'week'],
    ['co drugi wtorek 8 razy', 2, 'week', 'Tuesday'],
    ['w każdą środę 8 razy', 1, 'week', 'Wednesday'],
    ['co miesiąc 8 razy', 1, 'month'],
    ['every six weeks 8 times', 6, 'week'],
    ['every 4 weeks x8', 4, 'week'],
    ['every 4 weeks ×8', 4, 'week'],
    ['every 4 weeks x 8', 4, 'week'],
    ['every 4 weeks eight times', 4, 'week'],
    ['fortnightly 8 times', 2, 'week'],
    ['alle sechs Wochen achtmal', 6, 'week'],
    ['alle 8 Tage 8 mal', 1, 'week'],
    ['14-tägig 8 mal', 14, 'day'],
    ['vierwöchentlich 8 mal', 4, 'week'],
    ['immer freitags 8 mal', 1, 'week', 'Friday'],
    ['tous les quinze jours 8 fois', 2, 'week'],
    ['toutes les six semaines huit fois', 6, 'week'],
    ['un vendredi sur deux 8 fois', 2, 'week', 'Friday'],
    ['une semaine sur trois 8 fois', 3, 'week'],
    ['chaque ven 8 fois', 1, 'week', 'Friday'],
    ['cada quince días ocho veces', 2, 'week'],
    ['cada seis semanas 8 veces', 6, 'week'],
    ['quincenal 8 veces', 2, 'week'],
    ['ogni quindici giorni otto volte', 2, 'week'],
    ['una settimana sì e una no 8 volte', 2, 'week'],
    ['de 15 em 15 dias 8 vezes', 2, 'week'],
    ['de quatro em quatro semanas oito vezes', 4, 'week'],
    ['semana sim, semana não, 8 vezes', 2, 'week'],
    ['toda sexta 8 vezes', 1, 'week', 'Friday'],
    ['cada segunda 8 vezes', 1, 'week', 'Monday'],
    ['quinzenal 8 vezes', 2, 'week'],
    // "Om de" leaves out every other one.
    ['om de week 8 keer', 2, 'week'],
    ['om de vrijdag 8 keer', 2, 'week', 'Friday'],
    ['om de dag acht keer', 2, 'day'],
    ['om de andere week 8 keer', 2, 'week'],
    ['tweewekelijks 8 keer', 2, 'week'],
    ['co dwa tygodnie osiem razy', 2, 'week'],
    ['co sześć tygodni 8 razy', 6, 'week'],
    ['w każdy piątek 8 razy', 1, 'week', 'Friday'],
  ])('%j', (line, count, unit, weekday?: string) => {
    // The weekday stays among the words, for the first date.
    const rest = weekday === undefined ? [] : [weekday];
    expect(take(line)).toEqual({ repeat: expect.objectContaining({ count, unit, times: 8 }), rest });
  });

  it.each(['fri 15:00 every other friday', '24 dec 15:00 every friday', 'mon 15:00 every friday'])(
    'leave no weekday where they name a day: %j',
    (line) => {
      const weekday = 5;
      expect(take(`${line} 8 times`)).toEqual({
        repeat: expect.objectContaining({ unit: 'week', weekday }),
        rest: line.split(' every')[0]?.split(' '),
      });
    },
  );

  it.each([
    ['fri 15:00 monthly 8 times', 5],
    ['jeden Monat freitag 15:00 8 mal', 5],
    ['fri 24 dec 15:00 monthly 8 times', undefined],
    ['24 dec 15:00 monthly 8 times', undefined],
  ])('have a weekday in months, too: %j', (line, weekday) => {
    expect(take(line)?.repeat).toMatchObject({ unit: 'month', weekday });
  });

  it('are not a time on a Saturday in Italian', () => {
    expect(take('alle 4 sabato ogni settimana 8 volte')).toMatchObject({
      repeat: { count: 1, unit: 'week' },
      rest: ['alle', '4', 'sabato'],
    });
  });

  it.each([
    ['every 4 weeks until june', 'june'],
    ['every other friday until 24 dec', '24 dec'],
    ['alle 4 Wochen bis Juni', 'juni'],
    ['alle 4 Wochen bis zum 24 dec', '24 dec'],
    ["toutes les 4 semaines jusqu'au 24 dec", '24 dec'],
    ["toutes les 4 semaines jusqu'en juin", 'juin'],
    ['cada 4 semanas hasta junio', 'junio'],
    ['ogni 4 settimane fino a giugno', 'giugno'],
    ['cada 4 semanas até junho', 'junho'],
    ['elke 4 weken tot juni', 'juni'],
    ['elke 4 weken t/m juni', 'juni'],
    ['co 4 tygodnie do czerwca', 'czerwca'],
    ['every 4 weeks until the end of june 2027', 'the end of june 2027'],
    ['every 4 weeks through june', 'june'],
    ['every 4 weeks up to june', 'june'],
    ['alle 4 Wochen bis Ende Juni', 'ende juni'],
    ["toutes les 4 semaines jusqu'à la fin juin", 'fin juin'],
    ['cada 4 semanas hasta el final de junio', 'final de junio'],
    ['cada 4 semanas hasta fines de junio', 'fines de junio'],
    ['ogni 4 settimane fino alla fine di giugno', 'fine di giugno'],
    ['de 4 em 4 semanas até ao fim de junho', 'fim de junho'],
    ['elke 4 weken tot eind juni', 'eind juni'],
    ['co 4 tygodnie do końca czerwca', 'konca czerwca'],
  ])('%j ends', (line, until) => {
    expect(take(line)?.repeat).toMatchObject({ until, times: undefined });
  });

  it('are apart from the other words of the line', () => {
    const words = ['Ana', 'every', 'friday', '15:00', 'until', 'june', 'with', 'Mia', '8', 'Elms'];
    expect(takeRepeat(words, isDay)?.rest).toEqual(['Ana', 'Friday', '15:00', 'with', 'Mia', '8', 'Elms']);
  });

  it.each([
    'every 4 until june',
    'every week',
    'every 4 weeks until summer',
    'Ana Costa',
    'alle 3',
    'every 0 weeks',
  ])('are not complete in %j', (line) => expect(take(line)).toBeUndefined());

  it('are not found in quotes', () => {
    expect(takeRepeat(['Facial every 4 weeks', '8', 'times'], isDay)).toBeUndefined();
  });
});

describe('the end of a month', () => {
  it.each([
    ['june', '2027-07-01'],
    ['Dezember', '2027-01-01'],
    ['nov.', '2026-12-01'],
    ['październik', '2027-11-01'],
    ['the end of march 2028', '2028-04-01'],
    ['janeiro de 2028', '2028-02-01'],
    ['Ende Januar', '2027-02-01'],
    ['fin de enero de 2028', '2028-02-01'],
  ])('%s from 29 November 2026 on is %s', (text, midnight) => {
    expect(readMonthEnd(text, Date.UTC(2026, 10, 29))).toBe(Date.parse(midnight));
  });

  it.each(['24 dec', 'summer', 'june 27', ''])('%j is none', (text) => {
    expect(readMonthEnd(text, 0)).toBeUndefined();
  });
});
