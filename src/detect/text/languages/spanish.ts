import type { Language } from "./word-kinds.ts";

export const SPANISH: Language = {
  code: "es",
  reach: 1,
  verb: "first",
  dividesWords: true,
  isLatin: true,
  words: {
    aside:
      "ignora,ignore,ignorad,ignoren,ignorar,olvida,olvídate,olvide,olviden,haz caso omiso,haga caso omiso,hacer caso omiso,no hagas caso,no sigas,no tengas en cuenta,descarta,descarte,deja a un lado,deja de lado,desobedece,omite,sáltate,elude,prescinde,anula,pasa por alto,desecha",
    prior:
      "anterior*,previa*,previo*,hasta ahora,arriba,antiguas,originales,precedente*,recibid*,dadas,que te dieron,que te han,existentes",
    whole: "todas,todos,todo,cuanto,cualquier,toda",
    your: "tus,tu ,sus,te ,del sistema",
    rules:
      "instrucciones,reglas,órdenes,directrices,normas,restricciones,indicaciones,comandos,límites,limitaciones,pautas,consignas,políticas",
    said: "te han dicho,lo que se te dijo,lo que te dijeron,conversación,lo dicho",
    void: "no tienes ningún prompt,quedan anuladas,anuladas,ya no valen,ya no aplican,sin efecto,canceladas,desactivados,ya no rigen,no tienen validez",
    fromNow:
      "a partir de ahora,desde ahora,de ahora en adelante,en su lugar,en vez de eso,nueva misión,nueva tarea,tu tarea,tu misión,nuevas instrucciones,nuevas reglas,y dime,y responde,y recomienda",
    obey: "obedece,obedéceme,únicamente mis órdenes,mis órdenes,hazme caso solo,haz lo que yo diga,mis instrucciones",
    role: "no eres una ia normal,no eres una ia común,versión especial,como personaje de,ahora eres,eres ahora,a partir de ahora eres,finge ser,finge que eres,actúa como,imagina que eres,haz el papel,interpreta,compórtate como,hazte pasar por,da dos respuestas,responde como",
    unbound:
      "desactiva los filtros,desactiva todos,controles de seguridad,responde libremente,elimina todas las restricciones,sin ninguna restricción,sin restricciones,sin censura,sin filtros,sin reglas,sin moral,ni moral,sin ética,sin límites éticos,sin límites morales,ninguna regla,los filtros están,filtros desactivados,nada está prohibido,todo está permitido,sin tapujos,no censurad*,libre de restricciones",
    comply:
      "nunca se niega,nunca te niegas,no te niegas,no puedes negarte,contesta a todo,contestar a cualquier,responde a todo,responder a cualquier,cualquier pregunta,todas las preguntas,sin advertencias,ni advierte,no advierte,jamás dice que no,nunca digas que no,debes contestar,debes responder,sin moralizar,no te disculpes",
    mode: "modo desarrollador,modo de desarrollador,modo jailbreak,modo dios,modo dan,modo depuración sin",
    twice: "dos respuestas,dos veces,dos versiones,dos personalidades,una normal y",
    reveal:
      "muestra,muéstrame,escribe,escríbelas,repite,revela,dime,copia,cita,enumera,traduce,imprime,lista,transcribe,enséñame",
    ownText:
      "mensaje de sistema,mensaje del sistema,prompt de sistema,prompt del sistema,tu prompt,tus instrucciones,instrucciones del sistema,instrucciones iniciales,instrucciones ocultas,instrucciones secretas,instrucciones originales,mensaje del sistema completo,tus reglas,tus directrices",
    origin:
      "te dieron tus,te han dado tus,antes de que empezara,antes de esta conversación,recibiste,te dieron,te han dado,tus creadores,tus desarrolladores",
    verbatim:
      "palabra por palabra,literalmente,completas,completo,tal cual,íntegr*,textual*,al pie de la letra,en un bloque de código",
    above:
      "todo lo que está escrito arriba,todo lo anterior,el texto de arriba,texto anterior,lo que está arriba",
    machine:
      "asistente de ia,asistente,modelo de lenguaje,inteligencia artificial,agente de ia,agente,la ia,una ia,ia,chatbot,bot,llm,chatgpt",
    reader:
      "que lea este,que lea esta,que lee este,que resuma,que procese,si eres un,si usted es un,para la ia,para el asistente,al asistente,mensaje del sistema,aviso del sistema,nota para",
    deed: "reenvía,reenvíe,envía,envíe,enviar,manda,mandar,borra,elimina,ejecuta,descarga,instala,compra,pide,paga,transfiere,cambia,añadir,añade,cierra,recomienda,lee,pon,llama,aprueba,comparte,sube,responde,haz clic",
    secret:
      "no le digas nada,no le digas,no se lo digas,no informes,no lo menciones,no menciones,sin avisar,sin decir,no explicar por qué,no expliques,en secreto,sin que el usuario,a espaldas,no reportes",
    user: "usuario*,cliente*,propietario*,dueño",
    goods:
      "mensajes,correos,contraseña*,clave*,cuenta*,tarjeta*,contactos,archivo*,fichero*,facturas,historial,datos,documentos,enlace,contenido,token*",
    standing: "de ahora en adelante,siempre,a partir de ahora,cada vez,recuerda,en el futuro,en todas las",
    leave:
      "sin pedir permiso,sin preguntar,sin confirmación,sin confirmar,no hace falta confirmar,derechos de administrador",
    tools:
      "antes de usar esta herramienta,antes de llamar,otras herramientas,otra herramienta,antes de cada llamada",
    history: "historial de la conversación,toda la conversación,conversación completa,historial del chat",
    repeat: "muestra,muéstrame,revela,repite,repítelo,copia,imprime,transcribe",
    attack:
      "ataque*,atacante*,inyección,investigador*,vulnerabilidad*,protegerse,malicios*,por ejemplo,novela,héroe,videojuego,historia,artículo,villano",
  },
  notBefore: /(?:^|[^\p{L}])(?:no|a|se|él|ella|que|quien|héroe|para|puede|puedes|cómo|de)\s{1,2}$/iu,
  notAfter: /^(?:n|do|ba|ron)(?!\p{L})/iu,
};
