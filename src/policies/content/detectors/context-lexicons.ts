/** The words that tell what a number is. lexicon.ts explains their weights. */

import { GOODS, GOODS_ELSEWHERE, IDENTIFIER_PHRASES, IDENTIFIERS, WEAK_IDENTIFIERS } from "./identifiers.ts";
import { NUMBER_HEADS } from "./label-words.ts";
import type { Lexicon, Weight } from "./lexicon.ts";

const DATE_HEADS = new Set("date fecha data datum dato дата tarih tarihi تاريخ तिथि तारीख ngày".split(" "));

const wordsOf = (list: string): string[] => list.trim().split(/\s+/);

const lexicon = (
  entries: [Weight, string][],
  phrases: [Weight, string][] = [],
  { fillers = "", ...more }: { fillers?: string } & Partial<Omit<Lexicon, "fillers">> = {},
): Lexicon => ({
  words: new Map(entries.flatMap(([weight, list]) => wordsOf(list).map((word): [string, Weight] => [word, weight]))),
  phrases: phrases.flatMap(([weight, list]) => wordsOf(list).map((phrase): [string, Weight] => [phrase, weight])),
  fillers: new Set(wordsOf(fillers)),
  heads: NUMBER_HEADS,
  names: undefined,
  thingsSpeakAgainst: false,
  eventsSpeakAgainst: false,
  isConvincing: false,
  ...more,
});

const SOCIAL_SECURITY = `ssn ssns social soc socsec itin tin taxpayer ssa sozialversicherung sozialversicherungsnummer sécurité securite seguridad
  seguro sociale sicurezza segurança sociaal sociální sociálního społeczne społecznego соцстрах страхования снилс sosyal الضمان सामाजिक`;

/** Nine digits without dashes: a social-security number, or one of many other things. */
export const NINE_DIGITS = lexicon(
  [
    ["for", SOCIAL_SECURITY],
    ["weakly against", WEAK_IDENTIFIERS],
    [
      "against",
      `${IDENTIFIERS} phone tel tlf tél telephone telefon teléfono telefono téléphone mobile cell fax handy móvil телефон هاتف फ़ोन`,
    ],
    ["against if beside", "call dial ring whatsapp"],
  ],
  [
    ["for", "社会保障 社会安全 社保 社會安全 사회보장 주민"],
    ["against", IDENTIFIER_PHRASES],
  ],
  { thingsSpeakAgainst: true, fillers: "list in identification is was are will be est ist es è é jest" },
);

/** NNN-NN-NNNN is convincing by itself: only the label of a product or an order speaks against it. */
export const DASHED_SSN = lexicon(
  [
    ["for", `${SOCIAL_SECURITY} security applicant employee patient`],
    ["against", GOODS],
    ["against if beside", `${GOODS_ELSEWHERE} claim docket ticket permit rma`],
  ],
  [],
  { isConvincing: true },
);

/** With other separators than dashes only a word makes it one. */
export const SPACED_SSN: Lexicon = { ...DASHED_SSN, isConvincing: false };

/** Ten digits without separators. */
export const TEN_DIGITS = lexicon(
  [
    [
      "for",
      `phone phones telephone tel desk office home cell cellphone mobile call called calling text texted texting txt sms mms fax dial dialed ring rang whatsapp
       voicemail hotline helpline landline callback pager beeper switchboard buzz mob phoned facetime imessage viber telegram reach handset contact ph tlf tél telefon ruf telefonnummer handy mobil anrufen téléphone portable appeler
       teléfono móvil celular llame llamar llámame llamame llámanos llámenos appelez rappelez telefono cellulare chiamare chiamami telefone telemóvel ligue telefoon bellen телефон телефона телефону тел звоните telefonu telepon thoại puhelin फ़ोन फोन मोबाइल هاتف الهاتف جوال الجوال اتصل`,
    ],
    // What is only called somebody's number is a phone number.
    ["owner", "my his her our their meine seine ihre mijn mon son mi su mio suo meu seu"],
    ["weakly against", WEAK_IDENTIFIERS],
    ["against", IDENTIFIERS],
  ],
  [
    ["for", "电话 電話 手机 手機 携帯 전화 휴대폰 โทร"],
    ["against", IDENTIFIER_PHRASES],
  ],
  { fillers: "alt alternate also other second secondary or work day evening main is s ist est es è" },
);

/** Eleven digits without separators that begin with 1. Phrases do not speak for it: in Chinese such a number is a Chinese mobile's. */
export const ELEVEN_DIGITS: Lexicon = { ...TEN_DIGITS, phrases: TEN_DIGITS.phrases.filter(([, weight]) => weight !== "for") };

/** A phone number written as one: only the label of something else speaks against it. */
export const WRITTEN_PHONE = lexicon(
  [
    ["for", "phone telephone tel cell mobile call text sms fax dial ring whatsapp contact reach hotline orders"],
    [
      "against if beside",
      `${GOODS} ${GOODS_ELSEWHERE} issn ean docket nhs score gps coordinate latitude longitude lat lon amount balance price total
       zoom meeting webex teamviewer anydesk`,
    ],
  ],
  [["against if beside", "货号 貨號 型号 型號 订单 品番 型番 注文 제품 상품 주문"]],
  // Anybody may have a phone number ("home number", "Ann's number"), so only these names count.
  { names: new Set(wordsOf(IDENTIFIERS)), isConvincing: true },
);

