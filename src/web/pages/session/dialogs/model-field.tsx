/** A model's name, with a list of those that can be seated now. */
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { ModelsReply } from '../../../../api/index.ts'
import { request } from '../../../api.ts'
import { TextField } from '../../../components/field.tsx'

interface ModelFieldProps {
  readonly label: string
  readonly value: string
  onChange(value: string): void
}

export const ModelField = ({ label, value, onChange }: ModelFieldProps) => {
  const list = useId()
  const { data } = useQuery({
    queryKey: ['models', 'configured'],
    queryFn: () => request<ModelsReply>('GET', '/api/models?configured=true&limit=500'),
  })
  return (
    <>
      <TextField
        label={label}
        list={list}
        value={value}
        required
        autoComplete="off"
        placeholder="Claude Sonnet 4.6, or lab/model-name"
        onChange={change => onChange(change.target.value)}
      />
      <datalist id={list}>
        {data?.models.map(model => (
          <option key={model.id} value={model.id}>
            {model.name}
          </option>
        ))}
      </datalist>
    </>
  )
}
