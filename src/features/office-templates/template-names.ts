import type { OperationContext } from '../../automation/context.ts'
import { documentCall, documentItem, documentMember } from '../../automation/expressions/document-members.ts'
import type { FindBinding } from '../../automation/expressions/evaluate.ts'
import { createFunctions } from '../../automation/expressions/functions.ts'
import { momentOfValue } from '../../automation/expressions/moment.ts'
import { type HostObject, type Operand, plainValue, type Reply, text, textOf } from '../../automation/expressions/operand.ts'
import { createUser } from '../../automation/expressions/user-members.ts'
import { nothing, type ValueOf } from '../../automation/values/value.ts'
import { shapeSeen } from '../../core/documents/proxies/proxy.ts'
import { type Document, titleOf } from '../../model/document.ts'
import { actingName, type Principal } from '../../model/rights/principal.ts'
import { prefixOf } from '../../model/schema.ts'

/** What a rendering is of. */
export interface TemplateSubject {
  readonly document: Document
  readonly templateName: string
  /** Values of the parameters by name. */
  readonly parameters: ReadonlyMap<string, Operand>
}

/**
 * What names mean in a template. Whoever may make a document can make a template, and others fill it in with their rights and keep
 * the result where its author may read it: so it sees the document itself, and nothing else that those rights would lead to.
 */
export function templateNames(
  context: OperationContext,
  subject: TemplateSubject,
): (items: ReadonlyMap<string, Operand>) => FindBinding {
  const document = shownDocument(context, subject.document)
  const { principal, now } = context.session
  const builtIn: { readonly [name: string]: () => Operand } = {
    doc: () => document,
    document: () => document,
    Document: () => document,
    This: () => document,
    username: () => text(actingName(principal)),
    principal: () => shownUser(context, principal),
    CurrentUser: () => shownUser(context, principal),
    CurrentDate: () => ({ kind: 'date', date: now }),
    templateName: () => text(subject.templateName),
    functions: () => functionsFor(context),
    fn: () => functionsFor(context),
    Fn: () => functionsFor(context),
  }
  return (items) => (name) => {
    const own = Object.hasOwn(builtIn, name) ? builtIn[name]?.() : undefined
    return items.get(name) ?? own ?? subject.parameters.get(name)
  }
}

const shownMembers = new Set([
  ...[
    'id',
    'ref',
    'name',
    'path',
    'title',
    'description',
    'type',
    'lifeCycle',
    'repositoryName',
    'schemas',
    'facets',
    'versionLabel',
  ],
  ...['locked', 'folder', 'downloadable', 'versionable', 'immutable', 'proxy', 'version', 'trashed'],
])

const shownCalls = new Set(['getProperty', 'getPropertyValue', 'hasFacet', 'getPathAsString', 'getCurrentLifeCycleState'])

/** Its own properties, and not what it leads to. What is left of it elsewhere is its title: the document itself could be asked for more. */
function shownDocument(context: OperationContext, document: Document): HostObject {
  return {
    kind: 'host',
    name: 'a document',
    value: text(titleOf(document)),
    member: (name) => (shownMembers.has(name) ? documentMember(context, document, name) : schemaOf(context, document, name)),
    item: (key) => documentItem(context, document, textOf(key)),
    call: (name, given) => (shownCalls.has(name) ? documentCall(context, document, name, given) : undefined),
  }
}

/** `doc.dublincore.title` */
function schemaOf(context: OperationContext, document: Document, name: string): HostObject | undefined {
  const schema = shapeSeen(context.session.model, document).schemas.find((one) => one.name === name)
  if (schema === undefined) return undefined
  const find = (field: string) => documentItem(context, document, `${prefixOf(schema)}:${field}`)
  return { kind: 'host', name: `the schema ${name}`, value: nothing, member: find, item: (key) => find(textOf(key)) }
}

const shownOfUser = new Set(['name', 'actingUser', 'firstName', 'lastName', 'company', 'email'])

/** Who fills it in: what letters are signed with, and not what else they are. */
function shownUser(context: OperationContext, principal: Principal): HostObject {
  const user = createUser(context, principal)
  const find = (name: string) => (shownOfUser.has(name) ? user.member(name) : undefined)
  return { ...user, member: find, item: (key) => find(textOf(key).replace(/^user:/, '')) }
}

const shownFunctions = new Set([
  ...['getVocabularyLabel', 'date', 'calendar', 'htmlEscape', 'escapeHtml'],
  ...['concatenateIntoList', 'concatenateValuesAsNewList'],
])

const datePatterns: { readonly [name: string]: string } = {
  formatDate: 'yyyy-MM-dd',
  formatDateTime: 'yyyy-MM-dd HH:mm',
  formatTime: 'HH:mm',
}

/** Of what chains may ask the server for: what tells nothing of other people and documents, and uses nothing up. */
function functionsFor(context: OperationContext): HostObject {
  const all = createFunctions(context)
  return {
    ...all,
    call(name, given) {
      if (shownFunctions.has(name)) return all.call?.(name, given)
      return Object.hasOwn(datePatterns, name) ? formatted(context, given[0], datePatterns[name] ?? '') : undefined
    },
  }
}

function formatted(context: OperationContext, given: Operand | undefined, pattern: string): Reply {
  const value = given && plainValue(given)
  if (value?.kind === 'nothing') return text('')
  return value?.kind === 'date' ? momentOfValue(context, value as ValueOf<'date'>).call?.('format', [text(pattern)]) : undefined
}
