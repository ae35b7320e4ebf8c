/** The bar at the bottom of the window: the estimate, and the button that asks, or why it can't yet. */
import { Button } from '../../components/button.tsx'
import { Problem } from '../../components/notice.tsx'
import { Estimate } from './estimate.tsx'
import type { AskForm } from './form.ts'

interface AskBarProps {
  readonly form: AskForm
  /** Why the question can't be asked yet. */
  readonly obstacle: string | undefined
  readonly pending: boolean
  readonly error: Error | null
  change(change: Partial<AskForm>): void
  onAsk(): void
  /** Nothing can answer yet: leads to the ways to start, which are far above. */
  readonly onWays: (() => void) | undefined
}

export const AskBar = ({ form, change, obstacle, onAsk, onWays, pending, error }: AskBarProps) => (
  <div className="sticky bottom-0 z-20 border-t border-line bg-paper/95 py-3 backdrop-blur">
    <div className="mx-auto max-w-5xl px-4 sm:px-6">
      {error && (
        <div className="mb-2">
          <Problem error={error} />
        </div>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 grow basis-60">
          <Estimate form={form} change={change} />
        </div>
        <div className="ml-auto flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
          <p id="obstacle" className={`text-right text-sm text-soft ${error ? 'sr-only' : ''}`}>
            {obstacle ?? <kbd className="hidden font-sans text-xs md:inline">Ctrl + Enter</kbd>}
          </p>
          {onWays && (
            <button
              type="button"
              className="text-sm font-medium text-accent underline underline-offset-2"
              onClick={onWays}
            >
              See the ways to start
            </button>
          )}
          <Button
            kind="primary"
            className="min-h-11 shrink-0 px-6 text-base aria-disabled:opacity-50"
            disabled={pending}
            aria-disabled={obstacle !== undefined}
            aria-describedby="obstacle"
            onClick={onAsk}
          >
            {pending ? 'Asking…' : 'Ask the table'}
          </Button>
        </div>
      </div>
    </div>
  </div>
)
