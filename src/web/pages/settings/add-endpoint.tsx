/** Adds a server of the person's own: a name, an address, and a key if it wants one. */
import { type FormEvent, useState } from 'react'
import type { TryOutReply } from '../../../api/index.ts'
import { saveEndpoint, tryProvider } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { Problem } from '../../components/notice.tsx'
import { keyInput } from './key-form.tsx'
import { useSaving } from './saving.ts'

const empty = { id: '', baseURL: '', key: '' }

export const AddEndpoint = () => {
  const [form, setForm] = useState(empty)
  const [result, setResult] = useState<TryOutReply>()
  const { error, pending, run } = useSaving()
  const field = (name: keyof typeof empty) => ({
    value: form[name],
    onChange: (event: { target: { value: string } }) => setForm({ ...form, [name]: event.target.value }),
  })
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const id = form.id.trim()
    await run(async () => {
      await saveEndpoint(id, { baseURL: form.baseURL, ...(form.key.trim() && { key: form.key }) })
      setForm(empty)
      setResult(await tryProvider(id))
    })
  }
  const ready = form.id.trim() !== '' && form.baseURL.trim() !== ''
  return (
    <form onSubmit={submit} aria-label="Add a server of your own" className="space-y-3">
      <div className="grid gap-3 sm:grid-cols-[9rem_1fr_1fr]">
        <TextField label="Name" placeholder="lab" autoComplete="off" {...field('id')} />
        <TextField
          label="Address"
          type="url"
          placeholder="http://127.0.0.1:8787/v1"
          autoComplete="off"
          {...field('baseURL')}
        />
        <TextField label="API key, if it needs one" {...keyInput} {...field('key')} />
      </div>
      <p className="flex flex-wrap items-center gap-3">
        <Button type="submit" disabled={pending || !ready}>
          {pending ? 'Saving…' : 'Add the server'}
        </Button>
        <span className="text-sm text-soft">Its models are then called name/model, such as lab/llama-4.</span>
      </p>
      {error && <Problem error={error} />}
      {result && (
        <p role="status" className={`text-sm ${result.state === 'good' ? 'text-good' : 'text-bad'}`}>
          {result.state === 'good' ? '✓ ' : '✕ '}
          {result.subject}: {result.words}
        </p>
      )}
    </form>
  )
}
