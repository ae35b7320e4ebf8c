/** The process that holds the models, so that a crash of the engine or a lack of memory ends only this process. */
import { type LoadedModel, loadModel, PromptTooLong } from './loaded-model.ts'
import { type FromWorker, freeCoresNow, type Task, type ToWorker } from './provider.ts'

const models = new Map<string, Promise<LoadedModel>>()
const cancelled = new Set<number>()
let queue: Promise<void> = Promise.resolve()

const send = (message: FromWorker): void => {
  process.send?.(message)
}

const load = async ({ engine, path, threads }: Task): Promise<LoadedModel> =>
  loadModel(engine, path, threads ?? (await freeCoresNow()))

const modelFor = (task: Task): Promise<LoadedModel> => {
  const { path } = task
  const model = models.get(path) ?? load(task)
  models.set(path, model)
  // The file may be repaired before the next call.
  model.catch(() => models.delete(path))
  return model
}

const failure = (error: unknown): { kind: 'context-overflow' | 'bad-request'; message: string } => ({
  kind: error instanceof PromptTooLong ? 'context-overflow' : 'bad-request',
  message: error instanceof Error ? error.message : String(error),
})

const write = async (task: Task): Promise<void> => {
  const { id } = task
  const isCancelled = (): boolean => cancelled.has(id)
  try {
    if (isCancelled()) return
    const model = await modelFor(task)
    const written = await model.write(task, isCancelled, text => send({ type: 'text', id, text }))
    if (written) send({ type: 'done', id, ...written })
  } catch (error) {
    send({ type: 'failed', id, ...failure(error) })
  } finally {
    cancelled.delete(id)
  }
}

process.on('message', (message: ToWorker) => {
  if (message.type === 'cancel') {
    cancelled.add(message.id)
    return
  }
  queue = queue.then(() => write(message.task))
})
process.on('disconnect', () => process.exit())
// Ctrl-C reaches every process of the group; the parent decides whether to stop.
process.on('SIGINT', () => undefined)
