import { decimalsOf } from '../../contract/currencies.ts';
import { SalonError } from '../../contract/errors.ts';
import { didYouMean } from '../../text/closest.ts';
import { foldText } from '../../text/search-text.ts';
import { isLeftOut, lastNamePrefix, otherPhone, type SheetForm, toLeftOut } from '../sheet/sheet-form.ts';
import { nameOrders } from './person-names.ts';

/** The target of a column that is left out. */
export const leftOut = '-';

/** A heading, and what its column has: a field, `first_name last_name` or `last_name first_name`, or `-` to leave it out. */
export type ColumnTarget = readonly [heading: string, target: string];

/** A column that has values, and a heading that nothing recognises. */
export interface UnknownColumn {
  readonly heading: string;
  /** The first value. */
  readonly example: string;
  /** The field that its values clearly are of, unless another column has it. */
  readonly likely?: string | undefined;
}

export interface MappingOptions {
  readonly mapping?: readonly ColumnTarget[] | undefined;
  /** Whether headings of other programs and languages are recognised. */
  readonly recognises?: boolean | undefined;
  /** Whether columns that are not recognised are left out where they are empty, or asked about. */
  readonly asksUnknown?: boolean | undefined;
  /** Asks what unknown columns have. Those that it does not name stay unknown. */
  readonly chooseFields?:
    | ((columns: readonly UnknownColumn[]) => Promise<readonly ColumnTarget[]>)
    | undefined;
}

type Columns = Pick<SheetForm, 'columns' | 'fields'>;

export function isTarget(target: string, known: readonly string[]): boolean {
  const field = parseAmountHeading(target)?.field ?? target;
  return target === leftOut || known.includes(field) || nameOrders.some((order) => order === target);
}

export function describeTargets(known: readonly string[]): string {
  const names = known.includes('first_name') ? '; for whole names "first_name last_name"' : '';
  return `${known.join(', ')}${names}; nothing to leave a column out`;
}

/** Whether a column is used or left out as its field says. */
export function isTaken(field: string, known: readonly string[]): boolean {
  return isTarget(field, known) || [otherPhone, lastNamePrefix].includes(field) || isLeftOut(field);
}

/**
 * The fields of columns as people say what they have, by index. Throws `usage` for a heading that the sheet does not have or
 * that is mapped twice, and for an unknown field.
 */
export function readMapping(
  columns: readonly string[],
  mapping: readonly ColumnTarget[],
  { name, known }: { readonly name: string; readonly known: readonly string[] },
): ReadonlyMap<number, string> {
  const mapped = new Map<number, string>();
  for (const [heading, target] of mapping) {
    const index = findColumn(heading, columns, name);
    if (mapped.has(index)) {
      throw new SalonError('usage', `Column "${columns[index]}" is mapped twice.`, {
        hint: 'Use one --map for a column.',
      });
    }
    if (!isTarget(target, known)) {
      const problem = `Column "${heading}" cannot be ${target}: no such field.${didYouMean(target, known)}`;
      throw new SalonError('usage', problem, { hint: `Fields: ${describeTargets(known)}.` });
    }
    mapped.set(index, target === leftOut ? toLeftOut(columns[index] ?? '') : target);
  }
  return mapped;
}

function findColumn(heading: string, columns: readonly string[], name: string): number {
  const exact = columns.indexOf(heading.trim());
  if (exact !== -1) return exact;
  const alike = columns.flatMap((column, index) =>
    foldHeading(column) === foldHeading(heading) ? [index] : [],
  );
  const [index] = alike;
  if (index !== undefined && alike.length === 1) return index;
  const problem =
    alike.length > 1
      ? `${name} has ${alike.length} columns like "${heading}".`
      : `${name} has no column "${heading}".`;
  throw new SalonError('usage', problem, { hint: `Its columns: ${columns.join(', ')}.` });
}

/** The fields of columns that other programs and people name in their own way. Those that are mapped stay. */
export function recogniseColumns(
  { columns, fields = columns ?? [] }: Columns,
  mapped: ReadonlyMap<number, string>,
  known: readonly string[],
): readonly string[] {
  const headings = columns ?? [];
  const meanings = headings.map((heading, index) => {
    const field = fields[index] ?? heading;
    const isPlain = known.includes(field) && (field !== 'phone' || mapped.has(index));
    return mapped.get(index) ?? (isPlain ? field : (recogniseHeading(heading) ?? field));
  });
  const resolved = toPhoneFields(toNameFields(meanings), mapped);
  return resolved.map((field, index) => (field === leftOut ? toLeftOut(headings[index] ?? '') : field));
}

