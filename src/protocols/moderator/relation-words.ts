/** What the four relations between two answers mean, in the same words wherever a moderator compares or groups. */

export const relationWords = [
  'Two answers to the question can relate in four ways:',
  '- "same": whoever holds the one holds the other. They differ only in wording, order or detail.',
  '- "same with a caveat": the same answer, and one of them adds a condition, a reservation or an emphasis that would',
  '  not change what a person who follows it does or concludes. If it would, they are not the same answer.',
  '- "compatible": neither denies the other and a person could hold both, but they are not the same answer: at least',
  '  one of them recommends, names or claims something that matters and that the other leaves out. A shared topic or',
  '  tone does not make two answers the same.',
  '- "different": one denies what the other asserts, or they could not both be the answer.',
  'If you hesitate between "same with a caveat" and "compatible", ask: would a person who follows the first do or',
  'conclude the same as one who follows the second? Only if so is it "same with a caveat".',
].join('\n')
