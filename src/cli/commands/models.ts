/** `models`: what the configured endpoints list. */
import type { Command } from 'commander'
import { UsageError } from '../../core/errors.ts'
import type { ModelFacts, Provider } from '../../providers/provider.ts'
import { loadConfig } from '../../runtime/config.ts'
import { oneLine } from '../cells.ts'
import { exitCodes } from '../exit-codes.ts'
import { short } from '../figures.ts'
import { grid } from '../grid.ts'
import { paintFor } from '../paint.ts'
import type { Shell } from '../shell.ts'

interface Found {
  readonly models: readonly (ModelFacts & { readonly model: string })[]
  readonly problem?: string
}

const modelsOf = async (provider: Provider): Promise<Found> => {
  const listed = await provider.list(AbortSignal.timeout(10_000))
  if ('error' in listed) return { models: [], problem: `${provider.id}: ${listed.error.message}` }
  return {
    models: listed.models.map(model => ({ model: `${provider.id}/${model}`, ...provider.known(model) })),
  }
}

const matches = (search: string, model: { readonly model: string; readonly name?: string }): boolean =>
  [model.model, model.name ?? ''].some(text => text.toLowerCase().includes(search.toLowerCase()))

const row = ({ model, name, context, price }: Found['models'][number]): string[] => [
  model,
  name ?? '',
  context ? `${short(context)} context` : '',
  price ? `$${price.input} in, $${price.output} out for 1M tokens` : '',
]

const listModels = async (search: string, json: boolean, shell: Shell): Promise<number> => {
  const { createRoundtable } = await import('../../runtime/roundtable.ts')
  const { endpoints } = loadConfig(shell)
  if (endpoints.length === 0) {
    throw new UsageError(
      'No endpoint is configured: set ROUNDTABLE_ENDPOINTS="lab=http://127.0.0.1:8787/v1", or add it to roundtable.config.json.',
    )
  }
  const found = await Promise.all(createRoundtable({ endpoints }).providers.map(modelsOf))
  const models = found.flatMap(one => one.models).filter(model => matches(search, model))
  const problems = found.flatMap(one => one.problem ?? [])
  const look = { columns: shell.stdout.columns ?? 110, paint: paintFor(shell.stdout) }
  const text = json ? JSON.stringify(models, null, 2) : grid(models.map(row), look).join('\n')
  if (text !== '') shell.stdout.write(`${text}\n`)
  if (models.length === 0 && !json) shell.stderr.write('No model found.\n')
  for (const problem of problems) shell.stderr.write(`roundtable: ${oneLine(problem)}\n`)
  return problems.length === found.length ? exitCodes.failed : exitCodes.done
}

export const define = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  command
    .option('--json', 'as JSON')
    .action(async (search: string | undefined, flags: { json?: boolean }) =>
      finish(await listModels(search ?? '', flags.json ?? false, shell)),
    )
}
