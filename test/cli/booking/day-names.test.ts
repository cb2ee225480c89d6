import { describe, expect, it } from 'vitest';
import { parseBookingWords } from '../../../src/cli/booking/words.ts';

/** A Saturday. */
const moments = { now: new Date('2026-11-21T12:00:00Z'), timeZone: 'Europe/Lisbon' };
/** As a shell splits a line. */
const toWords = (line: string) =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
const parse = (line: string) => parseBookingWords(toWords(line), moments);
const ana = 'Ana Costa';

describe('a day in another language', () => {
  it.each([
    ['Ana Costa freitag 15:00', ana, 'freitag 15:00'],
    ['Ana Costa am Freitag um 15 Uhr', ana, 'am Freitag um 15 Uhr'],
    ['Ana Costa on Freitag 15:00', ana, 'on Freitag 15:00'],
    ['"Ana Costa" Freitag 15:00', ana, 'Freitag 15:00'],
    ['Freitag 15:00 Ana Costa', ana, 'Freitag 15:00'],
    ['Ana Costa Fr 27.11. 15:00', ana, 'Fr 27.11. 15:00'],
    ['Ana Costa Fr., 27.11., 15 Uhr', ana, 'Fr., 27.11., 15 Uhr'],
    ['Fr 27.11. 15:00 Ana Costa', ana, 'Fr 27.11. 15:00'],
    ['Ana Costa morgen 15 Uhr', ana, 'morgen 15 Uhr'],
    ['Ana Costa nächste Woche', ana, 'nächste Woche'],
    ['Ana Costa le vendredi à 15h', ana, 'le vendredi à 15h'],
    ['Ana Costa le 27 novembre à 15h', ana, 'le 27 novembre à 15h'],
    ['Ana Costa demain à 15h30', ana, 'demain à 15h30'],
    ['Ana Costa la semaine prochaine', ana, 'la semaine prochaine'],
    ['Ana Costa el viernes a las 15:00', ana, 'el viernes a las 15:00'],
    ['Ana Costa pasado mañana 15:00', ana, 'pasado mañana 15:00'],
    ['Ana Costa domani alle 15', ana, 'domani alle 15'],
    ['Ana Costa na sexta às 15h', ana, 'na sexta às 15h'],
    ['Ana Costa depois de amanhã às 15h', ana, 'depois de amanhã às 15h'],
    ['Ana Costa vrijdag om 15 uur', ana, 'vrijdag om 15 uur'],
    ['Ana Costa w piątek o 15:00', ana, 'w piątek o 15:00'],
    ['Ana Costa jutro godz. 15', ana, 'jutro godz. 15'],
  ])('is found after a name: %j', (line, client, moment) => {
    expect(parse(line)).toMatchObject({ client, moment });
  });

  it('is found after a service, which is no name', () => {
    const found = { client: 'Ana', service: 'Cut', moment: 'Freitag 15:00' };
    expect(parse('Ana for Cut Freitag 15:00')).toMatchObject(found);
  });

  it.each([
    ['Ana Costa Freitag 15:00', 'Freitag', 'Ana Costa Freitag'],
    ['ana costa freitag 15:00', 'freitag', 'ana costa freitag'],
    ['Anna Piątek 15:00', 'Piątek', 'Anna Piątek'],
    ['Maria Domingo with Mia for Cut 15:00', 'Domingo', 'Maria Domingo'],
    ['Chris Hoy 15:00', 'Hoy', 'Chris Hoy'],
    ['Ana with Mia Freitag 15:00', 'Freitag', 'Mia Freitag'],
    ['morgen Ana 15:00', 'morgen', 'morgen Ana'],
    ['Ana demain matin 9:00', 'demain', 'Ana demain matin'],
    ['Ana heute früh 9:00', 'heute', 'Ana heute früh'],
  ])('is refused where it may be a name: %j', (line, day, name) => {
    const message = `"${day}" may be the day, or a part of the name "${name}".`;
    const hint = 'Put quotes around the name, or write "on" before the day.';
    expect(() => parse(line)).toThrow(expect.objectContaining({ message, hint }));
  });

  it.each([
    ['Maria Domingo', 'Maria Domingo', ''],
    ['Maria Domingo tomorrow 15:00', 'Maria Domingo', 'tomorrow 15:00'],
    ['Maria Domingo domingo 15:00', 'Maria Domingo', 'domingo 15:00'],
    ['"Maria Domingo" 15:00', 'Maria Domingo', '15:00'],
    ['"Anna Piątek" with Mia 15:00', 'Anna Piątek', '15:00'],
    ['Sam 15:00', 'Sam', '15:00'],
    ['Sam 27.11. 15:00', 'Sam', '27.11. 15:00'],
    ['Mo 3 dec 15:00 with Mia', 'Mo', '3 dec 15:00'],
    ['Sam Jo 27.11. 15:00', 'Sam Jo', '27.11. 15:00'],
    ['Anna W fri 15:00', 'Anna W', 'fri 15:00'],
    ['Anna Le fri 15:00', 'Anna Le', 'fri 15:00'],
  ])('is a name where it cannot be the day: %j', (line, client, moment) => {
    expect(parse(line)).toMatchObject({ client, moment });
  });
});
