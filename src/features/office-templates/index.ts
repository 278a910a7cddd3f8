import { definePlugin } from '../../plugin/define-plugin.ts'
import { nameTemplate } from './complete-template.ts'
import { guardBoundTemplates } from './detach-template.ts'
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
  listeners: [nameTemplate, guardBoundTemplates],
  contribute: (_, services) => ({ renditions: templateRenditions(services) }),
})
