/** What a person does to a session that is under way or over. Each act is an event in the same log. */

import { createRoute } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import { z } from 'zod'
import {
  acceptedSchema,
  answerBodySchema,
  eventsQuerySchema,
  joinBodySchema,
  kindBodySchema,
  personLinkSchema,
  personSeatSchema,
  replaceBodySchema,
  resolveBodySchema,
  sayBodySchema,
  sharedSchema,
  shareSchema,
} from '../api/sessions.ts'
import { estimateSchema } from '../api/table.ts'
import type { Happening } from '../core/event.ts'
import { fold } from '../core/fold.ts'
import type { Kind } from '../core/form.ts'
import { picturesIn } from '../core/question.ts'
import { answerBefore, latestRound, type Session, seatOf } from '../core/session.ts'
import {
  askerSaid,
  joined,
  kindCorrected,
  replaced,
  resolved,
  resumed,
  retried,
  roundAdded,
  stopped,
  wentOnWithout,
} from '../count/acts.ts'
import { documentOf } from '../exports/json.ts'
import { protocolNamed } from '../protocols/index.ts'
import { outsideTurns } from '../run/run.ts'
import { usualPersonDeadline } from '../table/ask.ts'
import { roundEstimateOf } from '../table/estimate.ts'
import { refuseFiles } from '../table/resolve.ts'
import { newcomerFor } from '../table/seats.ts'
import { misused, Refusal } from './log.ts'
import { stream, streamReply } from './routes-sessions.ts'
import { type Env, problems, replies, router, type Service, sessionParams, takes } from './service.ts'
import {
  act,
  type Decide,
  handIn,
  type LinkedSeat,
  logOf,
  makeLinks,
  revokeLink,
  seatLinked,
  sessionShared,
  share,
  unshare,
} from './sessions.ts'
import { fileHeaders } from './shared-page.ts'

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

// people: People at the table: links of their seats, what they are asked, their answers, newcomers, and the asker's words.

const tagsOfPeople = ['People']
const tokenParams = z.object({ token: z.string().regex(/^[A-Za-z0-9_-]{1,200}$/) })
const accepted = { 202: replies(acceptedSchema, 'It is in the log'), ...problems }

const say = createRoute({
  method: 'post',
  path: '/api/sessions/{id}/say',
  tags: tagsOfPeople,
  summary: 'Add a word of the asker, for the next round',
  request: { params: sessionParams, body: takes(sayBodySchema) },
  responses: accepted,
})

const join = createRoute({
  method: 'post',
  path: '/api/sessions/{id}/people',
  tags: tagsOfPeople,
  summary: 'Seat one more person, from the next round on',
  request: { params: sessionParams, body: takes(joinBodySchema) },
  responses: { 201: replies(personLinkSchema, 'The seat and its link'), ...problems },
})

const link = createRoute({
  method: 'post',
  path: '/api/sessions/{id}/seats/{seat}/link',
  tags: tagsOfPeople,
  summary: "Create the link of a person's seat",
  request: { params: seatParams },
  responses: {
    200: replies(personLinkSchema, 'The link; the same one until it is revoked'),
    ...problems,
  },
})

const unlink = createRoute({
  method: 'delete',
  path: '/api/sessions/{id}/seats/{seat}/link',
  tags: tagsOfPeople,
  summary: "Revoke the link of a person's seat",
  request: { params: seatParams },
  responses: { 204: { description: 'The link no longer works' }, ...problems },
})

const read = createRoute({
  method: 'get',
  path: '/api/seat/{token}',
  tags: tagsOfPeople,
  summary: 'Read what the holder of a seat is asked, through its link',
  request: { params: tokenParams },
  responses: { 200: replies(personSeatSchema, 'The seat'), ...problems },
})

const handInAnswer = createRoute({
  method: 'post',
  path: '/api/seat/{token}/answer',
  tags: tagsOfPeople,
  summary: "Hand in the answer of a person's seat, through its link",
  request: { params: tokenParams, body: takes(answerBodySchema) },
  responses: accepted,
})

const picture = createRoute({
  method: 'get',
  path: '/api/seat/{token}/pictures/{exhibit}',
  tags: tagsOfPeople,
  summary: 'See a picture of the question, through the link of a seat',
  request: { params: tokenParams.extend({ exhibit: z.coerce.number().int().min(1).max(100) }) },
  responses: {
    200: { content: { 'image/*': { schema: z.string() } }, description: 'The picture' },
    ...problems,
  },
})

const seatView = ({ session, seat }: LinkedSeat, service: Service) => {
  const { name, alias } = seatOf(session, seat)
  const { attachments: _attachments, ...question } = session.question
  const turn = outsideTurns(session, service.reach.protocols).find(one => one.seat === seat)
  return {
    name,
    letter: alias,
    question,
    turn: turn
      ? {
          round: turn.round,
          deadline: new Date(turn.deadline).toISOString(),
          prompt: { system: turn.prompt.system, user: turn.prompt.user },
          form: { ...turn.prompt.shape.json },
          last: answerBefore(session, turn.round, seat) ?? null,
        }
      : null,
    handedIn: latestRound(session)?.handedIn[seat]?.status === 'given',
  }
}

/** A link of a seat that is done, a revoked one and one that never existed look the same. */
const openSeat = async ({ engine }: Service, token: string): Promise<LinkedSeat> => {
  const linked = await seatLinked(engine.archive, token)
  if (linked) return linked
  throw new Refusal(
    404,
    'This link no longer works: the session is over, the link was revoked, or it is incomplete.',
  )
}

