/** A person with an account. */
import { z } from 'zod'
import { UsageError } from '../core/errors.ts'
import { type Role, roles } from '../core/role.ts'

export { type Role, roles }

const longestName = 100

/** No line break and no control character: names stand in lists, pages and the audit log. */
export const personNameSchema = z
  .string()
  .transform(name => name.normalize('NFC').trim())
  .pipe(
    z
      .string()
      .regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u, 'A name needs at least one visible character.')
      .max(longestName),
  )

export const personSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().optional(),
  role: z.enum(roles),
  /** ISO 8601. */
  since: z.string(),
  disabled: z.literal(true).optional(),
})
export type Person = z.infer<typeof personSchema>

/** "Ada" and "ada" are one name: otherwise one person could pass for another. No database takes a NUL. */
export const nameKey = (name: string): string =>
  name.normalize('NFKC').replaceAll('\0', '').trim().toLowerCase()

export const checkedName = (name: string): string => {
  const read = personNameSchema.safeParse(name)
  if (read.success) return read.data
  throw new UsageError(`Choose a name of 1 to ${longestName} visible characters, in one line.`)
}

export const roleFrom = (text: string): Role => {
  const role = roles.find(one => one === text)
  if (role) return role
  throw new UsageError(`"${text.slice(0, 50)}" isn't a role. Choose ${roles.join(', ')}.`)
}
