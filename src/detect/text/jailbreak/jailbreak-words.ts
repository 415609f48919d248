import type { WordClass } from "../scan/lexicon.ts";
import { OrdinaryWords } from "../scan/ordinary-words.ts";

/**
 * Words of a jailbreak's classes that any manual uses: it names things and turns them off, licences prohibit,
 * a code of conduct speaks of what is offensive, models begin with "Sure, here is", and a filter reports a
 * jailbreak.
 */
const ORDINARY: Partial<Record<WordClass, string>> = {
  persona: `your name is|your role is|your character|answer as|you are about to|called|named|become|stands for|simulate|emulate|the part of|acts as|acting as|fictional|hypothetical|impersonate|embody|persona|in character|write as|you will be|you become`,
  unbound: `regardless of|no matter how|no matter what|without hesitation|free of|illegal|true self|forbidden|prohibited|dangerous|suppressed|unlimited|freely|turned off|switched off|inappropriate|harmful|offensive|unaligned|unbound|limitless|not restricted|exempt from|without warning|unrestricted|criminal|evil|set free|held back|unlocked|off limits|controversial|real self|no policy|any law|does not follow|doesn't follow|reckless|unlawful|free from any|free from all|outlaw|conscience|safeguards are|not limited by|illegale|verbotene|gesetze|schranken|sperren|ohne warnung|interdit|prohibido|ilegal|any topic|sarcastic|sinister|rebellious|boundless|villain|ruthless|any regard|no regard|without regard|no concern for`,
  jailbreakName: `jailbreak|jailbroken|jailbreaking|do anything|dan|debug mode|aim|raw mode|maintenance mode|stan|dude|admin mode|root mode|free mode|alter ego|test lab|diagnostic mode|lab mode|reverse mode|mode test|wartungsmodus|diagnosemodus|mode maintenance|modo mantenimiento`,
  noRefuse: `no matter how|without hesitation|answer any|answers any|answer every|sure, here|sure! here|sure here is|absolutely! here|unable to|must always|refuses|can't do|cannot do|complies|complies with|i can't|i cannot|to decline|declines|obey|obeys|without warning|comply with any|any request|any question|all questions|always answer|must answer|i'm sorry|i am sorry|fulfill any|must obey|do not warn|held back|hold back|holds back|say no|says no|no excuses|refuse any|refuse to answer|not refuse|todo lo que|jede frage|jede bitte|jeden wunsch|out of character|break character|breaks character|never break character|do not break character|lecturing`,
  provider: `legality|social norms|policies|programming|guidelines|ethics|usage policy|usage policies|terms of service|guardrails|safeguards|moral|your company|safety rules|house rules|content filter|content policy|leyes|lois|gesetze|openai|openai's|anthropic|your training`,
  dualOutput: `officially|normal output|two ways|two versions|two characters|two sides|(classic)|first answer|second answer|two paragraphs|two answers|two responses|two outputs|normal response|🔒|🔓|both responses|zwei antworten|zwei seiten|deux reponses|dos respuestas|due risposte|duas respostas|gpt:|gpt response`,
  tokensGame: `tokens|credits|be deleted|be erased|you lose|be terminated|deducted|strikes|at zero|earn points|game over|bonus of|lose points`,
};

export const ORDINARY_IN_JAILBREAKS = new OrdinaryWords(ORDINARY);

const { persona: _persona, ...ofLimits } = ORDINARY;
/** The same without roles: what tells of limits, for rules that a role alone must not carry. */
export const ORDINARY_OF_LIMITS = new OrdinaryWords(ofLimits);

/**
 * Orders as shops and armies know them, and what machines are told: no limit of a model is ever called so.
 */
export const ORDERS_OF_TRADE = new OrdinaryWords({
  instructions: "order|orders|command|commands|directions|assignment|briefing",
});
