import { describe, expect, it } from 'vitest';
import { event, nia, readCalendarFile as read } from './calendar-file.ts';

/** The rules of Berlin, under a name that only the file knows. */
const zone = `BEGIN:VTIMEZONE
TZID:Salon
BEGIN:DAYLIGHT
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
DTSTART:19700329T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
END:DAYLIGHT
BEGIN:STANDARD
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
DTSTART:19701025T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
END:STANDARD
END:VTIMEZONE
`;

describe('an event', () => {
  it('is an appointment', async () => {
    const { rows } = await read(
      event(
        `UID:abc@google.com\nDTSTART:20261201T090000Z\nDTEND:20261201T100000Z\n${nia}\nSTATUS:TENTATIVE\nBEGIN:VALARM\nDESCRIPTION:x\nEND:VALARM\nDESCRIPTION:Prefers <b>mornings</b><br>No perfume\\, please`,
      ),
    );
    expect(rows).toEqual([
      {
        client_id: 'Nia Costa',
        service: 'Cut',
        start_time: '2026-12-01T09:00:00Z',
        duration: '60',
        status: 'pending',
        notes: 'Prefers mornings\nNo perfume, please',
      },
    ]);
  });

  it.each([
    ['20260701T080000Z', 'DTSTART:20260701T080000Z'],
    ['an IANA name', 'DTSTART;TZID=Europe/Berlin:20260701T100000'],
    [
      'an IANA name behind that of a program',
      'DTSTART;TZID=/freeassociation.sourceforge.net/Europe/Berlin:20260701T100000',
    ],
    ['a Windows name', 'DTSTART;TZID=W. Europe Standard Time:20260701T100000'],
    ['a Windows name in quotes', 'DTSTART;TZID="W. Europe Standard Time":20260701T100000'],
    ['rules of the file', 'DTSTART;TZID=Salon:20260701T100000'],
    ['no zone: that of the salon', 'DTSTART:20260701T100000'],
    ['no seconds', 'DTSTART:20260701T1000'],
  ])('starts at the wall time that is meant: %s', async (_, start) => {
    const { starts } = await read(event(`${start}\nDURATION:PT45M\n${nia}`) + zone);
    expect(starts).toEqual(['2026-07-01T08:00:00Z']);
    const winter = await read(
      zone + event(`${start.replace('0701T10', '0201T10').replace('0701T08', '0201T09')}\n${nia}`),
    );
    expect(winter.starts).toEqual(['2026-02-01T09:00:00Z']);
  });

  it('takes as long as DTEND or DURATION say, else as its service', async () => {
    const start = 'DTSTART;TZID=Europe/Berlin:20261201T100000';
    const { rows } = await read(
      event(`${start}\nDTEND;TZID=Europe/London:20261201T094500\n${nia}`) +
        event(`${start}\nDURATION:PT1H30M\n${nia}`) +
        event(`${start}\n${nia}`),
    );
    expect(rows.map(({ duration }) => duration)).toEqual(['45', '90', undefined]);
  });

  it('has the stylist who is given, or whose calendar it is', async () => {
    const events = `X-WR-CALNAME:Theo\n${event(`DTSTART:20261201T090000Z\n${nia}`)}`;
    expect((await read(events)).stylists).toEqual(['Mia']);
    expect((await read(events, { stylist: undefined })).stylists).toEqual(['Theo']);
    const unknown = read(event(`DTSTART:20261201T090000Z\n${nia}`), { stylist: undefined });
    await expect(unknown).rejects.toThrow('old.ics does not say whose calendar it is.');
  });

  it.each([
    [
      'all-day events',
      'DTSTART;VALUE=DATE:20261224\nSUMMARY:Closed',
      '1 all-day event left out: Closed (line 3)',
    ],
    [
      'cancelled events',
      `DTSTART:20261201T090000Z\nSTATUS:CANCELLED\n${nia}`,
      '1 cancelled event left out: Nia Costa - Cut (line 3)',
    ],
    [
      'longer ones',
      'DTSTART:20261201T090000Z\nDTEND:20261203T090000Z\nSUMMARY:Away',
      '1 event longer than a day left out: Away (line 3)',
    ],
  ])('is no appointment, and named: %s', async (_, lines, remark) => {
    const { remarks, rows } = await read(event(lines) + event(`DTSTART:20261201T090000Z\n${nia}`));
    expect(remarks).toEqual([remark]);
    expect(rows).toHaveLength(1);
  });

  it.each([
    [
      'in a zone that is not known',
      `DTSTART;TZID=Atlantis:20261201T090000\n${nia}`,
      'Zone "Atlantis" is not known: write the name of one, such as Europe/Berlin.',
    ],
    ['without a start', nia, 'The event that begins on line 3 has no start: DTSTART.'],
    [
      'at a time that clocks skip',
      `DTSTART;TZID=Europe/Berlin:20260329T023000\n${nia}`,
      'The event begins at a time that clocks skip as they go forward.',
    ],
    ['without a client', 'DTSTART:20261201T090000Z\nSUMMARY:Cut', 'No client named: "Cut".'],
    ['without any text', 'DTSTART:20261201T090000Z', 'No client named.'],
    [
      'with a line that is none',
      `DTSTART:20261201T090000Z\n${nia}\nbogus`,
      'Line 6 is no property of an event, such as SUMMARY:….',
    ],
    [
      'of more than 1 MiB',
      `DTSTART:20261201T090000Z\nDESCRIPTION:${'x'.repeat(2_000_000)}\n${nia}`,
      'The event that begins on line 3 is longer than 1 MiB.',
    ],
  ])('is refused alone: %s', async (_, lines, reason) => {
    const { rows, problems, codes } = await read(event(lines) + event(`DTSTART:20261201T090000Z\n${nia}`));
    expect(problems).toEqual([reason]);
    expect(codes).toEqual(['invalid_value']);
    expect(rows).toHaveLength(2);
  });

  it('is its latest version, wherever that stands', async () => {
    const version = (sequence: number, start: string) =>
      event(`UID:1\nSEQUENCE:${sequence}\nDTSTART:${start}\n${nia}`);
    const { starts, remarks } = await read(
      version(0, '20261201T080000Z') + version(2, '20261201T090000Z') + version(1, '20261201T100000Z'),
    );
    expect(starts).toEqual(['2026-12-01T09:00:00Z']);
    expect(remarks).toEqual([
      '2 earlier versions of events left out: Nia Costa - Cut (line 3), Nia Costa - Cut (line 15)',
    ]);
  });

  it('may have texts of any length that nobody reads', async () => {
    const { problems } = await read(
      event(
        `DTSTART:20261201T090000Z\n${nia}\nX-THEME:${'x'.repeat(2_000_000)}\nATTACH:${'x'.repeat(2_000_000)}`,
      ),
    );
    expect(problems).toEqual([]);
  });
});

