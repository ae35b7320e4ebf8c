/** What the routes of `/api/team` share: how they are described, whom they name, and who does it. */
import { createRoute, type RouteConfig } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { z } from 'zod'
import type { Actor } from '../../accounts/audit.ts'
import type { People } from '../../accounts/people.ts'
import type { Person } from '../../accounts/person.ts'
import { currentPerson } from '../../accounts/visitor.ts'
import { addressOf } from '../limits.ts'
import { Refusal } from '../problem.ts'
import { problems, replies } from '../router.ts'
import type { Env } from '../service.ts'

const tags = ['Team']

/** A person, an invitation, or whose budget it is. */
export const teamParams = z.object({ id: z.string().max(100) })

type Asked = NonNullable<RouteConfig['request']>

/** A route that shows something. */
export const shows = <Path extends string, Reply extends z.ZodType, Request extends Asked = object>(
  path: Path,
  summary: string,
  reply: Reply,
  what: string,
  request: Request = {} as Request,
) =>
  createRoute({
    ...{ method: 'get', path, tags, summary, request },
    responses: { 200: replies(reply, what), ...problems },
  })

/** A route that changes something, and has nothing more to say than that it is done. */
export const changes = <Method extends 'put' | 'delete', Path extends string, Request extends Asked>(
  method: Method,
  path: Path,
  summary: string,
  done: string,
  request: Request,
) =>
  createRoute({
    ...{ method, path, tags, summary, request },
    responses: { 204: { description: done }, ...problems },
  })

/** A route that makes something. */
export const makes = <Path extends string, Reply extends z.ZodType, Request extends Asked>(
  path: Path,
  summary: string,
  reply: Reply,
  what: string,
  request: Request,
) =>
  createRoute({
    ...{ method: 'post', path, tags, summary, request },
    responses: { 201: replies(reply, what), ...problems },
  })

export const teamActor = (context: Context<Env>): Actor => ({
  who: currentPerson()?.person.id ?? 'machine',
  from: addressOf(context),
})

/** Throws if nobody has the account. */
export const personAt = async (people: People, id: string): Promise<Person> => {
  const person = await people.withId(id)
  if (person) return person
  throw new Refusal(404, 'Nobody has this account. Reload the page to see who does.')
}

export const namesById = async (people: People): Promise<ReadonlyMap<string, string>> =>
  new Map((await people.list()).map(({ id, name }) => [id, name]))
