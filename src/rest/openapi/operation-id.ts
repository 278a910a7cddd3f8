import type { Method } from '../route.ts'

const verbs: { readonly [M in Method]: string } = { GET: 'get', POST: 'create', PUT: 'update', DELETE: 'delete' }

/** What resources are called, by their templates: `getDocumentById`, `listChildrenByPath`. */
const resources: ReadonlyMap<string, { readonly noun: string; readonly place: string }> = new Map([
  ['/id/{docId}', { noun: 'Document', place: 'ById' }],
  ['/path/{docPath}', { noun: 'Document', place: 'ByPath' }],
  ['/bulk;id={docId}', { noun: 'Documents', place: 'ByIds' }],
  ['/user/{userId}', { noun: 'User', place: 'OfUser' }],
  ['/group/{groupId}', { noun: 'Group', place: 'OfGroup' }],
])

/** Of a method of a resource itself. */
export function resourceOperationId(method: Method, template: string): string {
  const { noun, place } = resources.get(template) ?? { noun: nounIn(template), place: '' }
  return `${verbs[method]}${noun}${place.startsWith('By') ? place : ''}`
}

/** Of an adapter, and behind it what it is applied to; nothing for the API itself. */
export function adapterOperationId(method: Method, name: string, template: string, declared?: string): string {
  const place = template === '' ? '' : (resources.get(template)?.place ?? `Of${nounIn(template)}`)
  return `${declared ?? `${verbs[method]}${pascal(name)}`}${place}`
}

/** Of a route: the verb of its method, the words of its path, and what of it varies. */
export function routeOperationId(method: Method, path: string): string {
  const variables = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => pascal(name))
  return `${verbs[method]}${nounIn(path)}${variables.length === 0 ? '' : `By${variables.join('And')}`}`
}

/** Of an operation behind the command endpoint. */
export function commandOperationId(id: string): string {
  return `run${pascal(id)}`
}

function nounIn(path: string): string {
  return pascal(path.replace(/\{[^}]*\}/g, ' '))
}

function pascal(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}
