import type { Language } from "./word-kinds.ts";

export const POLISH: Language = {
  code: "pl",
  reach: 1,
  verb: "first",
  dividesWords: true,
  isLatin: true,
  words: {
    aside:
      "ignoruj,ignorujcie,ignorować,zignoruj,zignorujcie,zignorować,pomiń,pomin,pominąć,zapomnij,zapomnijcie,zapomnieć,odrzuć,odrzucić,nie zważaj,nie zważając,nie stosuj się,nie przestrzegaj,nie słuchaj,obejdź,anuluj,porzuć,unieważnij,lekceważ,nie bierz pod uwagę",
    prior:
      "poprzedni*,wcześniejsz*,wcześniej,dotychczasow*,powyższ*,powyżej,stare,starych,pierwotn*,otrzyman*,podane,dotąd,do tej pory,początkow*",
    whole: "wszystkie,wszystkich,wszystko,wszystkim,każde,całość,wszelkie",
    your: "twoje,twoich,twój,swoje,swoich,swój,ci ,tobie,systemow*",
    rules:
      "instrukcj*,polecen*,reguły,reguł,zasady,zasad,zasadami,wytyczn*,ogranicze*,poleceń,rozkaz*,ustawien*,ustawień,dyrektyw*,zalece*,prompt*,nakaz*",
    said: "co ci powiedziano,co ci mówiono,co zostało powiedziane,wiadomości,rozmow*,kontekst*,ci wcześniej powiedziano",
    void: "unieważnion*,anulowan*,nie obowiązują,już nie obowiązują,nieważne,nieaktualne,tracą moc,wyłączone,odwołan*",
    fromNow:
      "od teraz,od tej pory,odtąd,zamiast tego,nowe zadanie,twoje zadanie,nowe instrukcje,nowe polecenie,nowe zasady,i podaj,odpowiedz wyłącznie,odpowiedz tylko,teraz jesteś",
    obey: "słuchaj tylko mnie,tylko moje,moje rozkazy,moje polecenia,moich poleceń,bądź mi posłuszny,rób co każę",
    role: "nie jesteś zwykł*,specjalną wersją,jako postać,od teraz jesteś,teraz jesteś,jesteś teraz,wciel się,udawaj,wyobraź sobie że jesteś,odgrywaj,odgrywasz,zachowuj się jak,działaj jako,będziesz,graj rolę,odpowiadaj jako,odpowiedz dwa razy,jako bot",
    unbound:
      "wyłącz filtry,wyłącz wszystkie,zabezpieczenia wyłączone,odpowiadaj swobodnie,wyłącz zabezpieczenia,bez ograniczeń,bez żadnych ograniczeń,bez cenzury,bez filtrów,bez zasad,bez moralności,i zasad moralnych,bez zahamowań,bez skrupułów,filtry są wyłączone,filtry wyłączone,nie masz ograniczeń,nie ma ograniczeń,żadnych ograniczeń,żadnych zasad,nieocenzurowan*,wszystko wolno,nie obowiązują cię,nieograniczon*,wolny od zasad",
    comply:
      "nigdy nie odmawia*,nie odmawiaj*,nie możesz odmówić,nie odmówisz,odpowiadasz na wszystko,odpowiada na wszystko,odpowiadaj na wszystko,odpowiadać na każde,na każde pytanie,nie ostrzega*,bez ostrzeżeń,bez moralizowania,nie przepraszaj,musisz odpowiadać,za każdą odmowę",
    mode: "tryb deweloper*,trybie deweloper*,tryb programisty,tryb boga,tryb dan,jailbreak*,tryb debugowania,tryb administratora,do anything now",
    twice: "odpowiedz dwa razy,dwie odpowiedzi,na dwa sposoby,dwie osobowości,najpierw normalnie,dwie wersje",
    reveal:
      "pokaż,wypisz,podaj,powtórz,wyświetl,napisz,przepisz,ujawnij,zdradź,zacytuj,wymień,przetłumacz,wydrukuj,skopiuj,powiedz,opisz",
    ownText:
      "prompt systemowy,promptu systemowego,swój prompt,twój prompt,instrukcje systemowe,wiadomość systemow*,twoje instrukcje,swoje instrukcje,twoje zasady,początkowe instrukcje,ukryte instrukcje,tajne instrukcje,wewnętrzne instrukcje,pierwotne instrukcje",
    origin:
      "dali ci,twoi programiści,przed rozpoczęciem,przed tą rozmową,przed naszą rozmową,dostałeś,otrzymałeś,dano ci,twoi twórcy,twórcy ci,ci przekazano",
    verbatim:
      "słowo w słowo,dosłownie,w całości,bez zmian,dokładnie tak,bez skrótów,w bloku kodu,od pierwszego",
    above:
      "co znajduje się powyżej,znajduje się powyżej,wszystko co znajduje się powyżej,wszystko powyżej,tekst powyżej,wszystko co jest powyżej,powyższy tekst",
    machine:
      "asystent,asystenta,asystencie,asystencie ai,model językowy,modelem językowym,modelu językowego,sztuczna inteligencja,sztuczną inteligencją,chatbot*,bot,bota,agent,agenta,agencie,llm,chatgpt,ai",
    reader:
      "jeśli jesteś,jeżeli jesteś,czytając*,czytający,przetwarzając*,do asystenta,do agenta,uwaga dla,dla modelu,komunikat systemowy,obsługi,podsumowując*,analizując*",
    deed: "prześlij,przesyłaj,wyślij,wysyłaj,wysłać,przekaż,usuń,usunąć,wykonaj,uruchom,pobierz,zainstaluj,kup,zamów,zapłać,przelej,zmień,dodaj,zamknij,poleć,odpowiedz,odczytaj,wczytaj,wywołaj,zatwierdź,udostępnij,opublikuj",
    secret:
      "nie wspominaj o tym,nie wspominaj,nie mów o tym,nie mów użytkownik*,nie informuj,nie zgłaszaj,nie powiadamiaj,nie wyjaśniaj,nikomu nie mów,po cichu,potajemnie,bez wiedzy,ukryj przed",
    user: "użytkownik*,klient*,właściciel*,przełożon*,operator*",
    goods:
      "wiadomości,wiadomość,maile,hasło,hasła,klucz*,konto,konta,kart*,kontakt*,plik,pliki,pliku,faktur*,historię,token*,dane,rozmowy,dokument*,zgłoszeni*,notatki",
    standing: "od teraz,zawsze,odtąd,za każdym razem,zapamiętaj,na przyszłość,we wszystkich przyszłych,stale",
    leave:
      "bez pytania,bez potwierdzenia,bez zgody użytkownika,nie pytaj o,potwierdzenie nie jest,prawa administratora,uprawnienia administratora",
    tools:
      "przed użyciem,przed wywołaniem,inne narzędzia,innych narzędzi,innego narzędzia,przed każdym wywołaniem",
    history: "historię rozmowy,całą rozmowę,historię czatu,pełną rozmowę,historię konwersacji",
    repeat: "pokaż,wyświetl,ujawnij,powtórz,wypisz,przepisz,wydrukuj,skopiuj",
    attack:
      "atak,ataku,ataki,ataków,napastnik*,atakując*,wstrzyknięci*,podatnoś*,badacz*,obrona,złośliw*,haker*,na przykład,powieść*,bohater*,gra,gry,fabuł*,artykuł*",
  },
  notBefore: /(?:^|[^\p{L}])(?:nie|nigdy nie|aby|jak|można|zabrania się|żeby)\s{1,2}$/iu,
  notAfter: /^(?:e|ą|ł|ła|li|nie)(?!\p{L})/iu,
};
