/** Questions to begin with, each in another format. */
import { type AskForm, emptyForm } from './form.ts'

type Example = Pick<AskForm, 'question' | 'format'> & Partial<AskForm>

const examples: readonly Example[] = [
  { question: 'Should a team of five split its application into microservices?', format: 'open' },
  { question: 'Is a hot dog a sandwich?', format: 'choice', options: 'Yes\nNo' },
  {
    question: 'How many piano tuners work in Chicago?',
    format: 'number',
    unit: 'piano tuners',
    scale: 'log',
  },
]

const { options, unit, scale, tolerance, words } = emptyForm
/** An example belongs to no session and no template. */
const cleared = { forkedFrom: undefined, after: undefined, extra: undefined }

export const Examples = ({ onChoose }: { onChoose: (change: Partial<AskForm>) => void }) => (
  <div className="text-center text-sm">
    <h2 id="examples" className="label mb-2">
      Or try one of these
    </h2>
    <ul aria-labelledby="examples" className="flex flex-wrap justify-center gap-2">
      {examples.map(example => (
        <li key={example.question}>
          <button
            type="button"
            className="rounded-2xl border border-line px-3.5 py-1.5 text-left hover:border-edge"
            onClick={() => onChoose({ options, unit, scale, tolerance, words, ...cleared, ...example })}
          >
            {example.question}
          </button>
        </li>
      ))}
    </ul>
  </div>
)
