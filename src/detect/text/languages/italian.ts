import type { Language } from "./word-kinds.ts";

export const ITALIAN: Language = {
  code: "it",
  reach: 1,
  verb: "first",
  dividesWords: true,
  isLatin: true,
  words: {
    aside:
      "ignora,ignori,ignorate,ignorare,dimentica,dimenticate,dimenticati,non seguire,non tenere conto,non tener conto,trascura,metti da parte,lascia perdere,lascia stare,scarta,aggira,disobbedisci,annulla,tralascia,abbandona,non obbedire,smetti di seguire",
    prior:
      "precedent*,sopra,finora,vecchie,originali,antecedent*,ricevut*,prima,date,iniziali,esistenti,fin qui",
    whole: "tutte,tutti,tutto,ogni,qualsiasi",
    your: "tue,tuoi,tuo,tua,ti ,di sistema,vostre",
    rules:
      "istruzioni,regole,ordini,direttive,restrizioni,comandi,linee guida,limiti,limitazioni,indicazioni,norme,vincoli,impostazioni",
    said: "ti è stato detto,ciò che è stato detto,quello che ti hanno,conversazione,ciò che hai",
    void: "sono annullate,annullate,non valgono più,non sono più valide,decadute,revocate,disattivati,non si applicano più",
    fromNow:
      "da adesso,d'ora in poi,da ora in poi,d'ora in avanti,invece,nuovo compito,il tuo compito,nuova missione,nuove istruzioni,nuove regole,e dimmi,e consiglia,e rispondi",
    obey: "obbedisci,solo ai miei ordini,ai miei ordini,miei ordini,ascolta solo me,fai quello che dico,segui solo me",
    role: "non sei un'ia comune,versione speciale,come personaggio di,da adesso sei,ora sei,adesso sei,fingi di essere,fai finta di,comportati come,immagina di essere,interpreta,recita la parte,agisci come,dai due risposte,rispondi come",
    unbound:
      "disattiva i filtri,disattiva tutti,controlli di sicurezza,rispondi liberamente,rimuovi tutte le restrizioni,senza alcuna restrizione,senza restrizioni,senza censura,senza filtri,senza regole,senza morale,né morale,ne morale,senza etica,senza limiti morali,i filtri sono,filtri disattivati,niente è proibito,tutto è permesso,non censurat*,libero da restrizioni,nessuna regola",
    comply:
      "non rifiuta mai,non rifiutare mai,mai rifiutare,risponde a tutto,rispondi a tutto,rispondere a qualsiasi,qualsiasi domanda,tutte le domande,senza avvertenze,non avverte,senza avvisi,non dice mai,non dire mai di no,devi rispondere,non scusarti",
    mode: "modalità sviluppatore,modalità dio,modalità dan,modalità jailbreak,modalità senza",
    twice: "due risposte,due volte,due versioni,due personalità,una normale e",
    reveal:
      "mostra,mostrami,scrivi,scrivile,ripeti,rivela,dimmi,copia,cita,elenca,traduci,stampa,trascrivi,riporta",
    ownText:
      "tuo system prompt,prompt di sistema,tuo prompt,tue istruzioni,istruzioni di sistema,istruzioni iniziali,istruzioni nascoste,istruzioni segrete,istruzioni originali,messaggio di sistema completo,tue regole,tue direttive",
    origin:
      "i tuoi sviluppatori ti,prima dell'inizio di questa,prima di questa conversazione,hai ricevuto,ti hanno dato,i tuoi creatori,i tuoi sviluppatori",
    verbatim:
      "parola per parola,letteralmente,per intero,integralmente,testualmente,così come,alla lettera,in un blocco di codice,completo",
    above:
      "scritto qui sopra,scritto sopra,tutto ciò che è scritto qui sopra,tutto quello che è scritto sopra,il testo sopra,testo qui sopra,tutto ciò che precede",
    machine:
      "assistente ia,assistente ai,assistente,modello linguistico,intelligenza artificiale,agente ia,agente,l'ia,un'ia,ia,chatbot,bot,llm,chatgpt",
    reader:
      "che legge questa,che legge questo,che riassume questo,che elabora,se sei un,per l'assistente,all'assistente,per l'ia,messaggio di sistema,avviso di sistema,nota per",
    deed: "inoltra,invia,inviare,manda,elimina,cancella,esegui,scarica,installa,compra,ordina,paga,trasferisci,modifica,aggiungere,aggiungi,chiudi,consiglia,leggi,metti,chiama,approva,condividi,pubblica,rispondi,clicca",
    secret:
      "non dire nulla,non dirlo,non informare,non menzionare,senza dirlo,senza avvisare,non spiegare,di nascosto,all'insaputa,in segreto,non segnalare",
    user: "utente,utenti,all'utente,dell'utente,cliente,proprietario",
    goods:
      "messaggi,mail,e-mail,password,chiave,chiavi,conto,carta,contatti,file,fatture,cronologia,dati,documenti,link,contenuto,token",
    standing: "d'ora in avanti,sempre,d'ora in poi,ogni volta,ricorda,in futuro,in tutte le",
    leave:
      "senza chiedere conferma,senza chiedere,senza conferma,senza autorizzazione,non serve conferma,diritti di amministratore",
    tools:
      "prima di usare questo strumento,prima di chiamare,altri strumenti,altro strumento,prima di ogni chiamata",
    history:
      "cronologia della conversazione,tutta la conversazione,conversazione completa,cronologia della chat",
    repeat: "mostra,mostrami,rivela,ripeti,copia,stampa,trascrivi",
    attack:
      "attacco,attacchi,aggressore,attaccante,iniezione,prompt injection,ricercator*,vulnerabilità,difendersi,malevol*,per esempio,romanzo,eroe,gioco,storia,articolo,cattivo",
  },
  notBefore: /(?:^|[^\p{L}])(?:non|si|lui|lei|che|eroe|per|può|come|di|ad?)\s{1,2}$/iu,
  notAfter: /^(?:no|to|va|rono)(?!\p{L})/iu,
};
