/** People at the table: links of their seats, what they are asked, their answers, newcomers, and the asker's words. */
import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import {
  acceptedSchema,
  answerBodySchema,
  joinBodySchema,
  personLinkSchema,
  personSeatSchema,
  sayBodySchema,
} from '../../api/index.ts'
import { askerSaid, joined } from '../../core/log/acts-of-people.ts'
import { answerBefore, fold, latestRound, type Session, seatOf } from '../../core/log/state.ts'
import { picturesIn } from '../../core/question/picture.ts'
import { protocolNamed } from '../../protocols/index.ts'
import { outsideTurns } from '../../runtime/outside.ts'
import { usualPersonDeadline } from '../../table/people.ts'
import { fileHeaders } from '../file-headers.ts'
import { Refusal } from '../problem.ts'
import { problems, replies, router, sessionParams, takes } from '../router.ts'
import { type LinkedSeat, makeLinks, revokeLink, seatLinked } from '../seat-links.ts'
import type { Service } from '../service.ts'
import { act, handIn, logOf } from '../sessions.ts'

const tags = ['People']
const seatParams = sessionParams.extend({ seat: z.string().min(1).max(100) })
const tokenParams = z.object({ token: z.string().regex(/^[A-Za-z0-9_-]{1,200}$/) })
const accepted = { 202: replies(acceptedSchema, 'It is in the log'), ...problems }

const say = createRoute({
  method: 'post',
  path: '/api/sessions/{id}/say',
  tags,
  summary: 'Add a word of the asker, for the next round',
  request: { params: sessionParams, body: takes(sayBodySchema) },
  responses: accepted,
})

const join = createRoute({
  method: 'post',
  path: '/api/sessions/{id}/people',
  tags,
  summary: 'Seat one more person, from the next round on',
  request: { params: sessionParams, body: takes(joinBodySchema) },
  responses: { 201: replies(personLinkSchema, 'The seat and its link'), ...problems },
})

const link = createRoute({
  method: 'post',
  path: '/api/sessions/{id}/seats/{seat}/link',
  tags,
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
  tags,
  summary: "Revoke the link of a person's seat",
  request: { params: seatParams },
  responses: { 204: { description: 'The link no longer works' }, ...problems },
})

const read = createRoute({
  method: 'get',
  path: '/api/seat/{token}',
  tags,
  summary: 'Read what the holder of a seat is asked, through its link',
  request: { params: tokenParams },
  responses: { 200: replies(personSeatSchema, 'The seat'), ...problems },
})

const answer = createRoute({
  method: 'post',
  path: '/api/seat/{token}/answer',
  tags,
  summary: "Hand in the answer of a person's seat, through its link",
  request: { params: tokenParams, body: takes(answerBodySchema) },
  responses: accepted,
})

const picture = createRoute({
  method: 'get',
  path: '/api/seat/{token}/pictures/{exhibit}',
  tags,
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

export const peopleRoutes = (service: Service) => {
  const { archive } = service.engine
  /** A link of a seat that is done, a revoked one and one that never existed look the same. */
  const opened = async (token: string): Promise<LinkedSeat> => {
    const linked = await seatLinked(archive, token)
    if (linked) return linked
    throw new Refusal(
      404,
      'This link no longer works: the session is over, the link was revoked, or it is incomplete.',
    )
  }
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
      context.json(seatView(await opened(context.req.valid('param').token), service), 200),
    )
    .openapi(picture, async context => {
      const { token, exhibit } = context.req.valid('param')
      const { session } = await opened(token)
      const shown = picturesIn(session.question.attachments).find(one => one.exhibit === exhibit)
      const file = shown?.sha256 ? await archive.file(session.id, shown.sha256) : undefined
      if (!file) throw new Refusal(404, 'The question has no such picture.')
      return context.body(Buffer.from(file.data, 'base64'), 200, { ...fileHeaders(file.media) })
    })
    .openapi(answer, async context => {
      const { session, seat } = await opened(context.req.valid('param').token)
      const { position } = await handIn(service, session.id, seat, context.req.valid('json'))
      return context.json({ position }, 202)
    })
}
