import { foldText } from '../../contract/search-text.ts';

/**
 * Headings in English, German, French, Spanish, Italian, Portuguese, Dutch and Polish, without case, accents and marks.
 * They mean a field, names of two fields in the order of the words in a cell, or one of
 * - `name`: a first, last or whole name, which the other headings decide
 * - `mobile`, `phone`, `landline`: numbers, of which one is taken first
 */
const headings: Readonly<Record<string, string>> = {
  name: 'name namen nom noms naam nombre nombres nome nomes',
  first_name:
    'first firstname fname forename forenames givenname christianname clientfirstname customerfirstname vorname vornamen rufname prenom prenoms primernombre nombredepila nomeproprio primeironome voornaam voornamen roepnaam imie imiona',
  last_name:
    'last lastname lname surname familyname clientlastname customerlastname nachname familienname zuname nomdefamille apellido apellidos cognome cognomi sobrenome sobrenomes apelido apelidos achternaam familienaam nazwisko',
  'first_name last_name':
    'fullname clientname customername displayname contactname kundenname vollername vollstandigername vorundnachname vornameundnachname vornamenachname vornamename prenometnom prenomnom nomcomplet nomclient nomduclient nombrecompleto nombreyapellido nombreyapellidos nombreapellidos nombrecliente nombredelcliente nomecompleto nomeecognome nomecognome nominativo nomecliente nomedelcliente nomedocliente nomeesobrenome nomeeapelido volledigenaam voornaamenachternaam voorenachternaam klantnaam naamklant imieinazwisko imienazwisko imionainazwisko',
  'last_name first_name':
    'lastnamefirstname surnamefirstname lastfirst nachnamevorname nachnameundvorname namevorname nometprenom nometprenoms nomprenom apellidosynombre apellidosynombres apellidosnombre apellidoynombre cognomeenome cognomenome apelidoenome sobrenomeenome achternaamvoornaam achternaamenvoornaam naamvoornaam nazwiskoiimie nazwiskoimie',
  mobile:
    'mobile mobil mobilephone mobilephonenumber mobilenumber mobileno clientmobile phonemobile cell cellphone cellnumber handy handynr handynummer mobilnr mobilnummer mobiltelefon mobiltelefonnummer telefonmobil telefonhandy natel portable telportable telephoneportable telephonemobile numerodeportable movil telefonomovil numerodemovil celular telefonocelular telefonecelular cellulare telefonocellulare numerocellulare numerodicellulare telemovel numerodetelemovel mobiel mobielnummer mobielenummer mobieltelefoon mobieletelefoon telefoonmobiel gsm gsmnummer komorka komorkowy telkomorkowy telefonkomorkowy numerkomorkowy telkom numertelefonukomorkowego',
  phone:
    'phone phonenumber phoneno phone1 phone1value primaryphone contactnumber telephone telephonenumber tel telno telnr telefon telefonnr telefonnummer rufnummer numerotelephone numerodetelephone numtel notelephone ntelephone telefono numerotelefono numeroditelefono numerodetelefono telefone numerodetelefone telefoon telefoonnr telefoonnummer telnummer numertelefonu nrtelefonu nrtel telefonkontaktowy',
  landline:
    'landline landlinenumber homephone homephone2 hometelephone businessphone businessphone2 workphone otherphone secondaryphone phone2 phone2value phone3value festnetz festnetznr festnetznummer telefonfestnetz telefonprivat telefonprivat2 privattelefon telefonzuhause telefongeschaftlich fixe telfixe telephonefixe telephonedomicile telephonetravail fijo telefonofijo telefonocasa telefonotrabajo fisso telefonofisso fixo telefonefixo telefonedecasa vast vastnummer vastenummer vastetelefoon telefoonvast telefoonthuis telefoonprive stacjonarny telefonstacjonarny telstacjonarny telefondomowy telefon2 tel2',
  email:
    'email emails email1 email1value emailaddress primaryemail clientemail customeremail mail mailaddress emailadresse mailadresse courriel adressemail adresseemail adresseelectronique adressecourriel correo correos correoelectronico direcciondecorreo direcciondecorreoelectronico postaelettronica indirizzoemail indirizzomail indirizzodipostaelettronica enderecodeemail enderecoeletronico correioeletronico emailadres mailadres adresemail adresmailowy adrespocztyelektronicznej pocztaelektroniczna',
  birthday:
    'birthday birthdate bday born dateofbirth dob geb gebdat gebdatum geboren geborenam geburtsdatum geburtstag naissance datenaissance datedenaissance anniversaire dateanniversaire nacimiento fechanacimiento fechadenacimiento fnacimiento cumpleanos fechadecumpleanos nascita datanascita datadinascita compleanno nascimento datanascimento datadenascimento aniversario datadeaniversario geboortedatum geboortedag verjaardag dataurodzenia dataur urodziny urodzony urodzona',
  notes:
    'note notes memo remark remarks comment comments clientnotes customernotes generalnotes notiz notizen bemerkung bemerkungen anmerkung anmerkungen kommentar kommentare kundennotiz kundennotizen remarque remarques commentaire commentaires nota notas observacion observaciones comentario comentarios anotaciones osservazioni annotazioni commenti appunti observacoes anotacoes opmerking opmerkingen notitie notities aantekeningen uwaga uwagi notatka notatki komentarz komentarze',
  tags: 'tag tags label labels group groups groupmembership clientgroup customergroup category categories kategorie kategorien kundengruppe kundengruppen gruppe gruppen schlagworter stichworte etikett etiketten groupe groupes etiquette etiquettes categorie etiqueta etiquetas grupo grupos categoria categorias etichetta etichette gruppo gruppi groep groepen categorieen etykieta etykiety grupa grupy kategoria znaczniki',
  email_marketing_consent:
    'newsletter newsletteroptin emailnewsletter emailmarketing acceptsemailmarketing acceptsmarketingemails emailoptin emailconsent marketingemail marketingemails emailmarketingoptin emailwerbung werbungperemail einwilligungemail emaileinwilligung emailzustimmung infolettre consentementemail accordemail boletin consentimientoemail consensoemail consensonewsletter consentimentoemail nieuwsbrief emailtoestemming toestemmingemail zgodaemail zgodanaemail zgodanewsletter zgodananewsletter',
  sms_marketing_consent:
    'sms smsmarketing acceptssmsmarketing smsoptin smsconsent marketingsms smsmarketingoptin textmarketing smswerbung werbungpersms einwilligungsms smseinwilligung smszustimmung consentementsms accordsms consentimientosms consensosms consentimentosms smstoestemming toestemmingsms zgodasms zgodanasms',
  external_id:
    'externalid clientid clientno clientnumber clientcode customerid customerno customernumber customercode kundenid kundennr kundennummer kdnr idclient numclient nclient numeroclient numerodeclient codeclient idcliente ncliente numerocliente numerodecliente codigocliente codigodecliente codicecliente klantid klantnr klantnummer klantcode idklienta nrklienta numerklienta kodklienta',
  preferred_stylist_id:
    'preferredstaff preferredemployee preferredteammember stammfriseur stammfriseurin lieblingsfriseur lieblingsstylist bevorzugterstylist bevorzugterfriseur bevorzugtermitarbeiter coiffeurprefere coiffeuseprefere coiffeurattitre stylisteprefere estilistapreferido estilistapreferida peluqueropreferido peluquerapreferida stilistapreferito stilistapreferita parrucchierepreferito cabeleireiropreferido estilistafavorito voorkeursstylist voorkeursstyliste voorkeurkapper vastekapper ulubionystylista ulubionyfryzjer preferowanystylista stalyfryzjer',
};

const meanings = new Map(
  Object.entries(headings).flatMap(([meaning, words]) =>
    words.split(' ').map((word) => [word, meaning] as const),
  ),
);

/** What people add to a heading: a form of dates, and whether a value is needed. */
const additions = /\((?:[dmytjagr./ -]+|optional|required|pflichtfeld|facultatif|opcional)\)|[*:]/gi;

/** The meaning of a heading as other programs and people write it; undefined for others. */
export function recogniseHeading(heading: string): string | undefined {
  return meanings.get(foldHeading(heading)) ?? meanings.get(foldHeading(heading.replace(additions, '')));
}

/** Letters and digits of a heading, without case and accents. */
export function foldHeading(heading: string): string {
  // A byte order mark may have been read as Windows-1252.
  return foldText(heading.replace(/^\u00EF\u00BB\u00BF|[º°]/g, '')).replace(/[^\p{L}\p{N}]/gu, '');
}
