import { definePlugin } from '../../plugin/define-plugin.ts'
import { completeTemplate } from './complete-template.ts'
import { guardBoundTemplates } from './detach-template.ts'
import { forcedTemplates } from './forced-templates.ts'
import { attachTemplate, detachTemplates, listTemplates, renderTemplate, renderTemplateAsPdf } from './operations.ts'
import { templateFacets, templateSchemas, templatesInFolders, templateTypes } from './template-model.ts'
import { templateRenditions } from './template-renditions.ts'

/** Office files and texts with placeholders, which become files of the documents that are bound to them. */
export default definePlugin({
  name: 'office-templates',
  requires: ['content-model', 'documents', 'files', 'conversion', 'rendering', 'renditions', 'search'],
  schemas: templateSchemas,
  facets: templateFacets,
  documentTypes: templateTypes,
  documentTypeAdditions: templatesInFolders,
  operations: [renderTemplate, renderTemplateAsPdf, attachTemplate, detachTemplates, listTemplates],
  listeners: [completeTemplate, guardBoundTemplates],
  contribute(_, services) {
    const forced = forcedTemplates()
    return { renditions: templateRenditions(services), listeners: forced.listeners, backgroundTasks: [forced.look] }
  },
})
