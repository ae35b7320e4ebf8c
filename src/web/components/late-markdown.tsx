/** Markdown whose parser loads after the page: until then the same text is shown as it was written. */
import { lazy, Suspense } from 'react'

const Rich = lazy(async () => ({ default: (await import('./markdown.tsx')).Markdown }))

interface LateMarkdownProps {
  readonly text: string
  readonly language?: string | null
}

export const LateMarkdown = ({ text, language }: LateMarkdownProps) => (
  <Suspense
    fallback={
      <div className="said prose whitespace-pre-wrap" dir="auto">
        {text}
      </div>
    }
  >
    <Rich text={text} language={language} />
  </Suspense>
)
