import { type DocumentTypeAddition, defineDocumentType, defineFacet } from '../../model/document-type.ts'
import { alike, boolean, clob, complex, list, string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'

/** Has a file with placeholders. */
export const templateFacet = 'Template'
/** Is bound to templates, which make files of it. */
export const boundFacet = 'TemplateBased'

export const templateProperties = {
  name: 'tmpl:templateName',
  data: 'tmpl:templateData',
  type: 'tmpl:templateType',
  types: 'tmpl:applicableTypes',
  forcedTypes: 'tmpl:forcedTypes',
  forcedBy: 'tmpl:forcedBy',
  allowsOverride: 'tmpl:allowOverride',
  isMainContent: 'tmpl:useAsMainContent',
  output: 'tmpl:outputFormat',
  rendition: 'tmpl:targetRenditionName',
} as const

export const bindingsProperty = 'nxts:bindings'

/** What a template is for all types with, and for none by force. */
export const [everyType, noType] = ['all', 'none']

export const maxBindings = 50
export const maxTemplateData = 500_000
const noWords = { hasWords: false } as const
const data = clob({ maxLength: maxTemplateData, ...noWords })

const template = defineSchema('template', {
  prefix: 'tmpl',
  fields: {
    templateData: data,
    templateType: string({ maxLength: 100, ...noWords }),
    templateName: string({ maxLength: 200, indexed: 'sparse' }),
    applicableTypes: list(string(noWords), { default: [everyType], indexed: true, maxItems: 500, ...noWords }),
    forcedTypes: list(string(noWords), { default: [noType], indexed: true, maxItems: 500, ...noWords }),
    // The id of the template whose forced types these are: those of a copy are nobody's decision.
    forcedBy: string(noWords),
    useAsMainContent: boolean({ default: false }),
    allowOverride: boolean({ default: true }),
    ...alike(string({ maxLength: 200, ...noWords }), 'outputFormat', 'targetRenditionName'),
  },
  // It is bound to documents of others, which are theirs to write.
  secured: ['forcedTypes', 'forcedBy'],
})

const templateSupport = defineSchema('templatesupport', {
  prefix: 'nxts',
  fields: {
    bindings: list(
      complex({
        templateId: string({ indexed: true, resolver: { kind: 'document', store: 'id', validation: false }, ...noWords }),
        templateName: string({ maxLength: 200, ...noWords }),
        templateData: data,
        useMainContentAsTemplate: boolean(),
      }),
      { maxItems: maxBindings, ...noWords },
    ),
  },
})

export const templateSchemas = [template, templateSupport]

export const templateFacets = [defineFacet(templateFacet, ['template']), defineFacet(boundFacet, ['templatesupport'])]

const icon = '/icons/sourcetemplate.png'

export const templateTypes = [
  defineDocumentType('TemplateSource', {
    extends: 'Document',
    schemas: ['common', 'file', 'dublincore', 'uid', 'relatedtext'],
    facets: ['Downloadable', 'Versionable', 'HasRelatedText', templateFacet],
    lifecycle: 'default',
    icon,
  }),
  defineDocumentType('WebTemplateSource', { extends: 'Note', facets: [templateFacet], lifecycle: 'default', icon }),
]

export const templatesInFolders: readonly DocumentTypeAddition[] = ['TemplateRoot', 'Workspace', 'Folder', 'OrderedFolder'].map(
  (type) => ({ type, subtypes: templateTypes.map(({ name }) => name) }),
)
