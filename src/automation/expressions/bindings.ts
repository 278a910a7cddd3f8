import type { OperationContext } from '../context.ts'
import { readReference } from '../values/convert-value.ts'
import { documentsValue, nothing, type Value } from '../values/value.ts'
import type { FindBinding } from './evaluate.ts'
import { createFunctions } from './functions.ts'
import { momentOfValue } from './moment.ts'
import { type HostObject, type Operand, plainValue, type Reply, text, textOf } from './operand.ts'
import { createUser } from './user-members.ts'
import { weigh } from './weight.ts'

/** What a name means in an expression; undefined for none (contract: operations 1.12). What the server means by a name no variable changes. */
export function bindingsOf(context: OperationContext, more: ReadonlyMap<string, Operand> = new Map()): FindBinding {
  return (name) => findBuiltIn(context, name) ?? more.get(name) ?? context.variables.get(name)
}

function findBuiltIn(context: OperationContext, name: string): Reply {
  const { session } = context
  switch (name) {
    case 'Context':
      return createContext(context)
    case 'ChainParameters':
      context.budget.make(16 * context.callParameters.size)
      return { kind: 'map', members: Object.fromEntries(context.callParameters) }
    case 'This':
      return context.input
    case 'Document':
    case 'currentDocument':
      return findDocument(context.input)
    case 'Documents':
      return context.input.kind === 'documents' ? documentsValue(context.input.documents) : undefined
    case 'CurrentUser':
    case 'currentUser':
      return createUser(context, session.principal)
    case 'CurrentDate':
      return momentOfValue(context, { kind: 'date', date: session.now })
    case 'Session':
      return createSession(context)
    case 'Env':
      return createEnvironment(context)
    case 'Fn':
      return createFunctions(context)
    default:
      return undefined
  }
}

/** The first of a list. */
function findDocument(input: Value): Value | undefined {
  if (input.kind === 'document') return input
  const first = input.kind === 'documents' ? input.documents[0] : undefined
  return first && { kind: 'document', document: first }
}

function createContext({ variables, budget }: OperationContext): HostObject {
  const find = (name: string) => variables.get(name) ?? nothing
  return {
    kind: 'host',
    name: 'Context',
    // Most expressions ask for one of them.
    get value(): Value {
      budget.make(16 * variables.size)
      return { kind: 'map', members: Object.fromEntries(variables) }
    },
    member: find,
    item: (key) => find(textOf(key)),
    call(name, [key, value]) {
      if (key === undefined) return undefined
      if (name === 'get') return find(textOf(key))
      if (name !== 'put' || value === undefined) return undefined
      const kept = plainValue(value)
      budget.make(weigh(budget, kept))
      variables.set(textOf(key), kept)
      return value
    },
  }
}

function createSession(context: OperationContext): HostObject {
  return {
    kind: 'host',
    name: 'Session',
    value: nothing,
    member: (name) => (name === 'repositoryName' ? text(context.session.repository.name) : undefined),
    async call(name, [reference]) {
      if (name !== 'getDocument' || reference === undefined) return undefined
      return { kind: 'document', document: await readReference(context, textOf(reference)) }
    },
  }
}

/** Of the server's settings only what every client sees of it. */
function createEnvironment(context: OperationContext): HostObject {
  const { host, services } = context
  const facts = new Map([
    [services.vendored('platform.url'), host.baseUrl.replace(/\/$/, '')],
    ['repository', context.session.repository.name],
  ])
  const find = (name: string) => {
    const fact = facts.get(name)
    return fact === undefined ? nothing : text(fact)
  }
  return {
    kind: 'host',
    name: 'Env',
    value: { kind: 'map', members: Object.fromEntries([...facts].map(([name, fact]) => [name, text(fact)])) },
    member: find,
    item: (key) => find(textOf(key)),
    call: (name, [key]) => ((name === 'get' || name === 'getProperty') && key !== undefined ? find(textOf(key)) : undefined),
  }
}
