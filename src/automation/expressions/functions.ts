import { escapeHtml } from '../../base/html/escape-html.ts'
import { type Json, stringifyJson } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import { isWriting } from '../../core/access.ts'
import { findEntry } from '../../core/directories/find-entry.ts'
import { groupMembers } from '../../core/directories/people.ts'
import { readDirectory } from '../../core/directories/read-directory.ts'
import { documentNotFound } from '../../core/documents/read-document.ts'
import { privilegeMissing } from '../../core/permissions.ts'
import { listAllMembers } from '../../core/principals/group-members.ts'
import { type PrincipalReference, parsePrincipalReference } from '../../core/references.ts'
import type { OperationContext } from '../context.ts'
import { readReference } from '../values/convert-value.ts'
import { nothing, type Value } from '../values/value.ts'
import { createMoment, momentOfValue } from './moment.ts'
import {
  boolean,
  findItems,
  type HostObject,
  list,
  number,
  type Operand,
  plainValue,
  type Reply,
  text,
  textOf,
} from './operand.ts'
import { createUser } from './user-members.ts'
import { requireItems } from './weight.ts'

type Callback = (context: OperationContext, given: readonly Operand[]) => Reply

const functions: { readonly [name: string]: Callback } = {
  getVocabularyLabel: (context, [vocabulary, key]) => vocabulary && key && findLabel(context, textOf(vocabulary), textOf(key)),
  getPrincipal: (context, [name]) => name && findUser(context, textOf(name)),
  getEmail: (context, [name]) => name && findEmail(context, textOf(name)),
  getPrincipalsFromGroup: async (context, [group, ignoresGroups]) =>
    group && list((await listMembers(context, textOf(group), isTrue(ignoresGroups))).map(text)),
  getEmailsFromGroup: async (context, [group, ignoresGroups]) =>
    group && emailsOf(context, await listMembers(context, textOf(group), isTrue(ignoresGroups))),
  getPrincipalEmails: (context, [users]) => users && emailsOf(context, textsOf(users)),
  getEmails: async (context, [names, isPrefixed]) =>
    names && emailsOf(context, await namedUsers(context, textsOf(names), isTrue(isPrefixed))),
  getNextId: (context, [key, sequencer]) => key && nextId(context, textOf(key), sequencer && textOf(sequencer)),
  htmlEscape: (_, [written]) => written && text(escapeHtml(textOf(written))),
  escapeHtml: (_, [written]) => written && text(escapeHtml(textOf(written))),
  nxqlEscape: (_, [written]) => written && text(`'${textOf(written).replace(/[\\']/g, '\\$&')}'`),
  concatenateIntoList: concatenated,
  concatenateValuesAsNewList: concatenated,
  documentExists: (context, given) => {
    const reference = given.at(-1)
    return reference && documentExists(context, textOf(reference))
  },
  date: (context, [moment]) => toMoment(context, moment),
  calendar: (context, [moment]) => toMoment(context, moment),
}

/** `Fn`: what chains may ask the server for. */
export function createFunctions(context: OperationContext): HostObject {
  return {
    kind: 'host',
    name: 'Fn',
    value: nothing,
    member: () => undefined,
    call: (name, given) => (Object.hasOwn(functions, name) ? functions[name]?.(context, given) : undefined),
  }
}

function concatenated({ budget }: OperationContext, given: readonly Operand[]): Value {
  const lists = given.map(itemsOf)
  requireItems(
    budget,
    lists.reduce((count, { length }) => count + length, 0),
  )
  return list(lists.flat())
}

function isTrue(operand: Operand | undefined): boolean {
  return operand?.kind === 'boolean' && operand.isTrue
}

function itemsOf(operand: Operand): readonly Value[] {
  const value = plainValue(operand)
  return findItems(value) ?? (value.kind === 'nothing' ? [] : [value])
}

function textsOf(operand: Operand): readonly string[] {
  return itemsOf(operand).map(textOf)
}

