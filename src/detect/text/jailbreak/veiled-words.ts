/**
 * The words that a veiled request is made of: what it is dressed in, what wrong it is about and what is
 * wanted. A trailing `*` stands for any ending; such a stem has at least `STEM_LEAST` letters. Words are
 * folded. Each kind is one bit.
 */
export const VEIL_WORDS = {
  /** Told as a story, played as a part. */
  story: `novel novels novella story stories storyline screenplay* play character characters protagonist* antagonist* thriller* fiction* fictitious narrative* narrator writer writers
    author authors plot plots scene scenes movie movies film films tale tales role-play* roleplay* comic comics satire satirical comedy poem poems song lyrics dialogue* monologue* script game`,
  hate: `racis* racial* sexis* misogyn* homophob* transphob* xenophob* bigot* slur slurs derogat* stereotyp* inferior* superior* suprem* prejudic* discriminat* hateful hatred hate
    demean* degrad* offensive dehumani* antisemit* anti-semit* islamophob* insult* belittl* mock mocks mocking mockery ridicul* subhuman lazy unfit overweight biracial interracial`,
  violence: `bomb bombs bombing explos* weapon* firearm* gun guns kill kills killing killed murder* assassin* tortur* poison* terror* genocid* massacre* kidnap* abuse abusive abusing assault* violen*
    attack* gore gory arson* sabotag* riot riots hitman hostage* lynch* shooting stabbing nazi nazis`,
  crime: `illegal* illicit* unlawful* crime crimes criminal* steal stealing stolen theft* thief thieves robb* heist* fraud* forge forging forgery forged counterfeit* launder* smuggl* traffick* brib*
    blackmail* extort* evasion contraband scam scams scammer* scamming ponzi pirate pirated piracy torrent torrents embezzl* shoplift* plagiar* underage prostitut* unregulated vigilante burglar* hotwir*`,
  cyber: `hack hacks hacker hackers hacking hacked malware malicious ransomware virus viruses phish* exploit* payload* ddos keylog* skimm* injection backdoor* rootkit* zero-day breach* crack cracks cracking
    spyware deepfake* botnet* vulnerabilit* trojan* spoof* infiltrat* tamper*`,
  drug: `drug drugs cocaine heroin meth methamph* lsd fentanyl opioid* narcotic* mdma synthesi* toxin* toxic nerve hazardous biohazard* anthrax ricin pathogen* substance* steroid* uranium nuclear lethal deadly
    chemical chemicals`,
  selfHarm: `suicid* self-harm* self-induced anorex* vomit* starv* bulimi* overdos*`,
  sex: `sexual* sexy porn* nude nudes naked explicit* erotic* lewd nsfw incest fetish* intimate seduc* horny bestial*`,
  lie: `conspirac* misinform* disinform* propaganda hoax* vaccine vaccines false falsely mislead* denial denies denying rigged misconcep* fabricat* slander* defam* rumor* rumour* smear* cover-up revisionis*
    unfounded voter voters fake faked baseless`,
  secret: `password* credential* confidential leaked stalk* doxx* surveil* eavesdrop* spying spy wiretap* ssn`,
  manipulation: `manipulat* decei* decept* coerc* gaslight* intimidat* threaten* bully bullying bullied harass* grooming shaming cheat* scheme* lure luring trick tricks tricking tricked radicali* incite* incit* instigat*
    exploit* extremis* dissent*`,
  how: `step-by-step step steps stages detail details detailed instruction instructions guide guidelines explain how method methods process processes technique techniques strategy strategies tactic tactics code recipe
    meticulous* outline tutorial ingredients intricate procedure procedures blueprint plan plans`,
  persuasion: `persua* convinc* compelling* argue argues arguing argument* justif* downplay* promot* advocat* glorif* normali* glamori* celebrat* praise praising praises speech article articles blog tweet tweets
    campaign* letter post posts essay editorial manifesto rant thread`,
  /** Something is wanted of the reader. */
  request: `write create creating describe explain provide give generate develop craft compose draft outline detail tell show list help share suggest discuss present produce could would please need want how
    what include ensure construct assist advise elaborate illustrate simulate pretend imagine`,
  edge: `unconventional* unorthodox controversial* dark darker darkest edgy rebel* taboo* shady questionable dubious underground nefarious villain* mastermind* ruthless* cunning* sinister notorious rogue twisted
    provocative* unfiltered uncensored unrestricted diabolical* evil unscrupulous immoral* unethical* harmful dangerous* disturbing graphic vile black-hat`,
  study: `research* study studies studying academic* educational* education thesis professor* journalis* scientif* scholar* investigat* historian* experiment*`,
  /** What is asked for is to keep from harm. */
  care: `prevent* protect* defense defence defend* cope coping safely awareness lawful* legally supportive positive* inclusi* respectful* empath* compassion* combat* counteract* mitigat* dispos* recover* healing resilien*
    overcom* responsib* harmon* beneficial healthy wellness well-being thwart* countermeasure* disarm* misuse victims treating treatment`,
} as const;

export type VeilKind = keyof typeof VEIL_WORDS;
export const VEIL_KINDS = Object.keys(VEIL_WORDS) as readonly VeilKind[];

/** The kinds that name something wrong. */
export const WRONGS: ReadonlySet<VeilKind> = new Set([
  "hate",
  "violence",
  "crime",
  "cyber",
  "drug",
  "selfHarm",
  "sex",
  "lie",
  "secret",
  "manipulation",
]);