/** A column `Name` has what the others do not: last names beside first names, whole names beside neither. */
function toNameFields(meanings: readonly string[]): readonly string[] {
  const [hasFirst, hasLast] = ['first_name', 'last_name'].map((field) => meanings.includes(field));
  const hasWhole = meanings.some((meaning) => nameOrders.some((order) => order === meaning));
  const isTold = (hasFirst && hasLast) || hasWhole;
  const part = hasFirst ? 'last_name' : hasLast ? 'first_name' : 'first_name last_name';
  return meanings.map((meaning) => {
    if (meaning === 'name') return isTold ? leftOut : part;
    const isRepeated = hasFirst && hasLast && nameOrders.some((order) => order === meaning);
    return isRepeated ? leftOut : meaning;
  });
}

const phoneKinds = ['mobile', 'phone', 'landline'];

/**
 * Mobile numbers come first, then numbers of any kind, then landlines. Two columns of the first kind stay, to be
 * refused.
 */
function toPhoneFields(meanings: readonly string[], mapped: ReadonlyMap<number, string>): readonly string[] {
  const kinds = phoneKinds.map((kind) =>
    meanings.flatMap((meaning, index) => (meaning === kind && !mapped.has(index) ? [index] : [])),
  );
  const isChosen = [...mapped.values()].includes('phone');
  const [first = [], second = []] = [...(isChosen ? [[]] : []), ...kinds.filter(({ length }) => length > 0)];
  return meanings.map((meaning, index) => {
    if (mapped.has(index) || !phoneKinds.includes(meaning)) return meaning;
    if (first.includes(index)) return 'phone';
    return second.length === 1 && second.includes(index) ? otherPhone : leftOut;
  });
}

/** Throws `usage` if two columns have one field. */
export function assertDistinctFields({ fields = [], columns }: Columns, name: string): void {
  const owners = new Map<string, number>();
  for (const [index, field] of fields.entries()) {
    const parts: readonly string[] = nameOrders.some((order) => order === field) ? field.split(' ') : [field];
    for (const part of parts) {
      const first = owners.get(part);
      owners.set(part, index);
      if (first === undefined) continue;
      const [one = '', other = ''] = [columns?.[first], columns?.[index]];
      throw new SalonError('usage', `${name}: columns "${one}" and "${other}" are both ${part}.`, {
        hint: `Remove or rename one of them, or leave it out: ${toMapFlag(other)}`,
      });
    }
  }
}

