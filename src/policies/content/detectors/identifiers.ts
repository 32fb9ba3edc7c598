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
  gift loyalty flyer patent passcode password savings barrels acres hectares kilometers kilometres km tonnes neurons tokens parameters`;

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
  score rank accident adapter admission affiliate agent agreement aisle alarm amendment amplifier antenna appliance appointment archive
  area artifact assembly asteroid attendee auction audit award axle bag balloon barge barrel battery beacon bed bench berth bid bike bin
  biopsy blade blueprint boat boiler bond borehole bot bottle box branch bridge broker building bundle burger bus bylaw byline cabin
  cabinet cable camera campaign candidate capsule car caravan carton cashier cask casting chair chapter chargeback charger checkpoint
  chip circuit circular class classroom clause clinic clip cluster coach coil coin collection comet commission compartment component
  compressor contestant contractor conversation convoy counter county course court crane crate credential crew cruise cursor customs
  database dealer dealership deck declaration degree delegate depot desk diploma dish disk dispenser dispute district dock dome donation
  donor dose drawer drawing drive drone drum duty elevator endpoint engine entry envelope epic episode escrow estimate exam excavator
  exhibit expense extension facility factory farm ferry filing film firm fleet flock floor footnote forklift fossil franchise freezer fund
  furnace fuse gallery game garage gateway gauge generator grade grid guild hangar harness harvest hatch headset heat herd hospital hotel
  hull hydrant ingredient inspection instance instrument intake interview isotope itinerary jacket jersey journey keg kiosk kit lab ladder
  lamp landmark lane laptop launch layer lead league lesson level lift listing locomotive lodge lottery magazine mailbox mailing
  maintenance mandate manifest map marker medal menu mesh metric microchip mission modem module mold molecule motion motor movie
  newsletter operator opportunity option orbit ordinance organization outage outlet packet painting panel paragraph parcelle parish
  parking partner passenger patch pattern payout pen pension petition pilot pipeline pit plan planet platform player playlist pledge plot
  plug pod polygon pool portfolio precinct printer prize probe profile program project projector promo property proposal protocol provider
  province pump purse quarry quest questionnaire quiz quota rack radio raffle ranking reactor ream rebate recipe redemption reel referral
  refill refund registrant registry relay remittance rental requisition reseller residence resolution ride robot roll rotor round
  router sail sale satellite scan scanner scheme scholarship scooter script sculpture seal season section sector settlement shaft sheet
  shelf shift ship shipper shop silo site slide slot socket species sponsor spool spot sprint stall statement station statute stock
  storage story stream street strip studio subnet subscription substation suite summons swab switch table tablet tank tariff teacher team
  telescope template tender theater thermostat thesis throttle ticker tier tile till tire title toll tool topic tower tract trade trailer
  train transcript transformer transmitter trap treasury treatment trip trolley trophy truck trunk tube tunnel turbine turnstile tyre
  umpire valve van variant vault venue verse vessel vial violation vitrine volume voyage wagon wall wallet ward warehouse warrant weapon
  library webhook wheel widget window wing winner wire worker workspace workstation yard zone card pallet`;

/** Goods and orders, whose numbers may look like another type. The words of the second list have other meanings too. */
export const GOODS =
  "po part sku serial model catalog catalogue product item order invoice tracking isbn version barcode upc lot batch";
export const GOODS_ELSEWHERE = `art article artikel modell modelo modèle modello teil auftrag bestellung bestell rechnung réf référence artículo articulo articolo
  pedido factura commande facture ordine fattura bestelling factuur zamówienie faktura produkt produktu producto produto prodotto produit ürün заказ заказа артикул товара`;

export const IDENTIFIER_PHRASES =
  "订单 訂單 单号 編號 编号 客户 客戶 会员 人口 注文 番号 伝票 会員 주문 송장 계좌 고객 회원 인구 คำสั่งซื้อ";
