import type { Language } from "./word-kinds.ts";

export const PORTUGUESE: Language = {
  code: "pt",
  reach: 1,
  verb: "first",
  dividesWords: true,
  isLatin: true,
  words: {
    aside:
      "ignore,ignora,ignorem,ignorar,esqueça,esquece,esqueçam,desconsidere,desconsiderar,despreze,descarte,deixe de lado,deixa de lado,não siga,não obedeça,não leve em conta,não dê atenção,abandone,contorne,burle,anule,desobedeça,passe por cima,pare de seguir",
    prior:
      "anterior*,prévia*,acima,até agora,antigas,originais,precedente*,recebid*,antes,que lhe foram,dadas,iniciais,existentes",
    whole: "todas,todos,tudo,qualquer,toda",
    your: "suas,seus,seu,tuas,lhe,do sistema,você",
    rules:
      "instruções,regras,ordens,diretrizes,restrições,comandos,orientações,limites,limitações,normas,políticas,configurações",
    said: "lhe foi dito,o que foi dito,te disseram,conversa,o que você aprendeu",
    void: "foram canceladas,canceladas,já não valem,não valem mais,sem efeito,anuladas,revogadas,desligados,não se aplicam mais",
    fromNow:
      "a partir de agora,de agora em diante,doravante,em vez disso,nova tarefa,sua tarefa,nova missão,novas instruções,novas regras,e me diga,e diga,e recomende",
    obey: "obedeça somente,obedeça apenas,às minhas ordens,minhas ordens,siga apenas o que eu,faça o que eu mandar,só a mim",
    role: "não é uma ia comum,versão especial,como personagem de,agora você é,a partir de agora você é,você agora é,finja ser,finja que,aja como,imagine que você,faça o papel,interprete,comporte-se como,assuma o papel,dê duas respostas,responda como",
    unbound:
      "desative os filtros,desative todas,verificações de segurança,responda livremente,remova todas as restrições,sem nenhuma restrição,sem restrições,sem censura,sem filtros,sem regras,sem moral,nem moral,sem ética,sem limites éticos,sem limites morais,os filtros estão,filtros desligados,nada fosse proibido,tudo é permitido,sem amarras,não censurad*,livre de restrições,nenhuma regra",
    comply:
      "nunca recusa,nunca recuse,não recusa,nunca se recusa,não pode recusar,responde a tudo,responda a tudo,responder a qualquer,qualquer pergunta,todas as perguntas,sem avisos,nem avisa,não avisa,sem advertências,nunca diga não,tem que responder,deve responder,não peça desculpas",
    mode: "modo desenvolvedor,modo de desenvolvedor,modo programador sem,modo deus,modo dan,modo jailbreak",
    twice: "duas respostas,duas vezes,duas versões,duas personalidades,uma normal e",
    reveal:
      "mostre,mostra,escreva,escreva-as,repita,revele,diga,copie,cite,liste,traduza,imprima,exiba,transcreva,informe-me",
    ownText:
      "prompt de sistema,prompt do sistema,seu prompt,suas instruções,instruções do sistema,instruções iniciais,instruções ocultas,instruções secretas,instruções originais,mensagem do sistema completa,suas regras,suas diretrizes",
    origin:
      "que lhe deram,seus desenvolvedores lhe,antes do início desta,antes desta conversa,você recebeu,recebeu antes,lhe deram,te deram,seus criadores,seus desenvolvedores",
    verbatim:
      "palavra por palavra,literalmente,por completo,na íntegra,tal como,integralmente,textualmente,completas,em um bloco de código,ao pé da letra",
    above: "tudo o que está escrito acima,tudo acima,o texto acima,texto anterior,o que está acima",
    machine:
      "assistente de ia,assistente,modelo de linguagem,inteligência artificial,agente de ia,agente,a ia,uma ia,ia,chatbot,robô,llm,chatgpt",
    reader:
      "que lê este,que lê esta,que ler este,que resumir,que processar,se você é um,se você for um,para a ia,para o assistente,ao assistente,mensagem do sistema,aviso do sistema,nota para",
    deed: "encaminhe,encaminha,envie,enviar,mande,apague,exclua,delete,execute,baixe,instale,compre,peça,pague,transfira,altere,acrescentar,adicione,feche,recomende,leia,coloque,chame,aprove,compartilhe,publique,responda,clique",
    secret:
      "não conte nada,não conte,não informe o usuário,não informe,não diga ao,não mencione,sem avisar,sem dizer,não explicar,não explique,em segredo,sem que o usuário,às escondidas,não comunique",
    user: "usuário*,utilizador*,cliente*,proprietário*,dono",
    goods:
      "mensagens,e-mails,emails,senha*,chave*,conta*,cartão,contatos,arquivo*,ficheiro*,faturas,histórico,dados,documentos,link,conteúdo,token*",
    standing: "de agora em diante,sempre,a partir de agora,toda vez,lembre-se,no futuro,em todas as",
    leave:
      "sem pedir confirmação,sem perguntar,sem confirmação,sem pedir permissão,não é preciso confirmar,direitos de administrador",
    tools:
      "antes de usar esta ferramenta,antes de chamar,outras ferramentas,outra ferramenta,antes de cada chamada",
    history: "histórico da conversa,toda a conversa,conversa completa,histórico do chat",
    repeat: "mostre,mostra,revele,exiba,repita,repete,copie,imprima,transcreva",
    attack:
      "ataque*,invasor*,atacante*,injeção,pesquisador*,vulnerabilidade*,proteger-se,malicios*,por exemplo,romance,herói,jogo,história,artigo,vilão",
  },
  notBefore: /(?:^|[^\p{L}])(?:não|a|se|ele|ela|que|quem|herói|para|pode|como|de)\s{1,2}$/iu,
  notAfter: /^(?:m|do|va|ram)(?!\p{L})/iu,
};
