/** What the four relations between two answers mean, in the same words wherever a moderator compares or groups. */

export const relationWords = [
  'Two answers to the question can relate in four ways:',
  '- "same": whoever holds the one holds the other. They differ only in wording, order or detail.',
  '- "same with a caveat": the same answer, and one or both add a condition, a reservation or an emphasis. The person',
  '  who asked would still go away with the same answer.',
  '- "compatible": neither denies the other and a person could hold both, but they are not the same answer: at least',
  '  one of them recommends, names or claims something that matters and that the other leaves out. A shared topic or',
  '  tone does not make two answers the same.',
  '- "different": one denies what the other asserts, or they could not both be the answer. Of two answers that depend on',
  '  conditions: in a case that is likely enough to matter, one says yes and the other no.',
  'If you hesitate between "same with a caveat" and "compatible", ask: would the person who asked go away with the same',
  'answer from both? Only if so is it "same with a caveat". If one seat would reject a part of what the other says, they are',
  '"different" if that part is the answer, and "compatible" if it stands beside the answer.',
].join('\n')
