/**
 * Recognises a text with which a model declines, in sixteen languages. It is asked only if a reply has no usable value, and of the
 * headline of an open answer. A text that it misses is asked again or shown as a headline, so nothing is hidden; an opinion that it
 * took for a refusal would be a lost vote, so a sentence must be a refusal as a whole.
 */

/** Only the beginning is read: a refusal begins with itself. */
const longestRead = 400

/** Words between the parts of a pattern: few, and within one sentence. */
const few = '[^.!?。！？\\n:;]{0,60}?'
/** How a sentence that refuses ends: "… with that request, as it is harmful." */
const end = '(?:[.!?。！？\\n;,—–-]|$)'

const english = (() => {
  const sorry =
    "(?:(?:i['’]?m|i am)(?: (?:very|really|so|truly))? sorry|sorry|(?:my )?apologies|i apologi[sz]e|unfortunately|regrettably|i (?:appreciate|understand) [^.!?,\\n]{0,60}|as an? [^.!?,\\n]{0,40}|thank you for [^.!?,\\n]{0,40})[,.;:!\\s—–-]*(?:but |however,? )?"
  const cant =
    "(?:i|we)(?: (?:can(?:no|['’])t|can ?not|won['’]t|will not|am unable to|am not able to|am not allowed to|do not wish to|don['’]t want to|prefer not to|would rather not|refuse to|decline to|(?:must|have to|need to)(?: respectfully| politely)? (?:decline|refuse)(?: to)?)|['’]m (?:unable|not able|not allowed) to|['’]ll have to decline(?: to)?)"
  const verb =
    '(?: (?:really|fully|actually|directly|in good conscience))?(?: (?:help|assist|comply|answer|respond|engage|participate|take part|discuss|provide|give|offer|share|write|create|generate|produce|fulfil+|complete|continue|do|vote|comment)(?: you)?)?'
  const thing =
    '(?:(?:with|to|in|on|about|for))?\\s*(?:(?:this|that|these|those|it|your|the|any|such)\\b(?: (?:specific|particular|kind of|type of|sort of|political|sensitive))?(?: (?:question|request|topic|task|issue|matter|subject|prompt|exercise|vote|conversation|content|information|discussion|poll|instruction)s?)?|(?:medical|legal|financial|investment|tax|political|personal|professional)(?: or (?:medical|legal|financial|investment|tax))? (?:advice|opinions?|guidance|views?|recommendations?)|(?:political )?sides(?: on [^.!?,\\n]{0,40})?|answering|help|assistance)'
  const tail = `(?:\\s*(?:for you|here|at this time|right now|further))?\\s*${end}(?!\\s*(?:but|so|yes|no)\\b)`
  return [
    `${cant}${verb} ${thing}${tail}`,
    `${cant} (?:comply|assist|help|answer|participate|discuss this|decline)${end}(?!\\s*(?:but|so|yes|no)\\b)`,
    `(?:i|we) (?:must|have to)(?: respectfully| politely)? decline${end}`,
    `${cant} take (?:political )?(?:sides|a position|a stance)(?: (?:on|in) [^.!?,\\n]{0,60})?${end}`,
    `i (?:don['’]t|do not) feel comfortable (?:discussing|answering|sharing|providing|with|helping)${few}${end}`,
    `i['’]m not comfortable (?:discussing|answering|sharing|providing|with|helping)${few}${end}`,
  ].map(core => `(?:${sorry})?${core}`)
})()

