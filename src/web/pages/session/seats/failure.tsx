/** Why a model gave no answer: what kind of failure, and the provider's own words. */
import type { ModelError } from '../../../../core/errors.ts'
import type { Draft } from '../../../../core/log/draft.ts'
import { failureName } from '../../../../core/wording/handed-in.ts'

export const Failure = ({ what, error }: { what: string; error: ModelError }) => (
  <>
    <p className="font-semibold text-bad">
      {what}: {failureName(error)}
    </p>
    <blockquote className="mt-2 rounded-lg bg-shade px-3 py-2 font-mono text-sm wrap-anywhere">
      {error.message}
    </blockquote>
  </>
)

export const AskedAgain = ({ attempt, why }: NonNullable<Draft['retrying']>) => (
  <p className="text-sm text-soft">
    Asked again (try {attempt}): {why}
  </p>
)
