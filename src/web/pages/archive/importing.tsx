/** Sessions from files: those that this program exported, and transcripts. */
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { importSession } from '../../api.ts'

export interface Imported {
  readonly name: string
  readonly id?: string
  readonly problem?: string
}

const importFile = async (file: File): Promise<Imported> => {
  try {
    return { name: file.name, ...(await importSession(await file.text())) }
  } catch (error) {
    return { name: file.name, problem: error instanceof Error ? error.message : String(error) }
  }
}

/** A single file is opened at once; of several, the result of each is listed. */
export const useImports = () => {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [imports, setImports] = useState<readonly Imported[]>([])
  const take = async (files: readonly File[]): Promise<void> => {
    const taken: Imported[] = []
    for (const file of files) taken.push(await importFile(file))
    setImports(taken)
    await queries.invalidateQueries({ queryKey: ['sessions'] })
    const [first] = taken
    if (taken.length === 1 && first?.id !== undefined)
      await navigate({ to: '/s/$id', params: { id: first.id } })
  }
  return [imports, take] as const
}

export const Imports = ({ imports }: { imports: readonly Imported[] }) =>
  imports.length > 0 && (
    <ul aria-label="Imported files" className="card space-y-1 p-4 text-sm" aria-live="polite">
      {imports.map(({ name, id, problem }) => (
        <li key={name} className="break-words">
          {id === undefined ? (
            <span className="text-bad">
              {name}: {problem}
            </span>
          ) : (
            <>
              <span className="text-good">✓</span>{' '}
              <Link to="/s/$id" params={{ id }} className="underline">
                {name}
              </Link>
            </>
          )}
        </li>
      ))}
    </ul>
  )
