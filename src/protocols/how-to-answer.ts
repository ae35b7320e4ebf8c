/** What a seat is asked to do with what it has read: fill in the form of an open round, or give its first answer. */
const checking =
  'Read them, and check what you can without tools: arithmetic, logic, contradictions, well-known facts.'

const ifAllAgree = 'If you all agree on the substance, say what all of you may have missed.'

/** What a seat with an earlier answer does. It names fields of the form, in the form's order and words. */
export const howToRevise = (mayAgree: boolean): string =>
  [
    checking,
    'Then fill in the form:',
    'points: the points of others that matter most, in their exact words: which part of each holds, and which does not?',
    'reasoning: your own case as it stands now. Nobody should need your last answer to follow it.',
    ...(mayAgree ? [ifAllAgree] : []),
    'decision: kept, conceded, narrowed or changed. To concede a point is honourable, and is recorded with whose point it',
    'was. Change your answer for an error, a better argument or a better reading of the question. That others think',
    'otherwise, however many, is not a reason.',
    'headline: if your answer stands, repeat your headline, unless you can say it better.',
  ].join('\n')

/** How many more tokens the instructions, the fence and the form of an open round take than those of the sealed round. */
export const revisingTokens = 570

/** For a seat without an earlier answer: it has nothing to keep or change. */
export const howToJoin = [checking, 'Then give your own answer.'].join('\n')