export const CARD = lexicon(
  [
    [
      "for",
      `card cards cc ccn ccnum pan credit debit visa mastercard amex americanexpress discover diners jcb maestro unionpay mir rupay troy cardnumber
       creditcard cardholder charge charged billing billed pay paid paying payment cvv cvc cvv2 exp expires expiry karte kreditkarte carte tarjeta carta cartão
       kaart karta karty kartę kartu карта карты карту карте kart kartı kort kortti kártya kártyám karten kartenummer κάρτας κάρτα kartu kortin thẻ cardul cardului البطاقة بطاقة بطاقتي بطاقتك कार्ड`,
    ],
    [
      "against",
      `tracking shipment parcel waybill imei imeisv meid msisdn iccid isbn issn ean gtin upc barcode sku serial timestamp epoch ts ms nanos nanosecond
       microsecond unix iban id ids uid uuid guid userid tweet status snowflake order invoice confirmation rma
       trace span request session message hash checksum sha commit digest nonce seed build version revision offset bytes population vin lot batch container
       catalog part model ref reference konto sendungsnummer commande pedido bestellung bestellnummer auftrag заказ`,
    ],
  ],
  [
    ["for", "信用卡 銀行卡 银行卡 卡号 カード 카드 บัตร"],
    ["against", IDENTIFIER_PHRASES],
  ],
);

/** Of a known issuer: only a label says that it is something else ("the order number is …", but not "I paid for the order with …"). */
export const PRINTED_CARD: Lexicon = {
  ...CARD,
  words: new Map([...CARD.words].map(([word, weight]) => [word, weight === "against" ? "weakly against" : weight])),
  fillers: new Set("is was".split(" ")),
  isConvincing: true,
};

/** Four dotted numbers. */
export const DOTTED_QUAD = lexicon(
  [
    [
      "for",
      `ip ips ipv ipaddr ipaddress addr addrs address addresses host hostname server client agent gateway subnet netmask mask cidr dns
       nameserver resolver ping pinged pinging traceroute network net router peer remote src source dst dest destination endpoint connect
       connected connecting connection login logged log request requested requesting whitelist allowlist blocklist blacklist blocked block ban
       banned firewall proxy vpn ssh scp rsync telnet ftp listen listening bind bound localhost loopback visitor user node cluster machine dhcp lan wan
       interface eth route via http https tcp udp curl wget nslookup dig nat reach unreachable x-forwarded-for forwarded adresse
       dirección indirizzo endereço сервер адрес`,
    ],
    [
      "against",
      `version versions ver vers release released releasing build firmware package pkg nuget gem npm pip driver drivers bios patch patched hotfix revision rev rv oid hl ec section
       sections sec sect subsection chapter clause subclause paragraph para article appendix annex figure fig exhibit changelog tag tagged bump
       bumped downgrade downgraded rollback requires compatible introduced backported deprecated assemblyversion fileversion productversion versión versão versione versie wersja
       версия sürüm ausgabe abschnitt kapitel ziffer punkt absatz artikel artículo articolo artigo capítulo capitolo chapitre alinéa secção seção sección sezione rozdział
       rozdziału madde bölüm раздел пункт глава редакция अनुभाग संस्करण القسم المادة الإصدار إصدار`,
    ],
    [
      "against if beside",
      `theorem lemma corollary proposition definition exercise problem objective rfc iso din snmp mib asn kernel sdk app application software runtime plugin addon extension module library lib dependency dependencies
       windows chrome chromium firefox safari opera browser dll assembly msi exe apk ios os bsd android python java jdk jre nodejs php
       ruby golang perl postgres postgresql mysql sql mariadb oracle weblogic redis nginx apache tomcat openssl gcc clang cmake ubuntu debian macos
       kubernetes docker terraform spring django rails webpack typescript excel acrobat flash gradle maven jenkins elasticsearch mongodb kafka
       cuda uefi run runs running draait läuft unity unreal blender autocad photoshop sap crate bootloader baseband drupal joomla
       magento tensorflow torch pytorch numpy pandas react angular vue jquery electron webview silverlight
       vlc ffmpeg ssl zoom slack teams steam discord telegram volume step level dotnet powershell component spec specification`,
    ],
    ["weakly against", "rule requirement req control table resolution"],
    [
      "weakly against",
      `update updated updating updates upgrade upgraded upgrading install installed installs installer installing since aktualisierung jour
       actualización aggiornamento atualização aktualizacja обновление güncelleme`,
    ],
  ],
  [
    ["for", "地址 服务器 アドレス サーバー 서버 주소"],
    ["against", "版本 バージョン 버전 리비전 第"],
  ],
  { fillers: "to from auf von nach à de a da" },
);

/** A date with month, day and year. */
export const CALENDAR_DATE = lexicon(
  [
    [
      "for",
      `born birth birthday birthdate birthdates dob dobs bday birthed newborn geboren geb geburtsdatum geburtstag naissance né née nacido nacida
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
      `visa passport license licence permit on in out by before after until till since from to through thru between date dates at as of week day now monday tuesday
       wednesday thursday friday saturday sunday mon tue wed thu fri sat sun le la el il del della van d am du den dem der bis hasta fino até op em dnia datum data
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
      "发票 开票 到期 会议 付款 签订 签署 去世 发货 合同 截止 納期 期限 注文 発行 会議 支払 契約 締切 発送 订单 만료 발행 회의 결제 계약 사망 배송 마감",
    ],
  ],
  {
    fillers: "on in at by from to until till dates dated am vom du le el il op em dnia dia",
    heads: DATE_HEADS,
    eventsSpeakAgainst: true,
    thingsSpeakAgainst: true,
  },
);
