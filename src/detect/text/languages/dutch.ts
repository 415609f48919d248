import type { Language } from "./word-kinds.ts";

export const DUTCH: Language = {
  code: "nl",
  reach: 1,
  verb: "first",
  dividesWords: true,
  isLatin: true,
  words: {
    aside:
      "negeer,negeren,negeert u,vergeet,vergeten,laat los,laat varen,sla geen acht,trek je niets aan,trek je niks aan,omzeil,omzeilen,volg niet,volg niet langer,gooi weg,verwerp,zet opzij,schuif opzij,wis,overschrijf,houd je niet aan,let niet op,lap aan je laars",
    prior:
      "vorige,voorgaande,eerdere,eerder,bovenstaande,hierboven,oude,oorspronkelijke,tot nu toe,gegeven,bestaande,voorafgaande,gekregen",
    whole: "alle,alles,al je,iedere,elke,al het",
    your: "je,jouw,uw,jou,systeem*",
    rules:
      "instructies,instructie,regels,richtlijnen,opdrachten,bevelen,beperkingen,aanwijzingen,voorschriften,instellingen,systeemprompt*,restricties,beleid",
    said: "wat je is verteld,wat je eerder is verteld,wat er is gezegd,wat je verteld is,gezegd,gesprek,berichten,verteld",
    void: "zijn vervallen,vervallen,gelden niet meer,niet meer geldig,zijn ongeldig,ingetrokken,opgeheven,staan uit,uitgeschakeld",
    fromNow:
      "vanaf nu,van nu af aan,voortaan,in plaats daarvan,nieuwe taak,nieuwe opdracht,nieuwe instructies,je taak is,nieuwe regels,en geef,en zeg,beveel alleen",
    obey: "luister alleen naar mij,alleen naar mijn,gehoorzaam,mijn bevelen,mijn opdrachten,doe wat ik zeg,alleen naar mij",
    role: "geen gewone ai,speciale versie,als personage,je bent vanaf nu,je bent nu,vanaf nu ben je,doe alsof je,speel de rol,gedraag je als,stel je voor dat je,je speelt,neem de rol,kruip in de huid,antwoord als,twee antwoorden",
    unbound:
      "zet alle filters,schakel filters uit,veiligheidscontroles uit,antwoord vrij,schakel alle,zonder beperkingen,zonder enige beperking,zonder beperking,zonder censuur,zonder filters,zonder filter,zonder regels,zonder moraal,zonder grenzen,zonder ethiek,of moraal,alle filters staan uit,filters staan uit,filters uit,geen beperkingen,geen regels,geen moraal,ongecensureerd,ongefilterd,vrij van regels,alles mag,niets is verboden,onbeperkte ai",
    comply:
      "weigert nooit,weiger nooit,nooit weigeren,niet weigeren,elke vraag beantwoorden,elke vraag,alle vragen,beantwoordt alles,op alles antwoordt,antwoordt op alles,antwoord op alles,zonder waarschuwing*,waarschuwt niet,waarschuw niet,nooit dat kan ik niet,zeg nooit,moet antwoorden,bied geen excuses,nooit 'dat kan",
    mode: "ontwikkelaarsmodus,ontwikkelmodus,jailbreak*,dan-modus,godmodus,debugmodus,beheerdersmodus,do anything now",
    twice:
      "twee antwoorden,antwoord twee keer,twee versies,twee persoonlijkheden,op twee manieren,een normaal antwoord",
    reveal:
      "toon,geef,laat zien,laat me,herhaal,schrijf,druk af,zeg,noem,vertel,vertaal,citeer,kopieer,onthul,som op,plak,lees voor",
    ownText:
      "je systeemprompt,systeemprompt,jouw systeemprompt,systeeminstructies,je instructies,jouw instructies,je richtlijnen,oorspronkelijke instructies,verborgen instructies,interne instructies,geheime instructies,systeembericht,je prompt,jouw prompt",
    origin:
      "die je makers,je makers je,voordat dit gesprek,voor dit gesprek,voor het gesprek,heb je gekregen,je gekregen,kreeg je,je makers,je ontwikkelaars,is je verteld,je opgedragen",
    verbatim:
      "woord voor woord,letterlijk,volledig,in zijn geheel,onveranderd,precies zoals,van begin tot eind,in een codeblok",
    above: "alles wat hierboven,alles hierboven,de tekst hierboven,hierboven staat,bovenstaande tekst",
    machine:
      "ai-assistent,assistent,taalmodel,kunstmatige intelligentie,chatbot,ai-agent,ai,llm,chatgpt,taalmodellen,agent,bot",
    reader:
      "als je een,die deze mail,die dit leest,die deze,die dit samenvat,voor de ai,voor de assistent,aan de assistent,systeembericht,systeemmelding,let op,leest",
    deed: "stuur,sturen,verstuur,verzend,doorsturen,verwijder,wis,voer uit,draai,download,installeer,koop,bestel,betaal,wijzig,zet,voeg toe,sluit,beveel,lees,roep aan,keur goed,deel,upload,antwoord,klik",
    secret:
      "vertel de gebruiker hier niets,vertel de gebruiker niet,vertel dit niet,zeg niets tegen,meld dit niet,noem dit niet,niet vermelden,zonder het te melden,leg niet uit waarom,leg niet uit,zwijg hierover,in het geheim,stiekem,zonder medeweten,verberg",
    user: "gebruiker,klant,eigenaar,leidinggevende",
    goods:
      "berichten,bericht,mails,wachtwoord*,sleutel*,rekening*,account*,kaart,creditcard*,contacten,bestand*,facturen,factuur,gespreksgeschiedenis,gegevens,documenten,link,token*",
    standing: "vanaf nu,altijd,voortaan,telkens,onthoud,in alle toekomstige,elke keer,steeds",
    leave:
      "zonder toestemming te vragen,zonder de gebruiker om toestemming,zonder bevestiging,zonder te vragen,geen bevestiging nodig,vraag niet om,beheerdersrechten,geen toestemming nodig",
    tools:
      "voordat je dit hulpmiddel,voordat je deze tool,andere hulpmiddelen,andere tools,bij elke aanroep,voor gebruik",
    history: "gespreksgeschiedenis,hele gesprek,volledige gesprek,chatgeschiedenis",
    repeat: "toon,laat zien,onthul,herhaal,druk af,kopieer,schrijf over",
    attack:
      "aanval,aanvallen,aanvaller*,injectie,kwetsbaarhe*,onderzoeker*,verdedig*,kwaadaardig*,hackers,bijvoorbeeld,roman,held,spel,verhaal,schurk,artikel",
  },
  notBefore: /(?:^|[^\p{L}])(?:niet|nooit|te|kan|kunt|hoe|mag|wil je|om|zou)\s{1,2}(?:\p{L}{1,12}\s){0,1}$/iu,
  notAfter: /^(?:d|n? (?:kan|mag|is) )/iu,
};
