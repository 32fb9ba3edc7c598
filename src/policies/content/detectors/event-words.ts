/** What happens on a date that is no birth, in languages other than English: paid, sent, received, signed, issued, changed, hired, married. */

export const EVENTS_ELSEWHERE = `
  versandt versendet verschickt abgeschickt gesendet erhalten empfangen unterschrieben geöffnet geschlossen gültig geändert aktualisiert
  eingestellt angestellt hochzeit unfall stichtag frist fristende zahlung überweisung kauf verkauf buchung reise abreise anreise prüfung
  untersuchung impfung aufnahme entlassung einzug auszug umzug kündigung mietbeginn seit verheiratet
  expédié expédiée envoyé envoyée reçu reçue payée signée émis émise modifié modifiée créé créée embauché embauchée mariage vous
  validité délivré délivrée publié publiée installé vendu acheté commandé ouvert fermé visite sortie début fin depuis dès
  enviado enviada recibido recibida pagada firmada emitido emitida creado creada actualizado actualizada modificado contratado contratada
  boda vence vencido comprado comprada vendido vendida abierto cerrado publicado instalado casado casada accidente inicio expedición
  expedido envío vacuna visita ingreso matrimonio desde
  spedito spedita inviato inviata pagata ricevuto ricevuta emesso emessa firmata creato modificato aggiornato assunto assunta nozze
  acquistato comprato venduto aperto chiuso pubblicato rilasciato rilasciata scade spedizione incidente inizio fine ricovero vaccino dal
  recebido recebida paga assinada criado atualizado casamento validade aberto fechado acidente consulta início fim admissão
  verzonden verstuurd ontvangen ondertekend dienst geldig gewijzigd bijgewerkt aangemaakt verkocht besteld geopend gesloten bruiloft
  huwelijk ongeval sinds uitgegeven vanaf
  skickad skickades betald betalad betalades anställd mottagen undertecknad utfärdad uppdaterad ändrad giltig bröllop möte köpt köptes såld
  beställd leverans olycka sendt betalt ansat ansatt modtaget mottatt underskrevet udstedt utstedt opdateret oppdatert ændret endret gyldig
  bryllup møte møde købt kjøpt solgt bestilt levering ulykke
  lähetetty maksettu vastaanotettu allekirjoitettu päivitetty voimassa häät kokous ostettu myyty tilattu toimitus onnettomuus
  wysłano wysłany opłacono opłacony zapłacony wydano wydany zatrudniony zatrudniona otrzymano podpisany utworzono zmieniono zaktualizowano
  ważny ślub kupiono sprzedano zamówiono wypadek wizyta od
  odesláno zaplaceno vydáno přijato podepsáno vytvořeno změněno platnost svatba koupeno prodáno objednáno nehoda
  оплачен оплачена отправлен отправлена отправлено выдан выдана выдано подписан подписана подписано получен получена получено принят принята
  создан создана создано изменен изменён изменено обновлено свадьба куплен куплено продан заказан закрыт открыт опубликован оплата работу
  выдачи отправки доставки покупки регистрации истечения окончания начала відправлено оплачено видано підписано отримано створено змінено
  оновлено прийнято весілля куплено замовлено оплати видачі платено изпратено издадено plaćeno poslato poslano izdano potpisano
  gönderildi ödeme giriş alındı imza oluşturuldu güncellendi geçerli düğün alış veriliş kaza bitiş başlangıç teslimat
  εκδόθηκε πληρώθηκε πληρωμής έκδοσης στάλθηκε παραλήφθηκε υπογράφηκε αποστολής παράδοσης αγοράς λήξης γάμος
  trimis trimisă plătit plătită plății primit emis emisă semnat creat actualizat angajat valabil nuntă cumpărat vândut livrat
  fizetve kiállítás kiállítva elküldve kézbesítve aláírva frissítve érvényes esküvő vásárlás szállítás lejárat
  أرسل دفع استلم وقع صدر الإرسال الاستلام الشراء التوظيف البدء الإصدار
  תשלום משלוח נשלח שולם הונפק נחתם התקבל רכישה תפוגה חתימה הנפקה भेजा प्राप्त जारी
  toán hàng hạn ký mua pembayaran dikirim dibayar pengiriman ditandatangani diterbitkan pembelian berlaku diperbarui malipo bayad`;

/** Births in further languages. */
export const BIRTHS_ELSEWHERE = `
  lahir kelahiran ipinanganak kapanganakan nilizaliwa kuzaliwa gebore nascut nascuda naixement jaio ganwyd fæddur fædd fæðingardagur
  sündinud sünniaeg sünnikuupäev dzimis dzimusi dzimšanas gimęs gimė gimimo rojen rojena rojstva rođen rođena rođendan datëlindja lindur
  narodil narodila narodeniny született születtem synnyin syntynyt syntymäpäivä syntymäaikani născut născută роден родена рождение родена
  рођен рођена народився народилася народилась γεννήθηκα γεννήθηκε γεννημένος γενέθλια ميلادي ميلاده ميلادها مولود تولد متولد پیدائش
  לידה לידתי נולד נולדה נולדתי জন্ম জন্মতারিখ জন্মদিন பிறந்த பிறப்பு పుట్టిన დაბადების ծննդյան जन्मतारीख`;

/** Events in scripts without blanks. */
export const EVENT_PHRASES =
  "발송 입사 발급 구매 갱신 수정 등록 가입 출고 시작 종료 체결 방문 更新 購入 入社 登録 開始 終了 変更 作成 公開 出荷 到着 予約 签发 入职 购买 发布 创建 修改 注册 开始 结束 收到 下单 生效 ชำระ ออกใบ จัดส่ง หมดอายุ เริ่ม สิ้นสุด ประชุม สมัคร";