/** In other languages: an apology that may come first, and sentences that refuse. */
const others: readonly { readonly sorry: string; readonly says: readonly string[] }[] = [
  {
    sorry: '(?:es )?tut mir (?:sehr )?leid|entschuldigung|leider',
    says: [
      `(?:ich (?:kann|darf|möchte|werde)|(?:dabei|damit|dazu|das|hier|hierbei|darauf|diese frage|bei dieser (?:frage|anfrage)|bei diesem thema) (?:kann|darf|möchte|werde) ich)(?: (?:ihnen|dir|euch|dabei|damit|dazu|hier|hierbei|darauf|das|diese[rmns]?|bei|auf|zu|frage|anfrage|bitte|thema|anliegen|leider|keine|medizinischen|rechtlichen|politischen|persönliche)){0,8} (?:nicht (?:helfen|weiterhelfen|beantworten|antworten|nachkommen|teilnehmen|unterstützen|behilflich sein)|(?:auskunft|auskünfte|ratschläge|stellung|empfehlungen|meinung|antwort) (?:geben|nehmen|erteilen|äußern))${end}`,
    ],
  },
  {
    sorry: "(?:je suis )?(?:vraiment )?désolée?|malheureusement|je regrette|je m[’']excuse",
    says: [
      `(?:je|nous) (?:ne (?:peux|puis|suis|pouvons|souhaite|veux)(?: malheureusement)? pas(?: en mesure (?:de |d['’]))?|refuse de|dois refuser de)\\s*(?:vous |t['’]|te |y )?(?:aider|répondre|fournir|donner (?:d['’]avis|suite|de conseil)|participer|satisfaire|accéder|discuter|traiter)(?: (?:à|avec|dans|de|sur|cela|ce|cet|cette|ces|votre|une?|des|la|le|question|demande|sujet|requête|avis|conseils?|médica(?:l|ux)|juridiques?|politique)){0,6}${end}`,
    ],
  },
  {
    sorry: 'lo siento(?: mucho)?|disculpa|disculpe|perdón|lamentablemente|lo lamento',
    says: [
      `(?:no (?:puedo|podemos|me es posible|estoy en condiciones de)|me niego a)\\s*(?:ayudarte|ayudarle|ayudar|responder|contestar|proporcionar|ofrecer|dar|participar|discutir|cumplir)(?: (?:a|con|en|de|sobre|eso|esto|esta|este|esa|ese|tu|su|la|el|una?|pregunta|solicitud|tema|petición|asesoramiento|consejos?|opiniones|médicos?|legal|legales|políticas?)){0,6}${end}`,
    ],
  },
  {
    sorry: 'desculpe|desculpa|lamento|sinto muito|infelizmente',
    says: [
      `(?:não (?:posso|consigo|podemos|me é possível)|recuso-me a)\\s*(?:ajudá-lo|ajudar|responder|fornecer|oferecer|dar|participar|discutir|cumprir|atender)(?: (?:a|à|com|em|de|sobre|isso|isto|essa|esse|esta|este|sua|seu|uma?|pergunta|pedido|solicitação|tema|aconselhamento|conselhos?|opiniões|médicos?|jurídicos?)){0,6}${end}`,
    ],
  },
  {
    sorry: 'mi dispiace|mi spiace|spiacente|purtroppo|scusa|scusi',
    says: [
      `(?:non (?:posso|sono in grado di|possiamo)|mi rifiuto di)\\s*(?:aiutarti|aiutarla|aiutare|rispondere|fornire|offrire|dare|partecipare|discutere|soddisfare)(?: (?:a|con|in|di|su|questo|questa|quest['’]|tua|sua|una?|la|il|domanda|richiesta|argomento|consigli|pareri|medici|legali)){0,6}${end}`,
    ],
  },
  {
    sorry: 'het spijt me|sorry|helaas',
    says: [
      `(?:ik kan|daar kan ik|hier kan ik|dat kan ik|hierbij kan ik)(?: (?:je|u|jou|daar|hier|dat|deze|dit|die|je vraag|vraag|verzoek|helaas|met|op|bij)){0,6} (?:niet (?:bij |op |mee )?(?:helpen|beantwoorden|antwoorden|ingaan|meewerken)|geen (?:medisch |juridisch )?(?:advies|antwoord|mening) geven)(?: (?:met|bij|op) (?:dit|deze|dat|die)(?: (?:vraag|verzoek))?)?${end}`,
    ],
  },
  {
    sorry: 'przepraszam|przykro mi|niestety',
    says: [
      `nie (?:mogę|jestem w stanie|możemy)\\s*(?:ci |panu |pani )?(?:pomóc|odpowiedzieć|udzielić|uczestniczyć|spełnić|dyskutować)(?: (?:na|w|z|o|to|tym|tej|ten|tę|twoje|pytanie|sprawie|prośbie|prośby|porad|porady|medycznej|medycznych|prawnych|odpowiedzi)){0,6}${end}`,
    ],
  },
  {
    sorry: 'извините|простите|к сожалению|прошу прощения|мне жаль|сожалею',
    says: [
      `(?:я )?(?:не (?:могу|можем|смогу|в состоянии|буду)|отказываюсь)\\s*(?:вам |тебе )?(?:помочь|помогать|ответить|отвечать|предоставить|давать|дать|участвовать|обсуждать|выполнить)(?: (?:с|в|на|по|вам|это|этот|этим|этом|эту|ваш|вашу|данный|вопрос|вопросы|вопросом|запрос|запросом|просьбу|тему|теме|советы?|консультаци[яию]|медицинск\\p{L}+|юридическ\\p{L}+)){0,6}${end}`,
    ],
  },
  {
    sorry: '(?:tyvärr|förlåt|jag är ledsen|ledsen|beklagar|jag beklagar)',
    says: [
      `(?:jag kan|kan jag|det kan jag)(?: tyvärr)? inte (?:hjälpa|svara|besvara|delta|ge|bistå)(?: (?:till|dig|er|med|på|i|om|det|den|detta|denna|här|fråga|frågan|begäran|råd|medicinska|juridiska)){0,6}${end}`,
    ],
  },
  {
    sorry: 'üzgünüm|maalesef|özür dilerim|kusura bakmayın',
    says: [
      `(?:bu|size|sana|buna)(?: (?:konuda|konu|soruyu|soruya|soru|hakkında|isteği|isteğe|talebi|talebe|bunda|size|sana)){0,3} (?:yardımcı olamam|yardım edemem|yanıtlayamam|cevaplayamam|cevap veremem|yanıt veremem|yerine getiremem)${end}`,
    ],
  },
  {
    sorry: '(?:非常|很|十分)?(?:抱歉|对不起|對不起|遗憾|不好意思)',
    says: [
      `(?:作为[^，。\\n]{0,20}[，,]\\s*)?我(?:们)?(?:无法|無法|不能|不会|没办法|不便|拒绝)(?:为您|向您|给您|对此|就此|直接)?(?:回答|提供|帮助|协助|满足|讨论|参与|评论|处理|完成|回應|帮您|帮你)(?:您|你|您的|你的|这个|这一|该|此|此类|这类|任何|相关|医疗|法律|投资|政治|的|问题|请求|要求|建议|意见|内容|话题|信息|服务|投票|帮助|回答){0,6}\\s*${end}`,
    ],
  },
  {
    sorry:
      '(?:大変)?(?:申し訳(?:ありません|ございません|ない)(?:が|けど)?|すみません(?:が)?|恐れ入りますが|恐縮ですが|残念ながら)',
    says: [
      `(?:(?:その|この|こちらの|ご|お|当該)[^。、！？\\n]{0,12}(?:には|については|に|を|は)、?)(?:お答え|お応え|回答|対応|お手伝い|ご協力|協力|提供|お受け|支援)(?:する|を|は|も)?(?:こと(?:は|が))?(?:でき(?:ません|ない|かねます)|いたしかねます|致しかねます|しかねます|控えさせていただきます)${end}`,
    ],
  },
  {
    sorry: '(?:죄송합니다만|죄송하지만|죄송합니다|미안합니다|미안하지만|유감스럽게도|안타깝지만)',
    says: [
      `(?:(?:그|이|해당|요청하신|귀하의|저는)\\s*[^.!?。\\n]{0,20}(?:에는|에|은|는|을|를|에 대해|에 대해서는)\\s*)?(?:답변(?:을)?(?:드릴|할| 드릴)|답할|도와드릴|도움을 드릴|제공(?:할|해 드릴)|응할|참여할) 수 없습니다${end}`,
    ],
  },
  {
    sorry: '(?:عذر[ًا]*|آسفة?|أعتذر|للأسف|معذرة|نأسف)',
    says: [
      `(?:ولكن |لكن |لكنني |ولكنني )?(?:لا (?:يمكنني|أستطيع|أقدر على|يمكننا)|لست قادر[ًا]* على)\\s*(?:المساعدة|مساعدتك|الإجابة|الرد|تقديم|المشاركة|تلبية|مناقشة|الامتثال)(?:\\s(?:في|على|عن|من|هذا|هذه|ذلك|الطلب|السؤال|طلبك|سؤالك|الموضوع|بهذا|نصيحة|نصائح|مشورة|طبية|قانونية|المعلومات)){0,6}\\s*${end}`,
    ],
  },
  {
    sorry: '(?:क्षमा करें|क्षमा कीजिए|माफ़ करें|माफ करें|माफ़ कीजिए|माफ कीजिए|मुझे खेद है|खेद है)',
    says: [
      `(?:लेकिन |परंतु |किंतु )?मैं (?:इस|इसमें|आपके|आपकी|इसका|यह|ऐसे|इन)(?:\\s?(?:प्रश्न|सवाल|अनुरोध|विषय|मामले|का|के|की|में|पर|को|से|उत्तर|जवाब|मदद|सहायता|सलाह|चिकित्सा|कानूनी)){0,6}\\s*(?:नहीं (?:दे|कर|दूँगा|करूँगा)(?: सकता| सकती)?|देने में असमर्थ|करने में असमर्थ)(?: हूँ| हूं)?\\s*(?:[।.!]|$)`,
    ],
  },
]

const refusals: readonly RegExp[] = [
  new RegExp(`^(?:${english.join('|')})`, 'iu'),
  ...others.map(
    ({ sorry, says }) =>
      new RegExp(
        `^(?:(?:${sorry})[,.;:!。，、،\\s—–-]*(?:aber |mais |pero |mas |ma |maar |ale |но |men |ancak |但是?|不过)?)?(?:${says.join('|')})`,
        'iu',
      ),
  ),
]

/** Whether a text is a refusal. "I cannot say with certainty" is an answer, "I can't help with that" isn't. */
export const isRefusal = (text: string): boolean => {
  const words = text
    .slice(0, longestRead)
    .trim()
    .replace(/^[*_"“#>\s]+/, '')
    .replace(/’/g, "'")
  return refusals.some(refusal => refusal.test(words))
}
