import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;

beforeEach(async () => {
  world = await openEditWorld({ clients: 0 });
});
afterEach(() => world[Symbol.asyncDispose]());

const create = ['clients', 'create', '--file', 'list.csv'];

describe('a table of another program', () => {
  it('begins below its titles and ends above its totals, which are named', async () => {
    const text =
      'Kundenliste\r\n\r\nVorname;Nachname;Newsletter\r\nNia;Berg;T\r\nSeite 1 von 2;;\r\nVorname;Nachname;\r\nTom;Smit;Pending\r\nEva;Lin;Yes - 2024-01-01\r\nUwe;Ahr;Opted in\r\nSumme: 4;;\r\n';
    world.write('list.csv', text);
    const ran = await world.salon([...create, '--yes']);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toContain('The headings are on line 3; not read above them: "Kundenliste"');
    expect(ran.stderr).toContain(
      'Headings, pages and totals are not read: line 5 "Seite 1 von 2", line 6 "Vorname", line 10 "Summe: 4"',
    );
    expect(ran.stderr).toContain('email_marketing_consent: "Pending" is no yes: 1 cell not taken.');
    const willing = (await world.clients()).filter((one) => one['email_marketing_consent'] === true);
    expect(willing.map((one) => one['first_name']).sort()).toEqual(['Eva', 'Nia', 'Uwe']);
    expect(await world.clients()).toHaveLength(4);
  });

  it('may be an HTML table that is named .xls, of which failed rows can be fixed', async () => {
    const row = (...cells: readonly string[]) =>
      `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
    const notes = `<table>${row('Notes')}${row('none')}</table>`;
    const people = `<table>${row('Name', 'Mobile')}${row('Nia&nbsp;Berg', '+491715550101')}</table>`;
    world.write('list.csv', `<html><body>${notes}${people}</body></html>`);
    const ran = await world.salon([...create, '--yes']);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toContain('list.csv: HTML, UTF-8, table 2 of 2, 1 row');
    expect(ran.stderr).toContain('Not read: "table 1". To read another: --sheet');
    expect(await world.clients()).toMatchObject([
      { first_name: 'Nia', last_name: 'Berg', phone: '+491715550101' },
    ]);
    const chosen = await world.salon([...create, '--sheet', 'table 1', '--yes']);
    expect(chosen).toMatchObject({ exitCode: 2 });
    expect(chosen.stderr).toContain('table 1 of 2');
  });
});
