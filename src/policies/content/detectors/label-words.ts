/** Words that tell whether another word labels a number. */

import { wordsOf } from "./lexicon.ts";

/** Words that, beside a head, name neither a thing nor the holder of the number. */
export const NEUTRAL = new Set(
  wordsOf(`my his her your our their its this that these those same following first second new old real fake full partial whole complete valid invalid
   correct wrong right actual true only own s security identity identification ident national federal government gov govt state citizen personal
   person individual account private us usa american steuer identificación identificacion identidad identité identifiant mein meine sein seine
   ihr ihre ma ta sa mi su mia tua sua enter type use verify give gave check provide send sent confirm input write wrote find show see read take
   took get got has have had is was are were be it with by in on at for from to as and or not say says said reply answer result output value
   values tax info secret other body payload raw arg args param variable var foo bar test data text string digits digit field content
   contents here note example sample eg number name beneficiary insured holder owner borrower claimant debtor guarantor tenant spouse husband
   wife child son daughter parent father mother dependent guardian heir witness`),
);

/** The number or the date behind them may be theirs. */
const PERSONS = new Set(
  wordsOf(`wife husband spouse child children son daughter parent father mother patient pupil student kid baby twin veteran employee member applicant client customer resident driver donor player man men woman
   women boy girl people male female mom mum dad aunt uncle brother sister self sir madam sis bro grandma grandpa granny grandmother
   grandfather grandson granddaughter nephew niece cousin fiancé fiancée partner boyfriend girlfriend hubby stepson stepdaughter stepmother
   stepfather newborn infant toddler teen teenager adult lady gentleman guy friend neighbor neighbour roommate colleague coworker boss nurse
   doctor teacher policyholder cardholder suspect victim survivor passenger guest candidate inmate defendant plaintiff decedent`),
);

/** Besides those, words that may stand right before a number and are no things. */
export const NO_THINGS = new Set([
  ...wordsOf(`you him she they them who which what where when how why then else because since though while until than there yes yeah okay sure
   hello hey dear please thanks thank sorry just also still again now today yesterday tomorrow always never maybe perhaps too very well
   about around over under down out off into onto via per like between before after behind above below near once twice ago back mine
   yours hers ours theirs both either neither each every some any all none many more most few several another others one against without
   within along among across throughout toward towards despite although however therefore instead even already often ever whether whose
   whom himself herself myself itself themselves yourself together almost quite someone something anyone everyone nothing everything
   nobody somebody anybody everybody unless except besides during beyond upon rather later earlier soon finally anyway meanwhile
   apparently`),
  // Verbs of writing, saying and handling a number.
  ...wordsOf(`does did done doing can cannot could would should will shall may might must let been being know knew known think thought guess
   believe hope need want mean remember forget forgot recall keep kept hold held put set saw seen tell told ask hear heard copy paste
   print store save submit share mail redact hide mask remove delete replace shred protect leak block search look match compare call
   contact bring hand fax scan written typing spell spelt going come make made found lost given giving try wait watch trust follow join
   speak spoke spoken chose choose pick became become belong belongs dropped repeat swap`),
  // The same in German, French, Spanish, Italian, Dutch, Portuguese and Polish.
  ...wordsOf(`der die das den dem des ein eine einen einem einer auf zur zum von vom bei mit nach aus für über unter und oder aber nicht auch nur
   noch schon ist sind war waren wird werden hat haben lautet heißt steht gibt bitte danke nein als wie sie wir ich ihnen mir les une
   aux par pour sur sous dans avec sans chez est sont était sera ont voici voilà oui non merci que qui elle nous vous los las una unos
   del con sin por para sobre entre hasta desde fue era está están tiene hay aquí gracias como gli uno della dello dei degli nel nella
   tra fra sono hanno ecco grazie che het een van met voor door bij naar uit ook maar niet zijn heeft hebben dit dat deze hier nee dank
   uma dos nos nas com sem até são foi tem aqui sim não obrigado dla przez przy jest był była tak nie oraz lub albo dijo dice digo diga
   escribió ingrese introduzca dis écrit saisir saisissez sagte sagt schrieb schreibe eingeben detto scrive scritto schrijf zegt zei
   powiedział wpisz disse diz escreva`),
  ...PERSONS,
]);

/** Behind them a capitalised word is no name of a person. */
export const DETERMINERS = new Set(
  wordsOf(`the a an this that my your his her our their der die das den dem des ein eine einen einem einer ihr ihre ihren ihrem ihrer mein meine
   meinen unser unsere dieser diese dieses le la les l un une ce cet cette votre notre mon ma el los las una su mi este esta il lo gli i
   uno o os um uma seu sua meu minha de het een uw mijn deze dit`),
);
