import type { OperationContext } from '../../automation/context.ts'
import { defineOperation } from '../../automation/operation.ts'
import { defaulted, optional, required } from '../../automation/parameter.ts'
import { applyContent, saveParameter } from '../../automation/unsaved-changes.ts'
import { type FlowingBlob, storedBlob } from '../../automation/values/flowing-blob.ts'
import { hasMainFile, mainBlob, mainFile } from '../../core/blobs/document-blobs.ts'
import { shapeSeen } from '../../core/documents/proxies/proxy.ts'
import { readDocument, requireRead } from '../../core/documents/read-document.ts'
import { requirePermission } from '../../core/permissions.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { Properties } from '../../model/properties/property.ts'
import { converted } from '../conversion/index.ts'
import { readTakenFile } from '../files/index.ts'
import { bindingsOf, findBinding } from './bindings.ts'
import { boundContent, listTemplatesFor, planBinding, readBound, readTemplateByName, requireTemplate } from './bound-template.ts'
import { detachAll, detachFromAll } from './detach-template.ts'
import { type BoundTemplate, renderBound } from './render-template.ts'
import { parseTemplateData } from './template-data.ts'
import { boundFacet, templateFacet } from './template-model.ts'
import { nowhereToStore, wouldReplaceTemplate } from './template-problems.ts'

const renderParams = {
  templateName: defaulted('string', 'default', {
    description: 'Which of the templates; default is that of this name, or the first',
  }),
  store: defaulted('boolean', false, { description: 'Keep the result as the main file of the document' }),
  save: saveParameter,
  attach: defaulted('boolean', false, { description: 'Bind the document to the template of this name first, if it is not' }),
  templateData: optional('string', {
    widget: 'TextArea',
    description: 'Parameters for this document, in XML or JSON, where the template allows others than its own',
  }),
}

interface Wish {
  readonly templateName: string
  readonly store: boolean
  readonly save: boolean
  readonly attach: boolean
  readonly templateData?: string | undefined
}

/** What the template makes of the document. Whatever changes is written once that has succeeded. */
async function rendered(context: OperationContext, document: Document, wish: Wish): Promise<FlowingBlob | undefined> {
  const { session } = context
  await requireRead(session, document)
  if (!isBound(session, document) && !wish.attach) return mainFileOf(context, document)
  const found = await findWished(session, document, wish)
  const bound = await withData(found, wish.templateData)
  const changes = isChange(document, bound) || wish.store
  if (changes && wish.save) await requirePermission(session, document, 'WriteProperties')
  if (wish.store) requirePlace(session, document, bound)
  const result = await renderBound(context, document, bound)
  if (!changes) return result
  const file = wish.store ? await storedBlob(session.repository, result) : undefined
  await keep(context, document, bound, { save: wish.save, properties: file === undefined ? {} : { [mainFile]: file } })
  return file === undefined ? result : { ...result, blob: file }
}

function isBound({ model }: Session, document: Document): boolean {
  return shapeSeen(model, document).hasFacet(boundFacet) && bindingsOf(document).length > 0
}

function mainFileOf(context: OperationContext, document: Document): Promise<FlowingBlob> | undefined {
  const main = mainBlob(context.session, document)
  return main && readTakenFile(context, document, main)
}

async function findWished(session: Session, document: Document, { attach, templateName: name }: Wish): Promise<BoundTemplate> {
  const isMissing = !isBound(session, document) || findBinding(bindingsOf(document), name) === undefined
  if (!attach || !isMissing) return readBound(session, document, name)
  return planBinding(session, document, await readTemplateByName(session, document, name))
}

/** What a client sends back unchanged is no other wish. */
async function withData(bound: BoundTemplate, data = ''): Promise<BoundTemplate> {
  if (data.trim() === '' || !bound.source.allowsOverride) return bound
  await parseTemplateData(data)
  return { ...bound, binding: { ...bound.binding, templateData: data } }
}

