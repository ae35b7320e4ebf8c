/** The bar at the bottom of the window: the estimate, and the button that asks. */
import { Button } from '../../components/button.tsx'
import { Problem } from '../../components/notice.tsx'
import { Estimate } from './estimate.tsx'
import { type AskForm, obstacleOf } from './form.ts'

interface AskBarProps {
  readonly form: AskForm
  readonly pending: boolean
  readonly error: Error | null
  onAsk(): void
}

export const AskBar = ({ form, onAsk, pending, error }: AskBarProps) => {
  const obstacle = obstacleOf(form)
  return (
    <div className="sticky bottom-0 z-20 border-t border-line bg-paper/95 py-3 backdrop-blur">
      <div className="mx-auto max-w-5xl px-4 sm:px-6">
        {error && (
          <div className="mb-2">
            <Problem error={error} />
          </div>
        )}
        <div className="flex items-center gap-4">
          <div className="min-w-0 grow">
            <Estimate form={form} />
          </div>
          <div className="flex shrink-0 items-center gap-3">
            <kbd className="hidden font-sans text-xs text-soft md:inline">Ctrl + Enter</kbd>
            <Button
              kind="primary"
              className="min-h-11 px-6 text-base"
              disabled={pending}
              aria-disabled={obstacle !== undefined}
              title={obstacle}
              onClick={onAsk}
            >
              {pending ? 'Asking…' : 'Ask the table'}
            </Button>
          </div>
        </div>
      </div>
    </div>
  )
}
