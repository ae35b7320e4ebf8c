/** The debate that every face is asked for. */
export const facesInput = {
  question: 'Is it the same debate?',
  options: ['Yes', 'No'],
  seats: Array.from({ length: 6 }, (_, index) => `lab/m${index}`),
  protocol: 'roundtable',
  rounds: 1,
}
