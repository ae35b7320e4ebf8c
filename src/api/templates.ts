/** Requests and replies about templates. */
import { z } from 'zod'
import { templateNameSchema, templateSchema } from '../core/question/template.ts'
import { list, mayDelete } from './common.ts'

export const templateParams = z.object({ name: templateNameSchema })

export const templateBodySchema = templateSchema.meta({ id: 'Template' })
export type TemplateBody = z.input<typeof templateBodySchema>

export const listedTemplateSchema = z
  .object({
    name: z.string(),
    /** One that was saved here takes the place of a built-in one of the same name. */
    origin: z.enum(['saved', 'built-in']),
    template: templateSchema,
    /** The names of its blanks, which `fill` fills in. */
    blanks: list(z.string()),
    mayDelete,
  })
  .meta({ id: 'ListedTemplate' })
export type TemplateReply = z.infer<typeof listedTemplateSchema>

export const templatesSchema = z
  .object({
    templates: list(listedTemplateSchema),
    /** Files of the folder that aren't templates, and why. */
    problems: list(z.string()),
  })
  .meta({ id: 'Templates' })
export type TemplatesReply = z.infer<typeof templatesSchema>
