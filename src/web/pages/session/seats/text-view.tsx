/** A text that a seat wrote: the text is what readers came for, so it is shown whole. */
import { useState } from 'react'
import type { Answer } from '../../../../core/question/answer.ts'
import { Button } from '../../../components/button.tsx'
import { Markdown } from '../../../components/markdown.tsx'

export const TextView = ({ answer }: { answer: Answer }) => {
  const [copied, setCopied] = useState(false)
  const { text = '', language, reasoning } = answer
  const copy = async (): Promise<void> => {
    await navigator.clipboard?.writeText(text)
    setCopied(true)
  }
  return (
    <div className="mt-3">
      <div className="text-lg leading-relaxed">
        <Markdown text={text} language={language} />
      </div>
      <p className="mt-3 print:hidden">
        <Button kind="quiet" onClick={copy}>
          {copied ? 'Copied' : 'Copy the text'}
        </Button>
      </p>
      {reasoning.trim() !== '' && (
        <details className="mt-2">
          <summary className="text-sm font-medium text-soft">What it says about the text</summary>
          <div className="mt-2 leading-relaxed">
            <Markdown text={reasoning} language={language} />
          </div>
        </details>
      )}
    </div>
  )
}
