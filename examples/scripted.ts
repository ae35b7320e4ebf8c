/** A table without any model: all replies are written in this file. `node examples/scripted.ts` */
import { createRoundtable, scripted } from 'roundtable'

const roundtable = createRoundtable({
  providers: [
    scripted(({ model }) => ({
      headline: model === 'doubter' ? 'No, it is divisible by 7.' : 'Yes, it is a prime.',
      choice: model === 'doubter' ? 'No' : 'Yes',
      reasoning: model === 'doubter' ? '7 times 13 is 91.' : 'It looks like one.',
      confidence: model === 'doubter' ? 0.99 : 0.6,
    })),
  ],
})

const { result } = roundtable.ask({
  question: 'Is 91 a prime?',
  format: 'choice',
  options: ['Yes', 'No'],
  protocol: 'poll',
  seats: ['scripted/hasty', 'scripted/quick', 'scripted/doubter'],
})
console.log((await result).verdict.line)
