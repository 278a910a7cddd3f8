import { hasMainFile, mainBlob, mainFile } from '../../core/blobs/document-blobs.ts'
import { shapeSeen } from '../../core/documents/proxies/proxy.ts'
import { findReadable } from '../../core/documents/read-document.ts'
import { compile, searchDocuments } from '../../core/search/page/run-query.ts'
import { documentsWhere, notProxy, notTrashed, notVersion } from '../../core/search/providers/conditions.ts'
import { quoted } from '../../core/search/query/nxql-text.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { withFacet } from '../../model/own-facets.ts'
import type { Properties } from '../../model/properties/property.ts'
import { bindingsOf, defaultBinding, findBinding, storedBindings, type TemplateBinding, withBinding } from './bindings.ts'
import type { BoundTemplate } from './render-template.ts'
import { bindingsProperty, boundFacet, maxBindings, templateFacet, templateProperties } from './template-model.ts'
import {
  notATemplate,
  notBound,
  severalTemplates,
  templateGone,
  templateNameTaken,
  templateNotForType,
  tooManyTemplates,
  unknownTemplate,
} from './template-problems.ts'
import { isFor, type TemplateSource, templateSourceOf } from './template-source.ts'

/** @throws notATemplate */
export function requireTemplate({ model }: Session, document: Document): TemplateSource {
  const { id, isVersion, isProxy, isTrashed } = document
  if (isVersion || isProxy || isTrashed || !model.shapeOf(document).hasFacet(templateFacet)) throw notATemplate({ id })
  return templateSourceOf(document)
}

/** What the document is bound to under the name. @throws notBound, templateGone */
export async function readBound(session: Session, document: Document, name: string): Promise<BoundTemplate> {
  const binding = findBinding(bindingsOf(document), name)
  if (binding === undefined) throw notBound({ id: document.id, name })
  const source = await findSource(session, binding)
  if (source === undefined) throw templateGone({ name: binding.templateName })
  return { binding, source }
}

async function findSource(session: Session, { templateId }: TemplateBinding): Promise<TemplateSource | undefined> {
  const document = await findReadable(session, templateId)
  if (document === undefined || document.isTrashed || !session.model.shapeOf(document).hasFacet(templateFacet)) return undefined
  return templateSourceOf(document)
}

/** Those of the document that are there and that the caller may read. */
export async function listBound(session: Session, document: Document): Promise<readonly BoundTemplate[]> {
  const found: BoundTemplate[] = []
  for (const binding of bindingsOf(document)) {
    const source = await findSource(session, binding)
    if (source !== undefined) found.push({ binding, source })
  }
  return found
}

const usable = [`ecm:mixinType = '${templateFacet}'`, notTrashed, notVersion, notProxy]
const mostListed = 500

/** The templates that a document can be bound to, by their titles; as many as anybody chooses from. */
export async function listTemplatesFor(session: Session, document: Document): Promise<readonly Document[]> {
  const types = ['all', document.type].map(quoted).join(', ')
  const query = `${documentsWhere(...usable, `${templateProperties.types}/* IN (${types})`)} ORDER BY dc:title, ecm:uuid`
  const { documents } = await searchDocuments(session, compile(session, query), { offset: 0, limit: mostListed })
  return documents
}

/** The one template of that name that the caller may read and that is for the document. @throws unknownTemplate, severalTemplates */
export async function readTemplateByName(session: Session, document: Document, name: string): Promise<TemplateSource> {
  const wanted = name.trim() || defaultBinding
  const query = documentsWhere(...usable, `${templateProperties.name} = ${quoted(wanted)}`)
  const { documents } = await searchDocuments(session, compile(session, query), { offset: 0, limit: mostListed })
  const readable = await Promise.all(documents.map(({ id }) => findReadable(session, id)))
  const sources = readable.flatMap((one) => (one === undefined ? [] : [templateSourceOf(one)]))
  const fitting = sources.filter((source) => isFor(source, document))
  const [source] = fitting
  if (fitting.length > 1) throw severalTemplates({ name: wanted })
  if (source !== undefined) return source
  if (sources.length > 0) throw templateNotForType({ name: wanted, type: document.type })
  throw unknownTemplate({ name: wanted })
}

/** What changes in a document. */
export interface BoundContent {
  readonly properties: Properties
  readonly facets: readonly string[]
}

/** The document as it is bound to the template as well. @throws templateNotForType, templateNameTaken, tooManyTemplates */
export function planBinding(session: Session, document: Document, source: TemplateSource): BoundTemplate {
  if (!isFor(source, document)) throw templateNotForType({ name: source.name, type: document.type })
  const bindings = bindingsOf(document)
  const known = bindings.find(({ templateId }) => templateId === source.document.id)
  if (known !== undefined) return { binding: known, source }
  if (bindings.some(({ templateName }) => templateName === source.name)) throw templateNameTaken({ name: source.name })
  if (bindings.length >= maxBindings) throw tooManyTemplates({ max: maxBindings })
  const binding: TemplateBinding = {
    templateId: source.document.id,
    templateName: source.name,
    templateData: source.data === '' ? null : source.data,
    useMainContentAsTemplate: source.isMainContent && canTakeFile(session, document) && fileOf(session, source) !== undefined,
  }
  return { binding, source }
}

/** A file that is there is never replaced. */
function canTakeFile({ model }: Session, document: Document): boolean {
  return hasMainFile(shapeSeen(model, document)) && document.properties[mainFile] == null
}

function fileOf(session: Session, { document }: TemplateSource) {
  const main = mainBlob(session, document)
  return main?.bytes === undefined ? main?.blob : undefined
}

/** What is saved of a document that is bound so. */
export function boundContent(session: Session, document: Document, { binding, source }: BoundTemplate): BoundContent {
  const bindings = storedBindings(withBinding(bindingsOf(document), binding))
  const file = binding.useMainContentAsTemplate && canTakeFile(session, document) ? fileOf(session, source) : undefined
  return {
    facets: withFacet(session.model, document, boundFacet),
    properties: { [bindingsProperty]: bindings, ...(file !== undefined && { [mainFile]: file }) },
  }
}