function isChange(document: Document, { binding }: BoundTemplate): boolean {
  const before = bindingsOf(document).find(({ templateId }) => templateId === binding.templateId)
  return before === undefined || before.templateData !== binding.templateData
}

function requirePlace({ model }: Session, document: Document, { binding }: BoundTemplate): void {
  if (!hasMainFile(shapeSeen(model, document))) throw nowhereToStore({ id: document.id })
  if (binding.useMainContentAsTemplate) throw wouldReplaceTemplate({ id: document.id })
}

interface Kept {
  readonly save: boolean
  readonly properties: Properties
}

async function keep(
  context: OperationContext,
  document: Document,
  bound: BoundTemplate,
  { save, properties }: Kept,
): Promise<void> {
  const contentFor = (session: Session, current: Document) => {
    const content = boundContent(session, current, bound)
    return { ...content, properties: { ...content.properties, ...properties } }
  }
  if (save) {
    await context.write((writing) =>
      applyContent(context.within(writing), document, (current) => contentFor(writing, current), { save }),
    )
    return
  }
  const { properties: changes, facets } = contentFor(context.session, context.unsaved.seenIn(document))
  context.unsaved.add(document, { changes, facets })
}

export const renderTemplate = defineOperation({
  id: 'TemplateProcessor.Render',
  category: 'Conversion',
  description: 'Fills a template that the document is bound to with it; gives its main file where it is bound to none.',
  effect: 'waits',
  params: renderParams,
  run: ({ each }) => [each('document', 'blob', (document, { context, params }) => rendered(context, document, params))],
})

const pdf = 'application/pdf'

/** What the published web interface calls: its add-on brings this as a script. */
export const renderTemplateAsPdf = defineOperation({
  id: 'javascript.RenderPdf',
  category: 'Conversion',
  description: 'Fills a template with the document, as TemplateProcessor.Render does, and converts the result to PDF.',
  effect: 'waits',
  params: renderParams,
  run: ({ on }) => [
    on('document', 'blob', async (document, { context, params }) => {
      const file = await rendered(context, document, params)
      return file?.blob['mime-type'] === pdf ? file : file && converted(context, file, { type: pdf })
    }),
  ],
})

export const attachTemplate = defineOperation({
  id: 'TemplateProcessor.Attach',
  category: 'Conversion',
  description: 'Binds the document to a template.',
  effect: 'writes',
  params: {
    template: required('document', {
      description: 'A live document with the facet Template, which is for documents of this type',
    }),
    templateData: optional('string', { widget: 'TextArea', description: 'Parameters for this document, in XML or JSON' }),
  },
  run: ({ each }) => [
    each('document', 'document', async (document, { session, context, params }) => {
      const source = requireTemplate(session, await readDocument(session, params.template.id))
      const bound = await withData(planBinding(session, document, source), params.templateData)
      return applyContent(context, document, (current) => boundContent(session, current, bound), { save: true })
    }),
  ],
})

export const detachTemplates = defineOperation({
  id: 'TemplateProcessor.Detach',
  category: 'Conversion',
  description:
    'Detaches all templates of the document; a template itself from the documents that are bound to it, up to 1,000 in a call.',
  effect: 'writes',
  params: {},
  run: ({ on }) => [
    on('document', 'void', async (document, { session }) => {
      await requireRead(session, document)
      const shape = session.model.shapeOf(document)
      if (shape.hasFacet(templateFacet)) return detachFromAll(session, document)
      if (isBound(session, document)) await detachAll(session, document)
    }),
  ],
})

export const listTemplates = defineOperation({
  id: 'TemplateProcessor.List',
  // The published web interface asks by this name, which is that of a script of its add-on.
  aliases: ['javascript.FilterTemplatesByType'],
  category: 'Conversion',
  description: 'Lists the templates that the document can be bound to.',
  effect: 'reads',
  params: {},
  run: ({ on }) => [on('document', 'documents', (document, { session }) => listTemplatesFor(session, document))],
})