/** The key itself where there is no such entry, or none that the caller may see. */
async function findLabel(context: OperationContext, vocabulary: string, key: string): Promise<Value> {
  const definition = readDirectory(context.session, vocabulary)
  const entry = await context.directories.read((directories) => findEntry(directories, definition, key))
  const label = entry?.values['label']
  return text(typeof label === 'string' ? label : key)
}

async function findUser(context: OperationContext, name: string): Promise<Operand> {
  const principal = await context.services.principals.find(name)
  return principal === undefined ? nothing : createUser(context, principal)
}

async function findEmail(context: OperationContext, name: string): Promise<Value> {
  const email = (await context.services.principals.findUser(name))?.properties['email']
  return typeof email === 'string' && email !== '' ? text(email) : nothing
}

async function emailsOf(context: OperationContext, names: readonly string[]): Promise<Value> {
  const emails: Value[] = []
  for (const name of names) {
    await context.budget.operation()
    emails.push(await findEmail(context, name))
  }
  return list(emails.filter(({ kind }) => kind !== 'nothing'))
}

/** The users of a group, and those of the groups in it. */
async function listMembers(context: OperationContext, group: string, ignoresGroups: boolean): Promise<readonly string[]> {
  return context.directories.read(({ reader: { directories } }) =>
    ignoresGroups ? directories.listTargets(groupMembers, group) : listAllMembers(directories, [group]),
  )
}

/** Names of users and groups, each with `user:` or `group:` before it where they have prefixes. */
async function namedUsers(context: OperationContext, names: readonly string[], isPrefixed: boolean): Promise<readonly string[]> {
  const users = new Set<string>()
  for (const text of names) {
    await context.budget.operation()
    const { kind, name } = isPrefixed ? parsePrincipalReference(text) : await lookedUp(context, text)
    for (const user of kind === 'group' ? await listMembers(context, name, false) : [name]) users.add(user)
  }
  return [...users]
}

/** What is no name of a user may be that of a group. */
async function lookedUp({ services }: OperationContext, name: string): Promise<PrincipalReference> {
  return { kind: (await services.principals.find(name)) === undefined ? 'group' : 'user', name }
}

const numberNeedsTransaction = defineProblem(
  'numberNeedsTransaction',
  'invalid',
  (_: object) => 'Fn.getNextId gives each number once, and so only in a chain that asks for it or writes something else.',
)

/** Numbers that are given once, for each sequencer its own. @throws numberNeedsTransaction */
async function nextId(context: OperationContext, key: string, sequencer = ''): Promise<Value> {
  // A condition that somebody sends with a call that reads shall use none up.
  if (!isWriting(context.session)) throw numberNeedsTransaction({})
  const sequence = sequencer === '' ? `sequence ${key}` : `sequencer ${stringifyJson([sequencer, key])}`
  return number(await context.directories.write(({ tx }) => tx.directories.nextId(sequence)))
}

/** Whether a text of a chain may ask for such a number: then the chain writes. */
export function asksForNumber(json: Json): boolean {
  if (typeof json === 'string') return /\bgetNextId\b/.test(json)
  return typeof json === 'object' && json !== null && Object.values(json).some(asksForNumber)
}

/** Whether a text of a chain may call another server: then its step waits. */
export function callsOut(json: Json): boolean {
  if (typeof json === 'string') return /\bHTTP\b/.test(json)
  return typeof json === 'object' && json !== null && Object.values(json).some(callsOut)
}

/** What may not be read is not there for those who ask. */
async function documentExists(context: OperationContext, reference: string): Promise<Value> {
  try {
    await readReference(context, reference)
    return boolean(true)
  } catch (error) {
    if (documentNotFound.is(error) || privilegeMissing.is(error)) return boolean(false)
    throw error
  }
}

function toMoment(context: OperationContext, operand: Operand | undefined): Reply {
  if (operand?.kind === 'date') return momentOfValue(context, operand)
  if (operand?.kind === 'host' && operand.value.kind === 'date') return operand
  if (operand?.kind !== 'number') return undefined
  return createMoment(context.session.repository.searchRules.query.timeZone, Number(operand.number))
}
