import { findParent } from '../../core/documents/ancestors.ts'
import { hasPermission } from '../../core/permissions.ts'
import type { Session } from '../../core/session.ts'
import { type Document, titleOf } from '../../model/document.ts'
import { withFacet, withoutFacet } from '../../model/own-facets.ts'
import { shownValueAt } from '../../model/properties/shown-property.ts'
import { unknownProperty, type Xpath } from '../../model/properties/xpath.ts'
import { immutableFacet, isImmutable, isReportedWith } from '../../model/versioning.ts'
import type { OperationContext } from '../context.ts'
import { notConvertible } from '../values/convert-value.ts'
import { jsonOfValue, readSentProperties, readXpath } from '../values/read-sent-properties.ts'
import { nothing, type Value } from '../values/value.ts'
import { boolean, list, type Operand, plainValue, type Reply, text, textOf } from './operand.ts'
import { valueOfProperty } from './property-value.ts'
import { ownWeight } from './weight.ts'

type Read = (document: Document, context: OperationContext) => Value | Promise<Value>

const members: { readonly [name: string]: Read } = {
  id: ({ id }) => text(id),
  ref: ({ id }) => text(id),
  name: ({ name }) => text(name),
  path: ({ path }) => (path === null ? nothing : text(path)),
  title: (document) => text(titleOf(document)),
  description: (document, context) => propertyOf(context, document, 'dc:description'),
  type: ({ type }) => text(type),
  lifeCycle: ({ state }) => text(state),
  repositoryName: ({ repository }) => text(repository),
  parent: (document, context) => ancestorOf(context, document),
  workspace: (document, context) => ancestorOf(context, document, 'Workspace'),
  domain: (document, context) => ancestorOf(context, document, 'Domain'),
  schemas: (document, { session }) => list(session.model.shapeOf(document).schemas.map(({ name }) => text(name))),
  facets: (document, { session }) => list(facetsOf(session, document).map(text)),
  versionLabel: ({ majorVersion, minorVersion }) => text(`${majorVersion}.${minorVersion}`),
  locked: ({ lock }) => boolean(lock !== null),
  folder: hasFacet('Folderish'),
  downloadable: hasFacet('Downloadable'),
  versionable: hasFacet('Versionable'),
  immutable: (document) => boolean(isImmutable(document)),
  proxy: ({ isProxy }) => boolean(isProxy),
  version: ({ isVersion }) => boolean(isVersion),
  trashed: ({ isTrashed }) => boolean(isTrashed),
}

function hasFacet(facet: string): (document: Document, context: OperationContext) => Value {
  return (document, { session }) => boolean(isReportedWith(document, session.model.shapeOf(document), facet))
}

function facetsOf({ model }: Session, document: Document): readonly string[] {
  const { facets } = model.shapeOf(document)
  return isImmutable(document) ? [...facets, immutableFacet] : facets
}

async function ancestorOf({ session }: OperationContext, document: Document, type?: string): Promise<Value> {
  const found = await findParent(session, document, type)
  return found === undefined ? nothing : { kind: 'document', document: found }
}

/** `Document.title`; undefined when documents have no such member. */
export function documentMember(context: OperationContext, document: Document, name: string): Reply {
  return Object.hasOwn(members, name) ? members[name]?.(asItLooks(context, document), context) : undefined
}

/** `Document["dc:title"]`: nothing for a property that it does not have. */
export function documentItem(context: OperationContext, document: Document, xpath: string): Value {
  return propertyOf(context, asItLooks(context, document), xpath)
}

/** What steps have changed without saving it shows at once. */
function asItLooks(context: OperationContext, document: Document): Document {
  const waiting = context.unsaved.find(document.id)
  if (waiting === undefined) return document
  return {
    ...document,
    facets: waiting.facets ?? document.facets,
    properties: { ...document.properties, ...waiting.changes },
  }
}

function propertyOf(context: OperationContext, document: Document, text: string): Value {
  const xpath = findXpath(context.session, document, text)
  if (xpath === undefined) return nothing
  const value = valueOfProperty(xpath.type, shownValueAt(document, xpath), { document, xpath: text })
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

// Calls of the language that chains were first written in whose members have other names here.
const olderCalls: ReadonlyMap<string, string> = new Map([
  ['getPathAsString', 'path'],
  ['getCurrentLifeCycleState', 'lifeCycle'],
])

/** What a document can be asked to do; undefined for what it cannot. */
export function documentCall(
  context: OperationContext,
  stored: Document,
  name: string,
  [first, second]: readonly Operand[],
): Reply {
  if (first === undefined) return documentMember(context, stored, olderCalls.get(name) ?? '')
  const document = asItLooks(context, stored)
  const given = textOf(first)
  const { model } = context.session
  switch (name) {
    case 'getParent':
      return ancestorOf(context, document, given)
    case 'resolvePath':
      return document.path === null ? nothing : text(`${document.path === '/' ? '' : document.path}/${given}`)
    case 'hasPermission':
      return hasPermission(context.session, document, given).then(boolean)
    case 'hasFacet':
      return hasFacet(given)(document, context)
    case 'getProperty':
    case 'getPropertyValue':
      return propertyOf(context, document, given)
    case 'setProperty':
    case 'setPropertyValue':
      return second && setProperty(context, document, given, plainValue(second))
    case 'addFacet':
      return withFacets(context, document, withFacet(model, document, given))
    case 'removeFacet':
      return withFacets(context, document, withoutFacet(model, document, given))
    default:
      return undefined
  }
}

/** Changes wait for a step that saves, as those of every step do. */
async function setProperty(context: OperationContext, document: Document, xpath: string, value: Value): Promise<Value> {
  const json = jsonOfValue(value)
  if (json === undefined) throw notConvertible({ given: value.kind, wanted: `value of ${xpath}` })
  const changes = await readSentProperties(context, document, { [xpath]: json })
  return { kind: 'document', document: context.unsaved.add(document, { changes }) }
}

function withFacets(context: OperationContext, document: Document, facets: readonly string[]): Value {
  return { kind: 'document', document: context.unsaved.add(document, { changes: {}, facets }) }
}