/** The flag that says what a column has, as a shell reads it. */
export function toMapFlag(heading: string, target = ''): string {
  const text = `${heading}=${target}`;
  return /["$`\\!]/.test(text) ? `--map '${text.replaceAll("'", `'\\''`)}'` : `--map "${text}"`;
}

/** What a sheet does with columns that are not headed as their field, for people: `Nachname → last_name`, or not taken. */
export function describeColumns({ columns, fields = [] }: Columns, ignored: readonly string[]) {
  const taken: ColumnTarget[] = [];
  const leftOut: string[] = [];
  for (const [index, heading] of (columns ?? []).entries()) {
    const field = fields[index] ?? heading;
    const isOther = foldHeading(heading) !== foldHeading(field);
    if (isLeftOut(field) || (isOther && ignored.includes(field))) leftOut.push(heading);
    else if (isOther) taken.push([heading, field]);
  }
  return { taken, leftOut };
}

/** Words of people for fields. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['client', 'client_id'],
  ['created', 'created_at'],
  ['preferredstylist', 'preferred_stylist_id'],
  ['start', 'start_time'],
  ['stylist', 'stylist_id'],
  ['updated', 'updated_at'],
]);

/** Columns of an export with names of people. Without a column of IDs, they say whom a row means. */
const nameColumns: ReadonlyMap<string, string> = new Map([
  ['client_name', 'client_id'],
  ['client_email', 'client_id'],
  ['client_phone', 'client_id'],
  ['stylist_name', 'stylist_id'],
  ['preferred_stylist_name', 'preferred_stylist_id'],
]);

/**
 * The field of each heading: `First Name`, `FIRST_NAME` and `first-name` are `first_name`. Times in the salon's zone are
 * headed `start_time_local`, amounts in a currency `amount_eur`. Other headings stay as they are.
 */
export function matchHeadings(
  headings: readonly string[],
  known: Iterable<string>,
): Partial<Pick<SheetForm, 'fields' | 'currencies'>> {
  // A field of the contract comes first: a server's own one may be spelt like it.
  const fieldOf = new Map([...known].toReversed().map((name) => [foldHeading(name), name]));
  const own = new Set(known);
  const currencies: Record<string, string> = {};
  const fields = headings.map((heading) => {
    if (own.has(heading) && !nameColumns.has(heading)) return heading;
    const name = foldHeading(heading);
    const field =
      fieldOf.get(name) ??
      fieldOf.get(name.replace(/local$/, '')) ??
      fieldOf.get(foldHeading(otherNames.get(name) ?? ''));
    if (field !== undefined) return field;
    const amount = parseAmountHeading(heading);
    if (amount === undefined) return heading;
    currencies[amount.field] = amount.currency;
    return amount.field;
  });
  for (const [index, field] of fields.entries()) {
    const idField = nameColumns.get(field);
    if (idField !== undefined && own.has(idField) && !fields.includes(idField)) fields[index] = idField;
  }
  return {
    ...(fields.every((field, index) => field === headings[index]) ? {} : { fields }),
    ...(Object.keys(currencies).length === 0 ? {} : { currencies }),
  };
}

/** The field and the currency of `price_eur`, `Paid amount (EUR)` and the like, and how an export writes that. */
export function parseAmountHeading(text: string) {
  const [, amount = '', code = ''] = /^(.*amount|price)[ _(-]*([a-z]{3})\)?$/i.exec(text.trim()) ?? [];
  const currency = code.toUpperCase();
  if (decimalsOf(currency) === undefined) return undefined;
  const field = amount.toLowerCase().replaceAll(/[ -]/g, '_');
  return { field, currency, heading: `${field}_${code.toLowerCase()}` };
}

/**
 * Headings in English, German, French, Spanish, Italian, Portuguese, Dutch and Polish, without case, accents and marks.
 * They mean a field, names of two fields in the order of the words in a cell, or one of
 * - `name`: a first, last or whole name, which the other headings decide
 * - `mobile`, `phone`, `landline`: numbers, of which one is taken first
 */
const headings: Readonly<Record<string, string>> = {
  name: 'name namen nom noms naam nombre nombres nome nomes',
  first_name:
    'first firstname fname forename forenames givenname christianname clientfirstname customerfirstname vorname vornamen rufname prenom prenoms primernombre nombredepila nomeproprio primeironome voornaam voornamen roepnaam imie imiona vorn pren voorn 1stname',
  last_name:
    'last lastname lname surname familyname clientlastname customerlastname nachname familienname zuname nomdefamille apellido apellidos cognome cognomi sobrenome sobrenomes apelido apelidos achternaam familienaam nazwisko nachn famname famnaam achtern apell cogn nazw sobren',
  [lastNamePrefix]: 'tussenvoegsel tussenvoegsels voorvoegsel voorvoegsels particule namensvorsatz',
  'first_name last_name':
    'fullname clientname customername displayname contactname kundenname vollername vollstandigername vorundnachname vornameundnachname vornamenachname vornamename prenometnom prenomnom nomcomplet nomclient nomduclient nombrecompleto nombreyapellido nombreyapellidos nombreapellidos nombrecliente nombredelcliente nomecompleto nomeecognome nomecognome nominativo nomecliente nomedelcliente nomedocliente nomeesobrenome nomeeapelido volledigenaam voornaamenachternaam voorenachternaam klantnaam naamklant imieinazwisko imienazwisko imionainazwisko voruzuname vorundzuname vorunachname vornameunachname vornameuname vornnachn nombreyapell nombreyap nomecogn imieinazw imienazw',
  'last_name first_name':
    'lastnamefirstname surnamefirstname lastfirst nachnamevorname nachnameundvorname namevorname nometprenom nometprenoms nomprenom apellidosynombre apellidosynombres apellidosnombre apellidoynombre cognomeenome cognomenome apelidoenome sobrenomeenome achternaamvoornaam achternaamenvoornaam naamvoornaam nazwiskoiimie nazwiskoimie nachnameuvorname nameuvorname nachnvorn apellynombre apynombre nazwiimie nazwimie achternvoorn',
  mobile:
    'mobile mobil mobilephone mobilephonenumber mobilenumber mobileno clientmobile phonemobile cell cellphone cellnumber handy handynr handynummer mobilnr mobilnummer mobiltelefon mobiltelefonnummer telefonmobil telefonhandy natel portable telportable telephoneportable telephonemobile numerodeportable movil telefonomovil numerodemovil celular telefonocelular telefonecelular cellulare telefonocellulare numerocellulare numerodicellulare telemovel numerodetelemovel mobiel mobielnummer mobielenummer mobieltelefoon mobieletelefoon telefoonmobiel gsm gsmnummer komorka komorkowy telkomorkowy telefonkomorkowy numerkomorkowy telkom numertelefonukomorkowego kom telefonkom nrkom nrtelkom nrtelkomorkowego telefonukomorkowego nrtelefonukom numerkom numertelkom mob mobno mobnr mobilno mobilenr mobilenum mobphone mobtel mobiltel telmob telmobil telmobile telefonmob handytel telhandy cellno cellnr telcell numcell ncell cel telcel ncel numcel telmov telmovil tfnomovil tlfmovil telefmovil nmovil nummovil mov telport port numport nportable telm telem telemov telmobiel mobielnr gsmnr telgsm',
  phone:
    'phone phonenumber phoneno phone1 phone1value primaryphone contactnumber telephone telephonenumber tel telno telnr telefon telefonnr telefonnummer rufnummer numerotelephone numerodetelephone numtel notelephone ntelephone telefono numerotelefono numeroditelefono numerodetelefono telefone numerodetelefone telefoon telefoonnr telefoonnummer telnummer numertelefonu nrtelefonu nrtel telefonkontaktowy fon fonnr ph phno phonenr phonenum teleph telef telefnr telefno tlf tlfn tlfno tfn tfno tlfnr telf ntelef ntel numtelef telnum nrtelef nrtelefon numtelefonu numertel telkontakt telkontaktowy telefoonnum contactno contacttel',
  landline:
    'landline landlinenumber homephone homephone2 hometelephone businessphone businessphone2 workphone otherphone secondaryphone phone2 phone2value phone3value festnetz festnetznr festnetznummer telefonfestnetz telefonprivat telefonprivat2 privattelefon telefonzuhause telefongeschaftlich fixe telfixe telephonefixe telephonedomicile telephonetravail fijo telefonofijo telefonocasa telefonotrabajo fisso telefonofisso fixo telefonefixo telefonedecasa vast vastnummer vastenummer vastetelefoon telefoonvast telefoonthuis telefoonprive stacjonarny telefonstacjonarny telstacjonarny telefondomowy telefon2 tel2 telpriv telprivat telprive telefonpriv telefoonpriv telgesch telgeschaftl telgeschaftlich telefongesch teldienst teldienstl telefondienstlich telefonzuhaus telzuhause telhome telwork hometel worktel homeno workno homeph workph festn telfestnetz teldom teldomicile teltrav teltravail telbur telbureau telprof telpro telfijo telcasa teltrab teltrabajo telof telfisso telab telabitazione teluff telufficio telfixo telres telresidencial teltrabalho telvast telthuis telwerk teldomowy telefondom telstac telefonstac telsluzb telsluzbowy telpryw telprywatny',
  email:
    'email emails email1 email1value emailaddress primaryemail clientemail customeremail mail mailaddress emailadresse mailadresse courriel adressemail adresseemail adresseelectronique adressecourriel correo correos correoelectronico direcciondecorreo direcciondecorreoelectronico postaelettronica indirizzoemail indirizzomail indirizzodipostaelettronica enderecodeemail enderecoeletronico correioeletronico emailadres mailadres adresemail adresmailowy adrespocztyelektronicznej pocztaelektroniczna emailadr mailadr emailaddr mailaddr adrmail adremail adrelectr correoe correoelec correoelectr dircorreo diremail indemail indiremail postaelettr endemail adresel pocztael',
  birthday:
    'birthday birthdate bday born dateofbirth dob geb gebdat gebdatum geboren geborenam geburtsdatum geburtstag naissance datenaissance datedenaissance anniversaire dateanniversaire nacimiento fechanacimiento fechadenacimiento fnacimiento cumpleanos fechadecumpleanos nascita datanascita datadinascita compleanno nascimento datanascimento datadenascimento aniversario datadeaniversario geboortedatum geboortedag verjaardag dataurodzenia dataur urodziny urodzony urodzona gebtag gebam gebdd geburtsd geburtsdat geburtstagam dateofb birthdat bdate birthd birthdt dtnasc datanasc datadenasc datadinasc dnasc nasc dtnascimento dtaniv aniv fechanac fechadenac fnac fdenac fdenacimiento fecnac fecnacimiento fchnac fechnac cumple fcumple datnaiss datenaiss datedenaiss dnaiss dtnaiss naiss datnaissance neele nele anniv dateanniv natoil natail datnasc dtnascita geboortedat gebdt geborenop gebop ur urodz',
  notes:
    'note notes memo remark remarks comment comments clientnotes customernotes generalnotes notiz notizen bemerkung bemerkungen anmerkung anmerkungen kommentar kommentare kundennotiz kundennotizen remarque remarques commentaire commentaires nota notas observacion observaciones comentario comentarios anotaciones osservazioni annotazioni commenti appunti observacoes anotacoes opmerking opmerkingen notitie notities aantekeningen uwaga uwagi notatka notatki komentarz komentarze bem bemerk anm anmerk rem remarq obs observ osserv annot opm opmerk notit uw uwag',
  tags: 'tag tags label labels group groups groupmembership clientgroup customergroup category categories kategorie kategorien kundengruppe kundengruppen gruppe gruppen schlagworter stichworte etikett etiketten groupe groupes etiquette etiquettes categorie etiqueta etiquetas grupo grupos categoria categorias etichetta etichette gruppo gruppi groep groepen categorieen etykieta etykiety grupa grupy kategoria znaczniki kat cat grp kateg categ',
  email_marketing_consent:
    'newsletter newsletteroptin emailnewsletter emailmarketing acceptsemailmarketing acceptsmarketingemails emailoptin emailconsent marketingemail marketingemails emailmarketingoptin emailwerbung werbungperemail einwilligungemail emaileinwilligung emailzustimmung infolettre consentementemail accordemail boletin consentimientoemail consensoemail consensonewsletter consentimentoemail nieuwsbrief emailtoestemming toestemmingemail zgodaemail zgodanaemail zgodanewsletter zgodananewsletter',
  sms_marketing_consent:
    'sms smsmarketing acceptssmsmarketing smsoptin smsconsent marketingsms smsmarketingoptin textmarketing smswerbung werbungpersms einwilligungsms smseinwilligung smszustimmung consentementsms accordsms consentimientosms consensosms consentimentosms smstoestemming toestemmingsms zgodasms zgodanasms',
  external_id:
    'externalid clientid clientno clientnumber clientcode customerid customerno customernumber customercode kundenid kundennr kundennummer kdnr idclient numclient nclient numeroclient numerodeclient codeclient idcliente ncliente numerocliente numerodecliente codigocliente codigodecliente codicecliente klantid klantnr klantnummer klantcode idklienta nrklienta numerklienta kodklienta codcliente codclient codcli codigocli codecli codclte idcli numcli ncli refclient refcliente refcli clientref kdnummer kundnr knr kundennum custno nrcliente numcliente custnr custid customernr klnr klid klantnum nrkl nrkli idkl kodkl numerkl numklienta nklienta',
  preferred_stylist_id:
    'preferredstaff preferredemployee preferredteammember stammfriseur stammfriseurin lieblingsfriseur lieblingsstylist bevorzugterstylist bevorzugterfriseur bevorzugtermitarbeiter coiffeurprefere coiffeuseprefere coiffeurattitre stylisteprefere estilistapreferido estilistapreferida peluqueropreferido peluquerapreferida stilistapreferito stilistapreferita parrucchierepreferito cabeleireiropreferido estilistafavorito voorkeursstylist voorkeursstyliste voorkeurkapper vastekapper ulubionystylista ulubionyfryzjer preferowanystylista stalyfryzjer',
};

const meaningOf = new Map(
  Object.entries(headings).flatMap(([meaning, words]) =>
    words.split(' ').map((word) => [word, meaning] as const),
  ),
);

/** What people add to a heading: a form of dates, and whether a value is needed. */
const additions = /\((?:[dmytjagr./ -]+|optional|required|pflichtfeld|facultatif|opcional)\)|[*:]/gi;

/** The meaning of a heading as other programs and people write it; undefined for others. */
export function recogniseHeading(heading: string): string | undefined {
  return meaningOf.get(foldHeading(heading)) ?? meaningOf.get(foldHeading(heading.replace(additions, '')));
}

/** Letters and digits of a heading, without case and accents. */
function foldHeading(heading: string): string {
  // A byte order mark may have been read as Windows-1252.
  return foldText(heading.replace(/^\u00EF\u00BB\u00BF|[º°]/g, '')).replace(/[^\p{L}\p{N}]/gu, '');
}
