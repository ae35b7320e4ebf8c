/** What a seat is doing while a round is under way, in one word. */
export const seatWords = {
  waiting: 'waiting',
  thinking: 'thinking',
  weighing: 'weighing',
  writing: 'writing',
  speaking: 'speaking',
  answered: 'answered',
  late: 'may still answer',
  silent: 'silent',
  abstained: 'abstained',
  notAsked: 'not asked',
} as const
