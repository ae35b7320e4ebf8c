/** What kind of question it is, in words that every face shows. */
import type { Kind, KindSource } from '../question/kind.ts'

/** "A matter of taste" */
export const kindTitles: Readonly<Record<Kind, string>> = {
  fact: 'A question of fact',
  estimate: 'An estimate',
  judgement: 'A question of judgement',
  taste: 'A matter of taste',
  text: 'A text',
}

/** What a reader can expect of the verdict. */
const meanings: Readonly<Record<Kind, string>> = {
  fact: 'one answer is right, and it can be checked.',
  estimate: 'it can be measured, now or later.',
  judgement: 'reasons can be better or worse, and no source settles it.',
  taste: 'no answer is right, so read the positions.',
  text: 'no text is right or wrong, so read each for what it has.',
}

const sources: Readonly<Record<KindSource, string>> = {
  asker: 'Chosen by the asker',
  format: 'Known from its format',
  moderator: 'Chosen by the moderator',
}

/** "A matter of taste: no answer is right, so read the positions. (Chosen by the moderator.)" */
export const kindSentence = (kind: Kind, by: KindSource): string =>
  `${kindTitles[kind]}: ${meanings[kind]} (${sources[by]}.)`
