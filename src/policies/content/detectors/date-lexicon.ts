/** The words that tell what a date is. lexicon.ts explains their weights. */

import { BIRTHS_ELSEWHERE, EVENT_PHRASES, EVENTS_ELSEWHERE } from "./event-words.ts";
import { lexicon } from "./lexicon.ts";

const DATE_HEADS = new Set("date fecha data datum dato дата tarih tarihi تاريخ तिथि तारीख ngày".split(" "));

/** A date with month, day and year. */
export const CALENDAR_DATE = lexicon(
  [
    ["weakly against", EVENTS_ELSEWHERE],
    [
      "for",
      `${BIRTHS_ELSEWHERE} born birth birthday birthdate birthdates dob dobs bday birthed newborn geboren geb geburtsdatum geburtstag naissance né née nacido nacida
       nacimiento nací nació naci nacio nascido nascida nascimento nasci nasceu naquit naquis nato nata nascita nacque geboortedatum född födelsedatum født fødselsdato urodzony urodzona urodził urodziła urodziłem urodziłam urodzenia
       родился родилась рождён рождена рождения doğum doğumlu doğdum doğdu syntynyt syntymäaika narozen narozena
       narození narodenia народження рожд rođenja sinh الميلاد ميلاد مواليد ولد ولدت जन्म जन्मतिथि जन्मदिन născut nașterii születési γέννησης nac`,
    ],
    [
      "against",
      `filed filing paid payment payable renewal renew renews renewed invoice invoiced due expires expired expiry expiration exp issued issue
       issuance signed signature effective updated update created creation modified changed published publication posted post shipped ship
       shipping delivered delivery deliver order ordered purchase purchased bought sold sale start started starts starting begin began begins
       end ended ends ending deadline meeting meet appointment visit visited admitted admission discharged discharge event released release
       launch launched hired hire joined termination terminated hearing trial scheduled schedule version revision submitted submission
       received receipt reported report opened closed closing died death deceased married marriage wedding divorced graduated graduation arrived
       arrival arrive departed departure depart checkin checkout valid validity accessed retrieved logged log backup booking booked
       reservation flight conference session exam surgery vaccinated vaccination vaccine dose administered prescribed dispensed collected
       specimen sampled tested test inspected inspection manufactured production installed installation maintenance serviced service repaired
       epoch contract agreement lease policy coverage enrollment enrolled registered registration transaction posting statement balance fiscal quarter
       period founded established incorporated copyright approved approval completed completion cancelled canceled resolved escalated
       last next previous latest upcoming current today yesterday tomorrow ticket batch harvested fällig rechnung bestellt geliefert factura fecha facture date-limite
       vencimiento vencimento scadenza timestamp season match game holiday election census milestone sprint
       warranty taken held premiere anniversary retired resigned promoted moved returned refund refunded dated
       ratio stand erstellt vertragsbeginn beginn ablauf lieferung unterzeichnet gekündigt verstorben gestorben termin sitzung besprechung eingang
       ausgestellt überwiesen gezahlt bezahlt gekauft payé livré livraison signé réunion émission échéance achat contrat décès décédé
       pagado entregado entrega firmado reunión emisión compra contrato falleció murió cita riunione consegnato consegna pagato emissione
       acquisto contratto firmato deceduto appuntamento geleverd levering betaald vergadering gekocht getekend overleden afspraak
       entregue pago emissão reunião assinado faleceu wystawiono wystawienia zapłacono płatności zakupu dostarczono spotkanie umowy
       podpisano zmarł zmarła fatura toplantı ödendi teslim sipariş sözleşme vefat imzalandı оплачено оплаты договор договора встреча
       состоялась поставка доставлено выставлен умер умерла подписан الفاتورة فاتورة اجتماع الاجتماع الدفع التسليم الطلب العقد الانتهاء
       الاستحقاق توفي التوقيع चालान बैठक भुगतान वितरण अनुबंध निधन मृत्यु समाप्ति`,
    ],
    [
      "weakly against",
      `seen met went came sent won lost made done drawn flown struck fell fallen broke broken spoke spoken wrote written gave given shown caught
       cut chose chosen sworn spent stood sat ran signup signin datetime dos dod doi lmp edd eta etd rose risen sank sunk shot stolen beaten torn withdrawn visa passport license licence permit on in out by before after until till since from to through thru between date dates at as of week day now monday tuesday
       wednesday thursday friday saturday sunday mon tue wed thu fri sat sun le la el il del della van vom de of z ze от від d am du den dem der bis hasta fino até op em dnia datum data
       built kickoff cutover snapshot harvest vintage concert gala workshop webinar training orientation interview survey eclipse
       earthquake storm flood fire battle treaty edition memo notice agenda newsletter broadcast festival parade tournament marathon race
       regatta rally protest strike riot crash collision accident incident robbery theft hurricane tornado blizzard tsunami eruption
       landslide drought wildfire explosion attack siege war invasion armistice ceasefire summit congress referendum inauguration
       coronation funeral memorial burial recital opera ballet exhibition exhibit auction expo symposium seminar lecture keynote
       hackathon demo rehearsal audition screening episode finale rollout migration upgrade outage downtime deployment hotfix patch
       recall audit inventory vacation furlough layoff picnic retreat reunion jubilee voyage cruise tour excursion expedition landing
       orbit rendezvous draft semester term lesson lab quiz thesis defense viva appraisal valuation estimate quote bid tender dig`,
    ],
  ],
  [
    ["for", "出生 生日 生年月日 誕生 生まれ 생년월일 생일 태어 เกิด"],
    [
      "against",
      `${EVENT_PHRASES} 发票 开票 到期 会议 付款 签订 签署 去世 发货 合同 截止 納期 期限 注文 発行 会議 支払 契約 締切 発送 订单 만료 발행 회의 결제 계약 사망 배송 마감`,
    ],
  ],
  {
    fillers: "on in at by from to until till dates dated am vom du le el il op em dnia dia",
    heads: DATE_HEADS,
    eventsSpeakAgainst: true,
    thingsSpeakAgainst: true,
  },
);
