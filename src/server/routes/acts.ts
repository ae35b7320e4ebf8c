/** What a person does to a session that is under way or over. Each act is an event in the same log. */
import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import {
  acceptedSchema,
  answerBodySchema,
  estimateSchema,
  kindBodySchema,
  replaceBodySchema,
  resolveBodySchema,
} from '../../api/index.ts'
import type { Happening } from '../../core/log/event.ts'
import {
  bookOpened,
  kindCorrected,
  replaced,
  resolved,
  resumed,
  retried,
  roundAdded,
  stopped,
  wentOnWithout,
} from '../../core/log/interjection.ts'
import { fold, type Session } from '../../core/log/state.ts'
import type { Kind } from '../../core/question/kind.ts'
import { protocolNamed } from '../../protocols/index.ts'
import { refuseFiles } from '../../table/resolve-ask.ts'
import { roundEstimateOf } from '../../table/round-estimate.ts'
import { newcomerFor } from '../../table/seats.ts'
import { misused, Refusal } from '../problem.ts'
import { problems, replies, router, sessionParams, takes } from '../router.ts'
import type { Service } from '../service.ts'
import { act, type Decide, handIn, logOf } from '../sessions.ts'

const tags = ['Acts']
const seatParams = sessionParams.extend({ seat: z.string().min(1).max(100) })
const responses = {
  202: replies(acceptedSchema, 'The act is in the log, and the session follows it'),
  ...problems,
}

const actRoute = <Path extends string>(path: Path, summary: string) =>
  createRoute({ method: 'post', path, tags, summary, request: { params: sessionParams }, responses })

const seatRoute = <Path extends string>(path: Path, summary: string) =>
  createRoute({ method: 'post', path, tags, summary, request: { params: seatParams }, responses })

const cancel = actRoute('/api/sessions/{id}/cancel', 'Stop a session, with a verdict on the answers so far')
const resume = actRoute('/api/sessions/{id}/resume', 'Resume a session that was stopped')
const addRound = actRoute('/api/sessions/{id}/rounds', 'Add one more open round')
const retry = seatRoute('/api/sessions/{id}/seats/{seat}/retry', 'Ask a seat again if it gave no answer')
const goOn = seatRoute(
  '/api/sessions/{id}/seats/{seat}/go-on',
  'Go on without a seat that the round is waiting for',
)

const openBook = actRoute('/api/sessions/{id}/open', 'Open a sealed book of letters: everybody may read it')

const estimateRound = createRoute({
  method: 'get',
  path: '/api/sessions/{id}/rounds/estimate',
  tags,
  summary: 'Estimate what one more open round would take, without adding it',
  request: { params: sessionParams },
  responses: { 200: replies(estimateSchema, 'Calls, tokens, dollars and seconds, as ranges'), ...problems },
})

const replace = createRoute({
  method: 'post',
  path: '/api/sessions/{id}/seats/{seat}/replace',
  tags,
  summary: 'Replace the model of a seat that gave no answer',
  request: { params: seatParams, body: takes(replaceBodySchema) },
  responses,
})

const answer = createRoute({
  method: 'post',
  path: '/api/sessions/{id}/seats/{seat}/answer',
  tags,
  summary: 'Hand in the answer of a seat that is held from outside',
  request: { params: seatParams, body: takes(answerBodySchema) },
  responses,
})

const resolve = createRoute({
  method: 'post',
  path: '/api/sessions/{id}/resolve',
  tags,
  summary: 'Record the right answer, for the track record of the models',
  request: { params: sessionParams, body: takes(resolveBodySchema) },
  responses,
})

const kind = createRoute({
  method: 'post',
  path: '/api/sessions/{id}/kind',
  tags,
  summary: 'Correct what kind of question it is',
  request: { params: sessionParams, body: takes(kindBodySchema) },
  responses,
})

/** That the session is not over is its state; an answer that nobody could have given is a mistake. */
const resolution = (session: Session, answer: string): Happening => {
  if (!session.outcome) return resolved(session, answer)
  try {
    return resolved(session, answer)
  } catch (error) {
    throw misused(422, error)
  }
}

/** A kind that doesn't go with the format is a mistake in any state of the session. */
const correction = (session: Session, said: Kind): Happening => {
  try {
    return kindCorrected(session, said)
  } catch (error) {
    throw misused(422, error)
  }
}

const withSeat = (session: Session, seat: string): Session => {
  if (session.seats.some(({ id }) => id === seat)) return session
  const ids = session.seats.map(({ id, name }) => `${id} (${name})`).join(', ')
  throw new Refusal(404, `There is no seat "${seat}" at this table. Its seats are ${ids}.`)
}

export const actRoutes = (service: Service) => {
  const done = async (id: string, decide: Decide) => {
    const { position } = await act(service, id, decide)
    return { position }
  }
  const newcomer = (seat: z.infer<typeof replaceBodySchema>['seat'], { question }: Session) => {
    try {
      refuseFiles({ seats: [seat] }, service.reach)
      return newcomerFor(seat, question, service.reach)
    } catch (error) {
      throw misused(422, error)
    }
  }
  const added = (session: Session): Happening =>
    roundAdded(session, protocolNamed(session.protocol, service.reach.protocols).rounds.most)
  /** What can't be added isn't estimated either. */
  const roundEstimate = async (id: string) => {
    const log = await logOf(service, id)
    try {
      added(fold(log))
      return roundEstimateOf(log, service.reach)
    } catch (error) {
      throw misused(409, error)
    }
  }
  return router()
    .openapi(estimateRound, async context =>
      context.json(await roundEstimate(context.req.valid('param').id), 200),
    )
    .openapi(cancel, async context => context.json(await done(context.req.valid('param').id, stopped), 202))
    .openapi(resume, async context => context.json(await done(context.req.valid('param').id, resumed), 202))
    .openapi(addRound, async context => context.json(await done(context.req.valid('param').id, added), 202))
    .openapi(openBook, async context =>
      context.json(await done(context.req.valid('param').id, bookOpened), 202),
    )
    .openapi(resolve, async context => {
      const { answer } = context.req.valid('json')
      return context.json(await done(context.req.valid('param').id, one => resolution(one, answer)), 202)
    })
    .openapi(kind, async context => {
      const { kind: said } = context.req.valid('json')
      return context.json(await done(context.req.valid('param').id, one => correction(one, said)), 202)
    })
    .openapi(retry, async context => {
      const { id, seat } = context.req.valid('param')
      return context.json(await done(id, session => retried(withSeat(session, seat), seat)), 202)
    })
    .openapi(answer, async context => {
      const { id, seat } = context.req.valid('param')
      const { position } = await handIn(service, id, seat, context.req.valid('json'))
      return context.json({ position }, 202)
    })
    .openapi(goOn, async context => {
      const { id, seat } = context.req.valid('param')
      return context.json(await done(id, session => wentOnWithout(withSeat(session, seat), seat)), 202)
    })
    .openapi(replace, async context => {
      const { id, seat } = context.req.valid('param')
      const wish = context.req.valid('json').seat
      const decide = (session: Session): Happening =>
        replaced(withSeat(session, seat), seat, newcomer(wish, session))
      return context.json(await done(id, decide), 202)
    })
}