/** Stands before everything that reads a body: whoever has no link could otherwise keep the server busy with theirs. */
export const seatLinkGuard =
  (service: Service): MiddlewareHandler<Env> =>
  async (context, next) => {
    if (context.req.method !== 'POST') return next()
    const token = tokenParams.shape.token.safeParse(context.req.param('token'))
    await openSeat(service, token.success ? token.data : '')
    await next()
  }

export const peopleRoutes = (service: Service) => {
  const { archive } = service.engine
  const withPerson = async (id: string, seat: string): Promise<Session> => {
    const session = fold(await logOf(service, id))
    if (session.seats.some(one => one.id === seat && one.person)) return session
    throw new Refusal(404, `No person holds a seat "${seat}" at this table.`)
  }
  return router()
    .openapi(say, async context => {
      const { words, to } = context.req.valid('json')
      const { id } = context.req.valid('param')
      const { position } = await act(service, id, session => askerSaid(session, words, to))
      return context.json({ position }, 202)
    })
    .openapi(join, async context => {
      const { name, deadline = usualPersonDeadline } = context.req.valid('json')
      const { id } = context.req.valid('param')
      const most = (session: Session): number =>
        protocolNamed(session.protocol, service.reach.protocols).rounds.most
      const event = await act(service, id, session => joined(session, name, deadline, most(session)))
      if (event.type !== 'seat-joined') throw new Error('Somebody joined, and the log says otherwise.')
      const [made] = await makeLinks(archive, { id, seats: [event.seat] })
      return context.json(made!, 201)
    })
    .openapi(link, async context => {
      const { id, seat } = context.req.valid('param')
      const [made] = await makeLinks(archive, await withPerson(id, seat), seat)
      return context.json(made!, 200)
    })
    .openapi(unlink, async context => {
      const { id, seat } = context.req.valid('param')
      await withPerson(id, seat)
      await revokeLink(archive, id, seat)
      return context.body(null, 204)
    })
    .openapi(read, async context =>
      context.json(seatView(await openSeat(service, context.req.valid('param').token), service), 200),
    )
    .openapi(picture, async context => {
      const { token, exhibit } = context.req.valid('param')
      const { session } = await openSeat(service, token)
      const shown = picturesIn(session.question.attachments).find(one => one.exhibit === exhibit)
      const file = shown?.sha256 ? await archive.file(session.id, shown.sha256) : undefined
      if (!file) throw new Refusal(404, 'The question has no such picture.')
      return context.body(Buffer.from(file.data, 'base64'), 200, { ...fileHeaders(file.media) })
    })
    .openapi(handInAnswer, async context => {
      const { session, seat } = await openSeat(service, context.req.valid('param').token)
      const { position } = await handIn(service, session.id, seat, context.req.valid('json'))
      return context.json({ position }, 202)
    })
}

// shares: Share links: the owner makes and revokes them, and whoever has one can read the session.

const sharesTags = ['Sharing']

const make = createRoute({
  method: 'post',
  path: '/api/sessions/{id}/share',
  tags: sharesTags,
  summary: 'Create a link that shows only this session, to anyone who has it',
  request: { params: sessionParams },
  responses: {
    200: replies(shareSchema, 'The link; the same one until it is revoked'),
    ...problems,
  },
})

const revoke = createRoute({
  method: 'delete',
  path: '/api/sessions/{id}/share',
  tags: sharesTags,
  summary: 'Revoke the link',
  request: { params: sessionParams },
  responses: { 204: { description: 'The link no longer works' }, ...problems },
})

const sharesRead = createRoute({
  method: 'get',
  path: '/api/shared/{token}',
  tags: sharesTags,
  summary: 'Read a session through its link',
  request: { params: tokenParams },
  responses: { 200: replies(sharedSchema, 'The session'), ...problems },
})

const watch = createRoute({
  method: 'get',
  path: '/api/shared/{token}/events',
  tags: sharesTags,
  summary: 'Watch a session through its link',
  request: { params: tokenParams, query: eventsQuerySchema },
  responses: { 200: streamReply, ...problems },
})

export const shareRoutes = (service: Service) => {
  const { archive } = service.engine
  /** A revoked link and one that never existed look the same. */
  const opened = async (token: string): Promise<string> => {
    const session = await sessionShared(archive, token)
    // With accounts, nothing is there for a link whose owner was shut out.
    const isThere = session !== undefined && (!service.accounts || (await archive.filing(session)))
    if (isThere) return session
    throw new Refusal(404, 'This link was revoked or is incomplete. Ask for a new one.')
  }
  return router()
    .openapi(make, async context => {
      const { id } = context.req.valid('param')
      await logOf(service, id)
      context.set('done', 'link-made')
      return context.json(await share(archive, id), 200)
    })
    .openapi(revoke, async context => {
      const { id } = context.req.valid('param')
      await logOf(service, id)
      const token = await unshare(archive, id)
      if (token !== undefined) service.streams.end(id, token)
      context.set('done', 'link-revoked')
      return context.body(null, 204)
    })
    .openapi(sharesRead, async context => {
      const session = await opened(context.req.valid('param').token)
      return context.json(documentOf(await logOf(service, session)), 200)
    })
    .openapi(watch, async context => {
      const { token } = context.req.valid('param')
      const session = await opened(token)
      const holds = async (): Promise<boolean> => (await sessionShared(archive, token)) === session
      return stream(service, context, session, context.req.valid('query').after, { share: token, holds })
    })
}
