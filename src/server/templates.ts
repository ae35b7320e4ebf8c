/** The templates of this server: files of its data folder. */
import type { Template } from '../core/question/template.ts'
import {
  isSavedTemplate,
  listTemplates,
  removeTemplate,
  saveTemplate,
  type Templates,
} from '../table/templates.ts'

export interface TemplateShelf {
  list(): Promise<Templates>
  save(name: string, template: Template): Promise<void>
  /** Throws UsageError if nobody saved one by that name. */
  remove(name: string): Promise<void>
  /** Also if it can't be read. */
  has(name: string): Promise<boolean>
}

/** `data`: the folder may change with the settings. */
export const templateFiles = (data: () => string): TemplateShelf => ({
  list: async () => listTemplates(data()),
  save: async (name, template) => saveTemplate(data(), name, template),
  remove: async name => removeTemplate(data(), name),
  has: async name => isSavedTemplate(data(), name),
})
