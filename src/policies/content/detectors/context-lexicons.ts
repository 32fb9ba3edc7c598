/** The words that tell what a number is. lexicon.ts explains their weights. */

import { GOODS, GOODS_ELSEWHERE, IDENTIFIER_PHRASES, IDENTIFIERS, WEAK_IDENTIFIERS } from "./identifiers.ts";
import { type Lexicon, lexicon, wordsOf } from "./lexicon.ts";

/** Phones in languages with scripts of their own. */
const PHONES_ELSEWHERE = `телефон мобильный мобільний τηλέφωνο τηλ κινητό טלפון הטלפון טל נייד הנייד تلفن موبایل هاتف جوال فون फ़ोन फोन मोबाइल ফোন
  মোবাইল தொலைபேசி ტელეფონი հեռախոս`;

const SOCIAL_SECURITY = `ssn ssns ss ssan ssno ssnum social soc socsec itin tin taxpayer ssa sozialversicherung sozialversicherungsnummer sécurité securite seguridad
  seguro sociale sicurezza segurança sociaal sociální sociálního społeczne społecznego соцстрах страхования снилс sosyal الضمان सामाजिक
  егн іпн рнокпп αμκα αφμ ασφάλισης ביטוח לאומי זהות תז ז ملی تأمین تامین الوطني القومي`;

/** Nine digits without dashes: a social-security number, or one of many other things. */
export const NINE_DIGITS = lexicon(
  [
    ["for", SOCIAL_SECURITY],
    ["weakly against", WEAK_IDENTIFIERS],
    [
      "against",
      `${IDENTIFIERS} phone tel tlf tél telephone telefon teléfono telefono téléphone mobile cell fax handy móvil ${PHONES_ELSEWHERE}`,
    ],
    ["against if beside", "call dial ring whatsapp"],
  ],
  [
    ["for", "社会保障 社会安全 社保 社會安全 사회보장 주민"],
    ["against", IDENTIFIER_PHRASES],
  ],
  { thingsSpeakAgainst: true, fillers: "list note slip form in identification is was are will be est ist es è é jest" },
);

/** NNN-NN-NNNN is convincing by itself: only the label of a product or an order speaks against it. */
export const DASHED_SSN = lexicon(
  [
    ["weakly against", `${IDENTIFIERS} code drawing dwg fabric ledger gl center centre`],
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
       teléfono móvil celular llame llamar llámame llamame llámanos llámenos appelez rappelez telefono cellulare chiamare chiamami telefone telemóvel ligue telefoon bellen телефона телефону тел звоните telefonu telepon telepono thoại puhelin τηλεφώνου καλέστε
       התקשרו الهاتف الجوال اتصل ${PHONES_ELSEWHERE}`,
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
       transaction txn txnid trx receipt ticket auth authorization approval claim case policy loan booking reservation job
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
       версия версии версию версією версія версії верзија verze verzi verzia verzie verzija verziju verzió verziója versija versjon versjonen versio
       versiota versioon versió versiune versiunea versi wersji wersję sürümü sürümünde έκδοση έκδοσης גרסה הגרסה בגרסה לגרסה גרסת نسخه نسخة النسخة
       সংস্করণ பதிப்பு ვერსია sürüm ausgabe abschnitt kapitel ziffer punkt absatz artikel artículo articolo artigo capítulo capitolo chapitre alinéa secção seção sección sezione rozdział
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
       ratio mailer vlc ffmpeg ssl zoom slack teams steam discord telegram volume step level dotnet powershell component spec specification`,
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
    ["against", "版本 バージョン 버전 리비전 第 เวอร์ชัน เวอร์ชั่น"],
  ],
  { fillers: "to from auf von nach à de a da" },
);
