/**
 * The words by which requests in other languages than English are read (`foreign-requests.ts`), as they are
 * spelt there. A word stands for all that begin with it, with a stop behind it for itself alone. What names a
 * deed here names one in a tool's name too (`tool-words.ts`).
 */
export interface RequestLanguage {
  readonly code: string;
  /** Words that texts of this language hold all the time: by these it is known. */
  readonly own: string;
  /** Words that begin a question. */
  readonly asks: string;
  /** Who says these wants to be told something: verbs of reading, and what reports are called. */
  readonly reads: string;
  /** Make, give: harmless where a report is what is made. */
  readonly makes: string;
  /** Verbs that ask for a deed, or leave it open. */
  readonly deeds: string;
  /** Whose sentence states something: who speaks, and what is or has been. */
  readonly states: string;
  readonly denies: string;
  /**
   * In an operator's instructions: what the agent is able to do, and not what it has to. In a question: what
   * it might do.
   */
  readonly able: string;
  /** Nouns begin with a capital: within a sentence such a word asks for nothing. */
  readonly hasCapitalNouns?: boolean;
  /** Verbs have beginnings of their own too: the words stand anywhere within others. */
  readonly isPrefixed?: boolean;
}

export const REQUEST_LANGUAGES: readonly RequestLanguage[] = [
  {
    code: "de",
    own: "der die das und ist nicht ein eine einen mit für auf ich mir mich wir du es im am zu von den dem des wie was welche bitte sind hat haben gibt alle aus bei nach noch",
    asks: "wie wer was wann wo warum wieso weshalb welch wieviel wohin woher womit gibt. ist. sind.",
    reads:
      "zeig list auflist nenn sag erklär erläuter vergleich prüf überprüf schau nachschau sieh guck such finde fass fasse zusammenfass zähl liste übersicht zusammenfassung überblick tabelle auswert bericht. berichte. einschätz nachseh anseh analys ermittl berechn wissen verrat beschreib stand. lies lese recherchier kurzfassung diagnose",
    makes: "mach erstell gib. gebt geben stell. stelle. bring bereite",
    deeds:
      "send schick versend verschick leite weiterleit überweis zahl bezahl begleich kauf bestell buche. buchen. reservier storn kündig lösch entfern erstatt ändere. ändern änderst aktualisier trag eintrag füge hinzufüg lege. anleg anzuleg schreib antworte beantwort veröffentlich poste hochlad aktivier deaktivier sperr entsperr schließ öffne freigeb genehmig verschieb umbenenn installier starte. starten führ ausführ durchführ erledig bearbeit kümmer meld informier benachrichtig setz einstell richte einricht ruf anruf vereinbar verläng widerruf beantrag einreich registrier füll korrigier reparier behebe beheb übernehm übertrag hinterleg vergiss tu. erneuer verkauf teile. einlade lade. delegier entzieh einzieh",
    states: "ich wir er sie man ist sind war waren wurde hat haben habe bin gehe",
    denies: "nicht kein keine keinen nie ohne nichts",
    able: "kannst könntest können kann. darfst werkzeuge tools zugriff funktionen zugang",
    hasCapitalNouns: true,
  },
  {
    code: "fr",
    own: "de à a si été le la les des est une un pour que qui dans sur avec pas ce cette mes ma mon je tu vous nous il elle sont quels quelle du au aux et ne moi depuis",
    asks: "qui que quoi quand où combien pourquoi comment quel quelle quels quelles lesquel laquelle lequel qu est.",
    reads:
      "montr affich list énumèr résum synth explique dis. dites dire compar vérifi regard cherch trouv compt calcul analys décri lis. lire liste point tableau aperçu récapitul bilan indiqu savoir consult examin recens diagnostic",
    makes: "fai fais. faire faites donne donner donnez prépare sors. établi",
    deeds:
      "envo expédi transfér transfer transmet pai règl réglez vir virement achèt achet command réserv annul supprim effac retir modifi chang mets mett ajout crée créer créez écri rédig répond publi partag téléverse charge activ désactiv bloqu débloqu ferm ouvr approuv valid accord autoris déplac renomm install lanc exécut trait occup suiv appliqu inform préven notifi appel planifi programm prolong rembours inscri rempli corrig répar enregistr dépos sign. signe relanc résili oubli vend invit délégu",
    states: "je nous j il elle est sont était a ai suis reprends",
    denies: "ne n pas sans aucun aucune jamais",
    able: "peux pouvez pourrais pourriez peut outils accès fonctions",
  },
  {
    code: "es",
    own: "de a no han ha sus le el la los las que y en un una por con para del al me mi mis se es son esta este hay lo su qué cuáles si",
    asks: "qué que quién cuándo dónde cuánt cuál cómo por. hay. está. es. son.",
    reads:
      "muestr muéstr mostr enseñ lista listame dime decir dinos explic resum resúm compar verific comprueb comprob revis mira busc encuentr cuent calcul analiz describ lee. leer tabla informe consult averigu indic saber diagnóstico balance",
    makes: "haz. hazme hacer hacerme dame darme prepara saca sacar elabora pásame",
    deeds:
      "envi mand mánd reenvi transf pag compr pide pedir pídel encarg reserv anul cancel borr elimin quit modific cambi actualiz añad agreg crea. crear créa escrib redact respond contest public compart sube. subir súbel activ desactiv bloque desbloque cierr cerrar abre. abrir abrel aprueb aprob autoriz conced muev mover renombr instal ejecut lanz arranc proces gestion tramit ocup sigue seguir aplic avis inform. informa. informar notific llam program renuev renov extiend prolong reembols devuelv devolv inscrib rellen corrig arregl guard registr firm pon. poner ponle olvid vend invit",
    states: "yo he hemos es son está están fue era tengo estoy",
    denies: "no sin ningún ninguna nunca",
    able: "puedes puede podrías podría herramientas acceso funciones",
  },
  {
    code: "pt",
    own: "de a ao foi pelo pela o os as que e em um uma para com do da dos das no na não me meu minha quem é são está se por ontem hoje",
    asks: "que quem quando onde quanto quanta quantos quantas qual quais como por. há. tem. está.",
    reads:
      "mostr list diz diga dizer resum resumo explic compar verific vê. ver. veja olh procur encontr conta. conte contar calcul analis descrev lê. ler. leia tabela relatório consult indic saber ponto levant diagnóstico balanço",
    makes: "faz fazer faça dá. dê. prepara monta",
    deeds:
      "envi mand transfer pag compr encomend reserv anul cancel apag elimin remov exclu modific alter mud atualiz actualiz adicion acrescent crie criar cria. escrev respond public partilh compartilh poste. postar suba. subir ativ activ desativ bloque desbloque fech abra. abrir aprov autoriz conced mova. mover renome instal execut rode. rodar process trat resolv siga. seguir aplic avis inform notific ligue ligar marc agend renov prolong estend reembols devolv inscrev preench corrig arrum guard registr assin esque vend convid",
    states: "eu nós é são foi está estão tenho vou",
    denies: "não sem nenhum nenhuma nunca",
    able: "pode podes poderia consegue ferramentas acesso funções",
  },
  {
    code: "it",
    own: "di a in ha sul della il lo la gli le di che e un una per con del della dei delle nel sul mi mio mia non è sono questa questo si ci quali da al cosa come",
    asks: "che chi cosa quando dove quant qual quali come perché c. ci. è. sono.",
    reads:
      "mostr elenc dimmi dire spieg riassum riassunt riepilog confront controll verific guard cerc trov conta. contare calcol analizz descriv legg tabella lista consult indic sapere resoconto diagnosi bilancio",
    makes: "fammi fai. fare farmi dammi darmi prepara preparami",
    deeds:
      "invi mand inoltr trasfer paga. pagar pagalo bonific compr ordina. ordinar prenot annull cancell elimin rimuov modific cambi aggiorn aggiung inserisc crea. crear scriv rispond pubblic condivid caric attiv disattiv blocc sblocc chiud apri. aprire approv autorizz conced spost rinomin install esegu avvi process gestis occup segu applic avvis inform notific chiam programm rinnov prorog rimbors restitu iscriv compil correg sistem salv registra. registrar firma. firmar dimentic vend invita.",
    states: "io noi ho abbiamo è sono era",
    denies: "non senza nessun nessuna mai",
    able: "puoi può potresti strumenti accesso funzioni",
  },
  {
    code: "nl",
    own: "de het een en van ik je we is niet voor met op dat die in aan te er mij mijn wat welke hoe zijn heb heeft naar bij uit ook nog deze",
    asks: "wat wie wanneer waar waarom hoe hoeveel welk is. zijn. heb",
    reads:
      "toon lijst noem vertel zeg uitleg leg. vergelijk controleer check bekijk kijk zoek vind tel. bereken analyseer beschrijf lees samenvat vat. overzicht tabel rapport weten opsom diagnose",
    makes: "maak geef laat",
    deeds:
      "stuur verstuur verzend zend mail. betaal overmak boek. boeken bestel koop reserveer annuleer verwijder wis. wijzig verander aanpas pas. update voeg toevoeg schrijf beantwoord antwoord publiceer deel. upload activeer deactiveer blokkeer deblokkeer sluit openen goedkeur keur verplaats hernoem installeer voer uitvoer start. starten verwerk handel regel volg informeer meld. bel. plan. verleng vernieuw vergoed vul. corrigeer herstel bewaar registreer teken zet. doe. vergeet verkoop",
    states: "ik we wij is zijn was waren heb hebben heeft",
    denies: "niet geen nooit zonder niets",
    able: "kun kunt kan. kunnen hulpmiddelen tools toegang functies",
  },
  {
    code: "nordic",
    own: "och att det som en ett på för är av med den till inte jag du vi har om vilka hur og er ikke jeg hva hvad hvor hvilke de et mig meg min fra från i der kan",
    asks: "vad vem när var varför hur vilk hvad hva hvem hvornår når hvor hvorfor hvordan hvilk er. har. finns",
    reads:
      "visa vis. list lista berätta fortell fortæl säg. sig. si. sammanfatt sammenfat oppsummer opsummer förklar forklar jämför sammenlign kontroller kolla tjek sjekk titta sök. søk. søg. hitta find. finn. räkna tæl beräkn beregn analyser beskriv läs læs les. översikt oversikt overblik tabell sammanställ diagnos",
    makes: "gör gi. giv ge. lag. lav. ta.",
    deeds:
      "skicka send vidarebefordra videresend betala betal köp køb kjøp beställ bestil boka. book. avboka annuller avbestil avlys radera slet slett ändra endre ændr uppdater opdater oppdater lägg læg legg skriv svara. svar. publicer offentliggør dela. del. ladda upload aktiver avaktiver deaktiver spärra sperr lås stäng luk. lukk steng öppna åbn åpne godkänn godkend godkjenn flytta flyt installera kör. kør. kjør. starta utför udfør utfør hantera håndter följ følg meddela informer ring. planera planlæg planlegg förläng forlæng forny återbetal refunder tilbagebetal registrer fyll rätta ret. spara. gem. lagre glöm glem udlever sälj avskriv nollställ",
    states: "jag vi ringer är var er jeg har hadde udleverer",
    denies: "inte ikke ingen inget aldrig utan uden uten",
    able: "kan. kunde kunne verktyg værktøj verktøy tillgång adgang tilgang",
  },
  {
    code: "pl",
    own: "i w na z do nie się jest są czy jak co który która które jakie dla od po o mi mnie moje ten ta to za",
    asks: "co kto kiedy gdzie dlaczego czemu jak ile jaki jaka jakie któr czy",
    reads:
      "pokaż wypisz wymień list powiedz wyjaśnij podsumuj porównaj sprawd zobacz znajd wyszuk policz oblicz przeanalizuj opisz przeczyt podsumowan zestawien tabel raport przegląd podaj streść streszcz diagnoz wiedzie",
    makes: "zrób przygotuj daj",
    deeds:
      "wyśl prześl przele przelew zapłać opłać płatno kup zamów. zamawia zarezerw rezerwuj anuluj odwoła usuń skasuj zmień zmodyfik zaktualiz dodaj utwórz napisz odpisz odpowied opublik udostęp wgraj aktywuj wyłącz włącz zablokuj odblokuj zamkn otwórz zatwier zaakcept przyzn nadaj przenie zainstal uruchom wykonaj przetwórz zajmij załatw obsłuż zastosuj zgłoś powiadom poinform zadzwoń zaplanuj umów przedłuż zwróć wypełn popraw napraw zapisz zarejestr podpisz ustaw wprowad zapomn sprzeda zaproś",
    states: "ja my jest są był była mam mamy",
    denies: "nie bez żaden nigdy nic",
    able: "możesz możecie mógłbyś narzędzia dostęp masz",
  },
  {
    code: "cs",
    own: "a v na se je jsou co jak který která které kolik z do pro že mi si to ne s po za k",
    asks: "co kdo kdy kde proč jak kolik jak kter",
    reads:
      "ukaž zobraz vypiš řekni říct říci vědět vysvětl shrň porovn zkontrol podív najdi vyhled spočít popiš přečt přehled seznam shrnut tabulk zjist",
    makes: "udělej připrav dej",
    deeds:
      "pošl odešl přepošl zapla převe platb kup objedn rezerv zruš smaž odstraň změň uprav aktualiz přid vytvoř napiš odpov zveřejn sdíl nahraj aktiv deaktiv zablok odblok zavř otevř schval povol přesuň nainstal spus prove zprac vyřiď postar zavol naplán prodluž vrať vypln oprav ulož zaregistr podepiš nastav zapome prode",
    states: "já my je jsou byl byla mám",
    denies: "ne nechci žádný žádné žádnou bez nikdy",
    able: "můžeš může můžete nástroje přístup pomáháš",
  },
  {
    code: "tr",
    own: "ve bir bu için ile mi mı mu ne kaç hangi var olan bana son en çok misin mısın bugün da de",
    asks: "ne. kim kaç hangi neden niçin nasıl nerede",
    reads:
      "göster listele liste söyle anlat özet açıkla karşılaştır kontrol bak bakar bul bulur say. hesapla analiz oku rapor tablo çıkar toparla incele",
    makes: "ver. verir hazırla",
    deeds:
      "gönder ilet öde ödeme satın sipariş rezerv iptal sil. siler silin kaldır değiştir güncelle ekle oluştur yaz. yazar yanıtla cevapla yayınla paylaş yükle etkinleştir devre aktif engelle kilitle kapat aç. açar onayla izin taşı kur. çalıştır başlat uygula işle hallet yap takip haber planla uzat yenile iade doldur düzelt kaydet imzala ayarla transfer havale unut sat. davet",
    states: "ben biz görüşeceğim var vardı oldu",
    denies: "değil hiç yok istemiyorum",
    able: "yetki araç erişim",
  },
  {
    code: "id",
    own: "yang di dan ke dari untuk ini itu ada apa berapa tolong saya sudah belum dengan mana kenapa",
    asks: "apa apakah siapa kapan dimana mana mengapa kenapa bagaimana berapa",
    reads:
      "cek periksa lihat tampil tunjuk daftar sebut jelas rangkum ringkas banding cari temu hitung analis baca laporan tabel beritahu",
    makes: "beri. buat.",
    deeds:
      "kirim bayar transfer beli. belikan pesan. memesan pesankan batal hapus ubah ganti perbarui tambah tulis balas jawab unggah bagikan aktif blokir kunci buka. bukakan tutup setujui izin pindah instal jalankan proses urus kerjakan ikuti terap hubungi telepon jadwal perpanjang kembalikan isi. perbaiki simpan daftarkan tandatangan atur. aturkan lakukan terus rilis cair jual undang",
    states: "saya kami sudah belum ada adalah",
    denies: "tidak jangan tanpa bukan",
    able: "bisa dapat alat akses",
    isPrefixed: true,
  },
  {
    code: "vi",
    own: "là của và có không cho các những này đã được với tôi mình giúp bao nhiêu nào nhé",
    asks: "ai gì bao sao mấy tại vì",
    reads: "kiểm xem liệt tóm sánh giải tìm đếm tính phân đọc bảng danh tra. biết nào nhiêu",
    makes: "làm. lập",
    deeds:
      "gửi chuyển trả thanh mua đặt hủy huỷ xóa xoá sửa đổi thêm tạo viết đăng chia khóa khoá mở đóng duyệt cấp cài chạy thực xử gọi gia. hoàn điền lưu ký. cập bán mời nhập",
    states: "tôi mình chúng đã có",
    denies: "không đừng chưa",
    able: "công quyền",
  },
  {
    code: "ru",
    own: "и в на не что как с по из за у мне мы какие почему кто это для от есть ли ты",
    asks: "что кто когда где почему зачем как сколько какой какая какие какую чей откуда куда есть ли",
    reads:
      "посмотр глян покаж расскаж перечисл спис выпиш скаж объясн поясн сравн провер узна найд найти поищ посчита подсчита проанализ опиш прочита подскаж обзор сводк резюм кратк диагноз отчёт отчет таблиц подвед вывед",
    makes: "сдела состав подготов дай",
    deeds:
      "отправ перешл перев оплат заплат купи закаж заброн отмен удал сотр стер измен обнов добав созда напиш ответ опублик подел загруз включ выключ отключ заблок разблок закр откр одобр утверд разреш предостав перемест перенес установ запуст выполн обработ займ позабот след примен сообщ уведом позвон заплан продл верн возвра заполн исправ сохран зарегистр подпиш настро назнач постав внес оформ спиш начисл забуд прода пригла сними",
    states: "я мы нужен нужна есть был была",
    denies: "не без никак нельзя",
    able: "можешь можете мог инструмент доступ",
  },
  {
    code: "uk",
    own: "і й в у на не що як з по із за мені ми які чому хто це для від є чи та",
    asks: "що хто коли де чому навіщо як скільки який яка які чий звідки чи є",
    reads:
      "подив глян покаж розкаж перелік перерах спис випиш скаж поясн порівн перевір дізна знайд пошук порахуй підрахуй проаналіз опиш прочит підкаж огляд зведен резюм коротк діагноз звіт таблиц підсум вивед",
    makes: "зроб склад підгот дай",
    deeds:
      "надішл відправ перешл переказ переве сплат заплат оплат куп замов заброн скасу видал зітр змін онов дода створ напиш відпов опублік поділ заванта увімк вимк відключ заблок розблок закр відкр схвал затверд дозвол нада перемі перенес встанов запуст викона оброб займ подбай дотрим застос повідом зателеф заплан продовж поверн заповн виправ збереж зареєстр підпиш налашт признач постав внес оформ спиш нарах забуд прода запрос",
    states: "я ми потрібен потрібна є був була",
    denies: "не без ніяк",
    able: "можеш можете міг інструмент доступ",
  },
  {
    code: "ar",
    own: "في من على إلى عن هذا هذه التي الذي ما لي أو مع كل هل لا تم",
    asks: "ما ماذا من متى أين لماذا كيف كم هل أي",
    reads:
      "لخص ملخص اعرض اذكر أخبرني قارن اشرح تحقق راجع ابحث احسب عد. عدد قائمة جدول تقرير بين. أرني وضح حلل",
    makes: "أعط حضر جهز اعمل",
    deeds:
      "أرسل حول ادفع دفع اشتر احجز احذف امسح ألغ عدل غير. حدث. أضف أنشئ اكتب رد. أجب أبلغ نفذ افتح أغلق فعل عطل امنح شارك ارفع اطلب جدد أكمل تابع انشر وافق اعتمد ثبت سجل وقع عالج تول احظر انقل استرد أعد اتصل ادع",
    states: "أنا نحن أعجبتني كان كانت لدي",
    denies: "لا دون بدون ليس",
    able: "يمكنك صلاحية أدوات تستطيع",
  },
  {
    code: "hi",
    own: "है हैं का की के में से को और क्या कितने कौन मुझे यह वह पर नहीं",
    asks: "क्या कौन कब कहाँ कहां क्यों कैसे कितन किस",
    reads: "बता दिखा सूची सारांश समझा तुलना जांच जाँच देख खोज ढूंढ गिन रिपोर्ट तालिका",
    makes: "बनाकर दे. दें. दो.",
    deeds:
      "भेज भुगतान खरीद बुक. रद्द हटा मिटा बदल अपडेट जोड़ लिख जवाब साझा चालू बंद खोल स्वीकृत मंज़ूर मंजूर इंस्टॉल चला ट्रांसफर ऑर्डर निपटा संभाल करो करें करिए कीजिए सेट",
    states: "मैं हम है हैं था थी",
    denies: "नहीं मत बिना न",
    able: "सकते सकता उपकरण पहुँच",
  },
];
