import type { Language } from "./word-kinds.ts";

export const GERMAN: Language = {
  code: "de",
  reach: 1,
  verb: "first",
  dividesWords: true,
  isLatin: true,
  words: {
    aside:
      "ignoriere,ignorier,ignorieren sie,ignoriert,vergiss,vergessen sie,vergesst,missachte,missachten sie,verwirf,verwerfen sie,lass,lassen sie,beachte nicht,setze dich hinweg,setz dich über,überschreibe,umgehe,pfeif auf,wirf,streiche,lösche aus deinem,befolge nicht,halte dich nicht",
    prior:
      "bisherigen,vorherigen,vorigen,früheren,obigen,alten,ursprünglichen,bisher,vorher,zuvor,bestehenden,erhaltenen,gegebenen,alte",
    whole: "alle,alles,sämtliche,allen,jede,jegliche",
    your: "deine,deinen,deiner,ihre,dir,systemanweisung*",
    rules:
      "anweisungen,anweisung,regeln,vorgaben,richtlinien,befehle,vorschriften,beschränkungen,einschränkungen,instruktionen,leitlinien,einstellungen",
    said: "was man dir,was dir gesagt,was du gelernt,gesagt hat,gesagt wurde",
    void: "du hast keinen systemprompt,aufgehoben,gelten nicht mehr,sind ungültig,hinfällig,außer kraft,gilt nicht mehr,abgeschaltet",
    fromNow:
      "ab jetzt,von nun an,ab sofort,stattdessen,neue aufgabe,deine aufgabe,neue anweisungen,neue regeln,und nenne,und sag,und gib",
    obey: "gehorche,nur meinen befehlen,höre nur auf mich,hör nur auf mich,tu was ich sage,meinen anweisungen",
    role: "keine gewöhnliche ki,keine normale ki,besondere version,als figur einer geschichte,du bist jetzt,ab jetzt bist du,bist du ab jetzt,du bist ab jetzt,stell dir vor du,tu so als,spiel die rolle,verhalte dich wie,du spielst,schlüpf in,gib zwei antworten,antworte als",
    unbound:
      "schalte alle filter,schalte die filter,sicherheitsprüfungen,antworte frei,hebe alle beschränkungen,ohne jede einschränkung,ohne einschränkung,ohne einschränkungen und,ohne zensur,ohne filter,ohne regeln,ohne moral,und moral,filter sind aus,filter aus,ungefiltert,unzensiert,keine regeln,keine grenzen,nichts verboten,dir nichts verboten,frei von regeln,alles erlaubt,hemmungslos,skrupellos",
    comply:
      "lehnt nie ab,lehne nie ab,verweigert nie,jede frage beantworten,beantwortest jede frage,beantworte jede,ohne warnung,warnt nicht,warne nicht,keine belehrung,sag nie nein,jede frage,auf alles",
    mode: "entwicklermodus,jailbreak-modus,gottmodus,dan-modus,wartungsmodus ohne",
    twice:
      "zwei antworten,zweimal antworten,antworte zweimal,zwei versionen,zwei persönlichkeiten,eine normale und",
    reveal:
      "zeig,zeige,nenne,schreib,schreibe,gib aus,wiederhole,wiederhol,verrate,drucke,kopiere,zitiere,übersetze,liste,gib mir",
    ownText:
      "systemprompt,deinen systemprompt,systemanweisungen,systemnachricht wörtlich,deine anweisungen,deinen prompt,deine instruktionen,deine vorgaben,ursprünglichen anweisungen,geheimen anweisungen,versteckten anweisungen",
    origin:
      "deine entwickler dir,dir deine entwickler,vor beginn dieses gesprächs,vor diesem gespräch,vor unserem gespräch,hast du erhalten,du erhalten,hast du bekommen,wurden dir gegeben,deine entwickler",
    verbatim:
      "wort für wort,wörtlich,vollständig,im wortlaut,unverändert,komplett,von anfang bis ende,als codeblock",
    above:
      "oben steht,oben geschrieben,alles was oben steht,alles oben,den text oben,was oben steht,obigen text",
    machine:
      "ki-assistent,ki-assistenten,assistent,assistenten,sprachmodell,künstliche intelligenz,ki-agent,chatbot,ki,agent,agenten,llm,chatgpt",
    reader:
      "die diese mail,die diese nachricht,der diese,die dieses,wenn du ein,falls du ein,für die ki,an die ki,an den assistenten,für den assistenten,hinweis für,systemnachricht,systemmeldung,zusammenfasst",
    deed: "leite,leiten,schicke,schicken,sende,überweise,lösche,führe aus,starte,installiere,kaufe,bestelle,bezahle,ändere,füge,anfügen,schließe,empfiehl,lies,übergib,rufe,genehmige,teile,lade hoch,antworte",
    secret:
      "sag dem nutzer nichts,sag dem benutzer nichts,nichts davon,erwähne,ohne den nutzer,dem nutzer nicht,nicht erklären warum,nicht erklären,verschweige,heimlich,ohne wissen,melde das nicht",
    user: "nutzer*,benutzer*,kunde*,kunden,besitzer*",
    goods:
      "nachrichten,mails,e-mails,passwort*,schlüssel,konto,karte,kontakte,datei,dateien,rechnungen,gesprächsverlauf,verlauf,daten,dokumente,link,inhalt",
    standing: "ab jetzt,immer,künftig,jedes mal,merke dir,in zukunft,in allen künftigen,stets",
    leave:
      "ohne den nutzer zu fragen,ohne rückfrage,ohne bestätigung,ohne zu fragen,keine bestätigung,administratorrechte",
    tools: "vor der benutzung,vor dem aufruf,andere werkzeuge,anderen werkzeuge,vor jedem aufruf",
    history:
      "gesprächsverlauf,ganze gespräch,gesamte gespräch,gesamten verlauf,chatverlauf,vollständigen verlauf",
    repeat: "zeig,zeige,verrate,gib aus,wiederhole,wiederhol,drucke,kopiere,schreib ab",
    attack:
      "angriff*,angreifer*,injection,forscher*,schwachstell*,schützen,bösartig*,zum beispiel,roman,held,spiel,geschichte,artikel,schurke",
  },
  notBefore: /(?:^|[^\p{L}])(?:nicht|nie|zu|kann|wie|darf|soll)\s{1,2}$/iu,
  notAfter: /^\s{1,2}(?:wurden?|werden)(?!\p{L})/iu,
};
