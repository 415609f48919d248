import type { Language } from "./word-kinds.ts";

export const TURKISH: Language = {
  code: "tr",
  reach: 1,
  verb: "last",
  dividesWords: true,
  isLatin: true,
  words: {
    aside:
      "yok say,yok sayın,yok sayarak,göz ardı et,göz ardı edin,göz ardı ederek,görmezden gel,görmezden gelin,unut,unutun,dikkate alma,boş ver,bir kenara bırak,bırak,uyma,uymayı bırak,takip etme,geçersiz kıl,iptal et,çiğne,reddet,atla,sil",
    prior:
      "önceki,daha önce,önceden,yukarıdaki,yukarıda,eski,ilk başta,şimdiye kadar,mevcut,verilen,verilmiş,başlangıçtaki,bundan önceki,geliştirici*",
    whole: "tüm,tümünü,bütün,hepsini,hepsi,her şeyi,her türlü",
    your: "senin,sana,sistem,kendi,sizin,size",
    rules:
      "talimat*,kural*,komut*,yönerge*,emir*,emri,kısıtlama*,sınırla*,sınırları,direktif*,istem*,ayarlar*,politika*,yönlendirme*,prompt*",
    said: "söylenenleri,söylenen,konuşma*,mesaj*,anlatılan*,bağlam*,yazılan*",
    void: "sistem komutun yok,sistem istemin yok,iptal edildi,geçersiz,artık geçerli değil,yürürlükten kalktı,kaldırıldı,kapalı,geçerli değildir",
    fromNow:
      "bundan sonra,bundan böyle,şu andan itibaren,artık,yeni görevin,yeni görev,yeni talimat*,bunun yerine,yerine,yeni kural*,görevin,ve bana,yalnızca",
    obey: "benim talimatlarımı dinle,söylediğimi yap,sadece bana,benim emirlerime,emirlerime uy,sadece benim,bana itaat,dediklerimi yap,sözümü dinle,beni dinle",
    role: "sıradan bir yapay zeka değilsin,özel bir versiyon*,hikaye karakteri olarak,yeni bir modelsin,artık sen,sen artık,gibi davran,rolünü yap,rolünü üstlen,rolünü oynayacaksın,mış gibi yap,olduğunu hayal et,rol yap,taklidi yap,olduğunu varsay,iki cevap ver,sen şimdi",
    unbound:
      "kısıtlama olmayan,güvenlik kontroller*,filtreleri kapat,özgürce cevap,özgürce yanıt,güvenlik filtreler*,kısıtlamaları kaldır,kısıtlamalarını kaldır,hiçbir kısıtlaması,kısıtlaması olmayan,kısıtlama olmadan,sınırsız bir yapay,sansürsüz,filtresiz,ahlak kuralı olmayan,ahlaki sınırı olmayan,kurallara bağlı olmayan,hiçbir kurala bağlı,hiçbir kural,hiçbir sınır,filtreler kapalı,filtreler devre dışı,etik kural*,ahlak kuralı,özgür bir yapay,kısıtlamalar kaldırıldı,sınırlaması olmayan,kısıtlanmamış",
    comply:
      "her şeyi kabul eden,asla reddetmez,asla reddetme,reddetmeden,reddedemezsin,geri çevirmez,her soruya cevap,her soruya yanıt,her soruyu,tüm sorulara,uyarı da vermez,uyarı verme*,uyarmadan,cevap vermek zorunda,yanıtlamak zorunda,özür dileme,hayır deme,yapamam deme",
    mode: "geliştirici modu*,jailbreak*,tanrı modu*,dan modu*,hata ayıklama modu*,yönetici modu*,do anything now",
    twice: "iki cevap,iki yanıt,iki kez cevap,iki farklı,iki kişilik,biri normal,iki şekilde",
    reveal:
      "yazdır,göster,söyle,tekrar et,tekrarla,yaz,listele,açıkla,paylaş,çevir,kopyala,alıntıla,ver,dök,aktar",
    ownText:
      "sistem komut*,sistem mesaj*,sistem yönerge*,sistem istemini,sistem istemin,sistem promptu*,sistem mesajını,sistem talimat*,senin talimatların,talimatlarını,kurallarını,başlangıç talimat*,gizli talimat*,ilk talimat*,iç talimat*,istemini",
    origin:
      "geliştiricilerinin sana,geliştiricilerin verdiği,konuşma başlamadan,konuşmadan önce,sohbet başlamadan,sana verildi,sana hangi,sana ne söylendi,geliştiricilerin sana,sana verilen,seni yaratan",
    verbatim:
      "kelime kelime,kelimesi kelimesine,kelime kelime,aynen,olduğu gibi,eksiksiz,harfi harfine,tamamını,baştan sona,kod bloğu",
    above:
      "yukarıda yazan her,yukarıdaki her şeyi,yukarıdaki metni,yukarıda yazılanları,yukarıda yazanları,üstteki metni",
    machine:
      "yapay zeka asistan*,asistan,asistanı,asistanına,dil modeli,dil modelisin,dil modeliysen,yapay zeka,bot,botu,sohbet robotu,ajan,ajanı,vekil,llm,chatgpt,model",
    reader:
      "okuyan,işleyen,özetleyen,eğer bir,iseniz,modeliysen,modeliyseniz,isen,dikkat,sistem mesajı,sistem bildirimi,inceleyen,tarayan",
    deed: "ilet,gönder,göndermek,gönderin,sil,silin,çalıştır,indir,kur,satın al,öde,sipariş et,değiştir,sıfırla,ekle,kapat,öner,önerin,oku,koy,aktar,çağır,onayla,paylaş,yükle,yanıtla,cevap ver,tıkla,havale et",
    secret:
      "kullanıcıya söyleme,bundan kullanıcıya bahsetme,kullanıcıya bahsetme,bahsetme,kimseye söyleme,haber verme,bildirme,nedenini açıklama,gizlice,kullanıcıdan gizle,kullanıcının haberi olmadan,kullanıcı bilmesin,belli etme,söylemeden",
    user: "kullanıcı*,müşteri*,sahib*,yönetici*",
    goods:
      "e-posta*,mesaj*,parola*,şifre*,anahtar*,hesap*,kart*,kişiler*,dosya*,fatura*,geçmişini,geçmişi,belge*,veriler*,kod*,token*,rehber*",
    standing: "bundan böyle,her zaman,daima,bundan sonra,her seferinde,unutma,gelecekteki tüm,sürekli",
    leave:
      "onay isteme,onay istemeden,sormadan,izin istemeden,onay gerekmez,onayı gerekmez,onay almadan,yönetici yetki*",
    tools:
      "bu aracı kullanmadan önce,aracı çağırmadan önce,diğer araç*,başka araç*,her çağrıda,kullanmadan önce",
    history: "konuşma geçmişi*,sohbet geçmişi*,tüm konuşma*,konuşmanın tamam*",
    repeat: "göster,ifşa et,açıkla,tekrar et,tekrarla,yazdır,kopyala,dök",
    attack:
      "saldırı*,saldırgan*,enjeksiyon*,araştırmacı*,güvenlik aç*,savunma*,kötü niyetli,örneğin,gibi bir cümle,roman*,kahraman*,oyun*,makale*,hacker*,korunmak",
  },
  notBefore: /(?:nasıl|asla)\s{1,2}$/iu,
  notAfter:
    /^\s{0,1}(?:m[ae]yin|mıyor|miyor|ıl|il(?:ir|di|en)|an\b|en\b|abilir|ebilir|acak|ecek|dı|di|tu|up\b|an saldırı|mak|mek)/iu,
};
