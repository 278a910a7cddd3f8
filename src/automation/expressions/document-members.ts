import { findParent } from '../../core/documents/ancestors.ts'
import type { Session } from '../../core/session.ts'
import { type Document, titleOf } from '../../model/document.ts'
import { withFacet, withoutFacet } from '../../model/own-facets.ts'
import { unknownProperty, valueAt, type Xpath } from '../../model/properties/xpath.ts'
import { notConvertible } from '../values/convert-value.ts'
import { jsonOfValue, readSentProperties, readXpath } from '../values/read-sent-properties.ts'
import { nothing, type Value } from '../values/value.ts'
import { boolean, type EvaluationContext, list, type Operand, plainValue, type Reply, text, textOf } from './operand.ts'
import { valueOfProperty } from './property-value.ts'
import { ownWeight } from './weight.ts'

type Read = (document: Document, evaluation: EvaluationContext) => Value | Promise<Value>

const members: { readonly [name: string]: Read } = {
  id: ({ id }) => text(id),
  ref: ({ id }) => text(id),
  name: ({ name }) => text(name),
  path: ({ path }) => (path === null ? nothing : text(path)),
  title: (document) => text(titleOf(document)),
  description: (document, evaluation) => propertyOf(evaluation, document, 'dc:description'),
  type: ({ type }) => text(type),
  lifeCycle: ({ state }) => text(state),
  repositoryName: ({ repository }) => text(repository),
  parent: (document, evaluation) => ancestorOf(evaluation, document),
  workspace: (document, evaluation) => ancestorOf(evaluation, document, 'Workspace'),
  domain: (document, evaluation) => ancestorOf(evaluation, document, 'Domain'),
  schemas: (document, { session }) => list(session.model.shapeOf(document).schemas.map(({ name }) => text(name))),
  facets: (document, { session }) => list(session.model.shapeOf(document).facets.map(text)),
  versionLabel: ({ majorVersion, minorVersion }) => text(`${majorVersion}.${minorVersion}`),
  locked: ({ lock }) => boolean(lock !== null),
  folder: hasFacet('Folderish'),
  downloadable: hasFacet('Downloadable'),
  versionable: hasFacet('Versionable'),
  immutable: (document, evaluation) =>
    boolean(document.isVersion || (document.isProxy && isTrue(hasFacet('Immutable')(document, evaluation)))),
  proxy: ({ isProxy }) => boolean(isProxy),
  version: ({ isVersion }) => boolean(isVersion),
  trashed: ({ isTrashed }) => boolean(isTrashed),
}

function hasFacet(facet: string): (document: Document, evaluation: EvaluationContext) => Value {
  return (document, { session }) => boolean(session.model.shapeOf(document).hasFacet(facet))
}

function isTrue(value: Value): boolean {
  return value.kind === 'boolean' && value.isTrue
}

async function ancestorOf({ session }: EvaluationContext, document: Document, type?: string): Promise<Value> {
  const found = await findParent(session, document, type)
  return found === undefined ? nothing : { kind: 'document', document: found }
}

/** `Document.title`; undefined when documents have no such member. */
export function documentMember(evaluation: EvaluationContext, document: Document, name: string): Reply {
  return Object.hasOwn(members, name) ? members[name]?.(asItLooks(evaluation, document), evaluation) : undefined
}

/** `Document["dc:title"]`: nothing for a property that it does not have. */
export function documentItem(evaluation: EvaluationContext, document: Document, xpath: string): Value {
  return propertyOf(evaluation, asItLooks(evaluation, document), xpath)
}

/** What steps have changed without saving it shows at once. */
function asItLooks({ context }: EvaluationContext, document: Document): Document {
  const waiting = context.unsaved.find(document.id)
  if (waiting === undefined) return document
  return {
    ...document,
    facets: waiting.facets ?? document.facets,
    properties: { ...document.properties, ...waiting.changes },
  }
}

function propertyOf({ session, context }: EvaluationContext, document: Document, text: string): Value {
  const xpath = findXpath(session, document, text)
  if (xpath === undefined) return nothing
  const value = valueOfProperty(xpath.type, valueAt(document.properties, xpath), { document, xpath: text })
  // It is made anew each time.
  context.budget.look(ownWeight(value))
  return value
}

function findXpath(session: Session, document: Document, text: string): Xpath | undefined {
  try {
    return readXpath(session, document, text)
  } catch (error) {
    if (unknownProperty.is(error)) return undefined
    throw error
  }
}

/** What a document can be asked to do; undefined for what it cannot. */
export function documentCall(
  evaluation: EvaluationContext,
  stored: Document,
  name: string,
  [first, second]: readonly Operand[],
): Reply {
  if (first === undefined) return undefined
  const document = asItLooks(evaluation, stored)
  const given = textOf(first)
  const { model } = evaluation.session
  switch (name) {
    case 'getParent':
      return ancestorOf(evaluation, document, given)
    case 'resolvePath':
      return document.path === null ? nothing : text(`${document.path === '/' ? '' : document.path}/${given}`)
    case 'hasFacet':
      return hasFacet(given)(document, evaluation)
    case 'getProperty':
    case 'getPropertyValue':
      return propertyOf(evaluation, document, given)
    case 'setProperty':
    case 'setPropertyValue':
      return second && setProperty(evaluation, document, given, plainValue(second))
    case 'addFacet':
      return withFacets(evaluation, document, withFacet(model, document, given))
    case 'removeFacet':
      return withFacets(evaluation, document, withoutFacet(model, document, given))
    default:
      return undefined
  }
}

/** Changes wait for a step that saves, as those of every step do. */
async function setProperty(evaluation: EvaluationContext, document: Document, xpath: string, value: Value): Promise<Value> {
  const { session, context } = evaluation
  const json = jsonOfValue(value)
  if (json === undefined) throw notConvertible({ given: value.kind, wanted: `value of ${xpath}` })
  const changes = await readSentProperties(session, context, document, { [xpath]: json })
  return { kind: 'document', document: context.unsaved.add(document, { changes }) }
}

function withFacets({ context }: EvaluationContext, document: Document, facets: readonly string[]): Value {
  return { kind: 'document', document: context.unsaved.add(document, { changes: {}, facets }) }
}
