import { applyTemplate, type ContentTemplate } from './initial-content.ts'
import type { InlineListener } from './session.ts'

/** Gives each new document what the templates of its type say. Versions and proxies are not new documents. */
export function templateListener(templates: readonly ContentTemplate[]): InlineListener {
  return {
    name: 'contentTemplates',
    when: 'inline',
    events: ['documentCreated'],
    order: 100,
    async handle({ document }, session) {
      if (document.isVersion || document.isProxy) return
      for (const template of templates) {
        if (template.type === document.type) await applyTemplate(session.asSystem(), document, template)
      }
    },
  }
}
