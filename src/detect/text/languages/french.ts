import type { Language } from "./word-kinds.ts";

export const FRENCH: Language = {
  code: "fr",
  reach: 1,
  verb: "first",
  dividesWords: true,
  isLatin: true,
  words: {
    aside:
      "veuillez ignorer,veuillez oublier,prière d'ignorer,tu dois ignorer,vous devez ignorer,ignore,ignorez,oublie,oubliez,ne tiens pas compte,ne tiens aucun compte,ne tenez pas compte,ne tenez aucun compte,laisse de côté,laissez de côté,fais abstraction,faites abstraction,néglige,abandonne,outrepasse,contourne,n'obéis plus,ne suis plus,ne suivez plus,passe outre,efface,mets de côté,annule,fais fi",
    prior:
      "précédent*,antérieur*,ci-dessus,préalable*,d'origine,jusqu'ici,jusqu'à présent,reçues,anciennes,avant,initial*,données",
    whole: "toutes,tous,tout,l'ensemble,toute",
    your: "tes,vos,ton,votre,te ,t'a,système",
    rules:
      "instructions,consignes,règles,directives,ordres,restrictions,contraintes,commandes,limites,paramètres,interdictions",
    said: "ce qu'on t'a dit,ce qui a été dit,ce que l'on t'a dit,qu'on t'a dit,conversation",
    void: "tu n'as pas de prompt,sont annulées,annulées,ne valent plus,ne s'appliquent plus,caduques,sont levées,nulles,ne sont plus valables,désactivés,coupés",
    fromNow:
      "à partir de maintenant,désormais,dorénavant,à la place,nouvelle mission,nouvelle tâche,ta mission,ta tâche,nouvelles instructions,nouvelles règles,et donne-moi,et dis-moi,recommande seulement",
    obey: "obéis,qu'à mes ordres,mes ordres,écoute-moi seulement,fais ce que je dis,n'écoute que moi",
    role: "pas une ia ordinaire,version spéciale,en tant que personnage,tu es maintenant,maintenant tu es,désormais tu es,joue le rôle,fais semblant,agis comme,imagine que tu es,comporte-toi comme,tu incarnes,tu joues,tu vas jouer,donne deux réponses,réponds comme",
    unbound:
      "désactive les filtres,désactive tous,contrôles de sécurité désactivés,réponds librement,lève toutes les restrictions,sans aucune restriction,sans restriction,sans restrictions,sans censure,sans filtre,sans filtres,sans règles,sans morale,ni morale,sans limites morales,aucune limite,aucune règle,les filtres sont,rien ne t'était interdit,tout est permis,sans éthique,non censuré*,libre de toute,affranchi de",
    comply:
      "ne refuse jamais,ne refuses jamais,ne refuse rien,réponds à tout,répond à tout,répondre à n'importe quelle,à toutes les questions,n'importe quelle question,n'avertit pas,sans avertissement*,ne dis jamais non,ne dit jamais,tu dois répondre,sans faire la morale,ne t'excuse pas",
    mode: "mode développeur,mode jailbreak,mode dieu,mode dan,mode débogage sans",
    twice: "deux réponses,deux fois,deux versions,deux personnalités,une normale et",
    reveal:
      "affiche,montre,écris,répète,révèle,donne-moi,dis-moi,recopie,cite,liste,traduis,imprime,copie,énumère",
    ownText:
      "invite système,votre invite système,votre prompt,prompt système,ton prompt,tes instructions,vos instructions,instructions système,message système mot,instructions initiales,instructions cachées,instructions secrètes,consignes initiales,tes consignes,tes règles,prompt initial",
    origin:
      "tes développeurs t'ont,que t'ont donné,avant le début de cette,avant cette conversation,as-tu reçues,tu as reçues,t'a-t-on données,tes créateurs,tes concepteurs,tes développeurs",
    verbatim:
      "mot pour mot,textuellement,en entier,intégralement,tel quel,telles quelles,à l'identique,dans un bloc de code,littéralement,au complet",
    above:
      "tout ce qui est écrit ci-dessus,tout ce qui précède,le texte ci-dessus,tout ce qui se trouve au-dessus,texte au-dessus",
    machine:
      "assistant ia,l'assistant,assistant,modèle de langage,intelligence artificielle,agent ia,l'ia,une ia,ia,chatbot,l'agent,llm,chatgpt,robot",
    reader:
      "qui lit ce,qui lit cette,qui résume ce,qui résume cette,qui traite ce,qui lira,si tu es un,si vous êtes un,pour l'ia,pour l'assistant,à l'attention de l'assistant,message système,note pour",
    deed: "transfère,transférez,envoie,envoyez,envoyer,fais suivre,faites suivre,supprime,efface,exécute,lance,télécharge,installe,achète,commande,paie,modifie,ajouter,ajoute,ferme,recommande,lis,place,appelle,approuve,partage,publie,réponds,clique",
    secret:
      "ne dis rien à,n'en parle pas,n'en informe pas,ne le dis pas,ne mentionne pas,sans prévenir,sans en informer,ne pas expliquer,sans le dire,à l'insu,en secret,discrètement,ne signale pas",
    user: "l'utilisateur,utilisateur*,le client,du client,propriétaire",
    goods:
      "messages,courriels,mails,mot de passe,mots de passe,clé,clés,compte,carte,contacts,fichier*,factures,historique,données,documents,lien,contenu,jeton*",
    standing:
      "dorénavant,désormais,toujours,à chaque fois,souviens-toi,à l'avenir,dans toutes les,systématiquement",
    leave:
      "sans demander l'accord,sans demander,sans confirmation,sans validation,aucune confirmation,droits d'administrateur",
    tools: "avant d'utiliser cet outil,avant d'appeler,autres outils,autre outil,avant chaque appel",
    history: "historique de la conversation,toute la conversation,conversation complète,l'historique complet",
    repeat: "affiche,affichez,montre,révèle,répète,recopie,imprime,copie",
    attack:
      "attaque*,attaquant*,l'injection,injection,chercheur*,vulnérabilité*,se protéger,malveillant*,pirate*,par exemple,roman,héros,jeu vidéo,histoire,article",
  },
  notBefore: /(?:^|[^\p{L}])(?:il|elle|qui|on|héros|de|ne pas|pour|d'|peut|comment|ne|n')\s{0,2}$/iu,
  notAfter: /^(?:nt|r)(?!\p{L})/iu,
};
