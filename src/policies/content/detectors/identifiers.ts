/** The names of things that have numbers of their own. context-lexicons.ts says which of them speak against a type of personal data. */

/** Names of things that carry numbers of their own. */
export const IDENTIFIERS = `order invoice receipt ticket shipment shipping tracking parcel waybill awb consignment container rma routing aba
  iban bic swift uid uuid guid userid login membership account acct acc node vertex edge case claim matter docket doc sku serial model lot batch
  asset barcode upc ean gtin isbn issn doi pmid arxiv zip postal postcode transaction txn trx payment transfer deposit withdrawal cheque
  reference confirmation booking reservation pnr flight loan mortgage lease policy contract permit badge passport visa plate vin imo mmsi imei
  iccid msisdn meid mrn encounter specimen prescription rx npi dea duns ein siren siret regon krs nip abn acn tfn nif nie bsn sin crn vat gst
  cusip oclc lading metres meters feet kilograms process pid tid thread job queue span session token nonce seed hash checksum crc sha commit revision build version release tag
  issue bug pr merge changeset incident index offset size length count sum amount balance price cost fee revenue budget usd eur gbp jpy dollar
  euro bytes byte kb mb gb tb bits ms millisecond microsecond nanosecond epoch timestamp ts unix population isrc osm legajo
  bestellung bestellnummer auftrag auftragsnummer vorgang rechnung rechnungsnummer kundennummer kundennr konto kontonummer bankleitzahl
  sendung sendungsnummer artikelnummer aktenzeichen commande facture colis compte dossier pedido factura cuenta envío envio
  recibo ordine fattura conto spedizione encomenda fatura conta bestelling factuur rekening zamówienie faktura заказ заказа счет счёт
  накладная посылка sipariş kargo paquete guía guia rastreo paquet pakket palet pesanan đơn ordernummer ordernum orderno acctno txid pin otp student locker licence license po quote quotation purchase
  dispatch inode asn vlan chassis users people rows records items entries hits downloads views votes units miles residents visitors clicks
  subscribers followers copies einwohner habitants habitantes abitanti inwoners mieszkańców жителей населения nüfus points cycles packets iterations lines shares bib voucher coupon fein
  счета счёта посылки фактура замовлення рахунок рахунку накладна посилка поръчка поръчката пратка παραγγελία παραγγελίας τιμολόγιο
  τιμολογίου αποστολή αποστολής λογαριασμός λογαριασμού κράτηση κράτησης הזמנה ההזמנה חשבונית החשבונית משלוח המשלוח חשבון החשבון سفارش فاکتور
  مرسوله حساب الحساب الطلب الفاتورة الشحنة آرڈر beställning beställningen beställningsnummer bestilling bestillingen
  ordre ordren ordrenummer tilaus tilauksen tilausnumero objednávka objednávku objednávky rendelés rendelésem rendelésszám comandă comanda narudžba
  narudžbu porudžbina tellimus užsakymas pasūtījums siparişim siparişi siparişiniz numaralı pöntun porosi oda tilaukseni zamówienia অর্ডার ऑर्डर आर्डर चालान खाता खाते बुकिंग ஆர்டர் შეკვეთის gift loyalty flyer patent passcode password savings barrels acres hectares kilometers kilometres km tonnes neurons tokens parameters`;

/** Words that may name a thing with a number of its own; they count only if no stronger word is within reach. */
export const WEAK_IDENTIFIERS = `user username member customer client cust employee employer emp staff pupil patient applicant vendor supplier merchant store
  terminal device sensor meter machine host port task request req response trace record rec row line column position block height total
  salary income second minute hour time distance metre mile kilogram gram pound ton resident visitor view click subscriber
  follower unit piece copy vote voter ballot id ids identifier key code primary foreign sequence seq partition shard bucket object blob
  chunk image photo video song track album frame pixel coordinate latitude longitude lat lon lng geo way relation gene protein compound
  star galaxy product item article catalog catalogue inventory part package folder document page file company corp entity alert event
  message msg mail post tweet status comment channel chat group room server ref plus gate seat share driver vehicle registration artikel
  kunde cliente klant chart visit sample pull cookie check checking sort pos gas return returns delivery report reading correlation
  duration frequency quantity qty memory heap pointer steam discord zoom skype webex anydesk teamviewer meeting apn asin pubchem mac
  mid bill auth authorization approval certificate citation complaint application grant survey respondent participant trial study dataset
  passenger guest candidate inmate defendant plaintiff клиент клиента клієнт клієнта договор договора полис полиса билет билета לקוח חוזה כרטיס
  פוליסה πελάτη πελάτης πελάτου συμβόλαιο συμβολαίου مشتری العميل عميل العقد`;

/** Goods and orders, whose numbers may look like another type. The words of the second list have other meanings too. */
export const GOODS =
  "po pn part sku serial model catalog catalogue product item order invoice tracking isbn version barcode upc lot batch";
export const GOODS_ELSEWHERE = `art article artikel modell modelo modèle modello teil auftrag bestellung bestell rechnung réf référence artículo articulo articolo
  pedido factura commande facture ordine fattura bestelling factuur zamówienie faktura produkt produktu producto produto prodotto produit ürün заказ заказа артикул товара`;

export const IDENTIFIER_PHRASES =
  "订单 訂單 单号 編號 编号 客户 客戶 会员 人口 注文 番号 伝票 会員 주문 송장 계좌 고객 회원 인구 คำสั่งซื้อ ลูกค้า สมาชิก สัญญา";