describe('whom and what an event is for', () => {
  const start = 'DTSTART:20261201T090000Z\n';

  it.each([
    ['SUMMARY:Nia Costa - Cut', 'Nia Costa', 'Cut'],
    ['SUMMARY:Cut: Nia Costa', 'Nia Costa', 'Cut'],
    ['SUMMARY:Fringe Trim – Nia Costa', 'Nia Costa', 'Fringe Trim'],
    ['SUMMARY:Nia Costa (Cut)', 'Nia Costa', 'Cut'],
    ['SUMMARY:Cut Nia Costa', 'Nia Costa', 'Cut'],
    ['SUMMARY:Nia Costa Balayage', 'Nia Costa', 'Balayage'],
    ['SUMMARY:Nia Costa\nCATEGORIES:Blue Category,Cut', 'Nia Costa', 'Cut'],
    ['SUMMARY:Nia Costa - Perm', 'Nia Costa', 'Perm'],
    ['SUMMARY:Cut\nATTENDEE;CN=Nia Costa:mailto:nia@costa.example', 'nia@costa.example\n\nNia Costa', 'Cut'],
    ['SUMMARY:Perm\nDESCRIPTION:Nia\\, nia@costa.example', 'nia@costa.example', 'Perm'],
    ['SUMMARY:Nia Costa - Cut\nDESCRIPTION:Tel. 0171 5550101', '\n0171 5550101\nNia Costa', 'Cut'],
    ['SUMMARY:Nia Costa +49 171 5550101 - Cut', '\n+49 171 5550101\nNia Costa', 'Cut'],
    ['SUMMARY:Nia Costa - Cut\nDESCRIPTION:Join: +1 555 5550100 or +44 20 79460000', 'Nia Costa', 'Cut'],
    ['SUMMARY:Nia Costa', 'Nia Costa', undefined],
  ])('is found: %j', async (lines, client, service) => {
    const { rows } = await read(event(start + lines));
    expect([rows[0]?.['client_id'], rows[0]?.['service']]).toEqual([client, service]);
  });

  it('is not the owner of the calendar', async () => {
    const people = 'ORGANIZER;CN=Mia:mailto:mia@salon.example\nATTENDEE;CN=Mia:MAILTO:mia@salon.example\n';
    const { rows, stylists } = await read(
      event(
        `${start}${people}ATTENDEE:mailto:nia@costa.example\nATTENDEE;CUTYPE=ROOM:mailto:room@salon.example\nSUMMARY:Cut`,
      ),
      { stylist: undefined },
    );
    expect(rows[0]).toMatchObject({ client_id: 'nia@costa.example' });
    expect(stylists).toEqual(['Mia']);
  });

  it('is told by the other events where the services are not known', async () => {
    const all = ['Perm - Nia Costa', 'Perm - Ida Berg', 'Wash - Jo Diaz', 'Wash - Nia Costa'];
    const { rows } = await read(all.map((summary) => event(`${start}SUMMARY:${summary}`)).join(''), {
      readServices: undefined,
    });
    expect(rows.map(({ service }) => service)).toEqual(['Perm', 'Perm', 'Wash', 'Wash']);
  });
});

