/** Templates as the visitor of the request sees them: their own, then the team's, which are the server's files. */
import { z } from 'zod'
import { deletableBy, ownOrTeams } from '../../accounts/own-or-teams.ts'
import { templateSchema } from '../../core/question/template.ts'
import type { Archive } from '../../store/archive/archive.ts'
import { withOwnTemplates } from '../../table/templates.ts'
import type { TemplateShelf } from '../templates.ts'

export const scopedTemplates = (team: TemplateShelf, archive: Archive): TemplateShelf => {
  const { own, save, remove } = ownOrTeams(archive, 'template', {
    ...team,
    // What is saved was checked before, as any template.
    save: (name, value) => team.save(name, templateSchema.parse(value)),
  })
  return {
    async list() {
      const { templates, problems } = withOwnTemplates(await own(), await team.list())
      const mayDelete = await deletableBy(archive, 'template')
      return {
        templates: templates.map(one =>
          one.origin === 'saved' ? { ...one, mayDelete: mayDelete(one.name) } : one,
        ),
        problems,
      }
    },
    save: (name, template) => save(name, z.json().parse(template)),
    remove,
    has: team.has,
  }
}