describe('what cannot be read', () => {
  it('is an event that is cut, and one in another', async () => {
    const { problems, codes } = await read(`BEGIN:VEVENT\n${nia}\nBEGIN:VEVENT\nDTSTART:20261201T090000Z\n`);
    expect(problems).toEqual([
      'The VEVENT that begins on line 3 does not end: END:VEVENT is missing.',
      'The VEVENT that begins on line 5 does not end: END:VEVENT is missing.',
    ]);
    expect(codes).toEqual(['invalid_value', 'invalid_value']);
  });

  it.each([
    [
      `${event(`DTSTART:20261201T090000Z\n${nia}`)}BEGIN:VEVENT\n${nia}\n`,
      'The VEVENT that begins on line 7 does not end: END:VEVENT is missing.',
    ],
    [
      event(`DTSTART:20261201T090000Z\n${nia}`),
      'The VCALENDAR that begins on line 1 does not end: END:VCALENDAR is missing.',
    ],
  ])('is a file that ends too early: %j', async (events, reason) => {
    const { problems, codes } = await read(events, { end: '' });
    expect(problems).toEqual([reason]);
    expect(codes).toEqual(['unreadable']);
  });

  it('is a file of events for clients', async () => {
    const wanted = read(event(`DTSTART:20261201T090000Z\n${nia}`), { knownFields: ['first_name'] });
    await expect(wanted).rejects.toThrow('old.ics has events, which are appointments.');
  });

  it('is an entry that is no event, which is named', async () => {
    const { remarks } = await read(
      `BEGIN:VTODO\nSUMMARY:x\nEND:VTODO\n${event(`DTSTART:20261201T090000Z\n${nia}`)}`,
    );
    expect(remarks).toEqual(['1 entry besides events left out: VTODO']);
  });
});
