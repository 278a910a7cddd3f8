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

/**
 * Of a route: the verb of its method and the nouns of its path, in the singular where one of them is meant. So `/things` is `listThings`
 * and `createThing`, `/things/{id}` is `getThing`, `/things/{id}/parts` is `listThingParts`. What varies is named where no plural
 * tells it: `/ping/{name}` is `getPingByName`.
 */
export function routeOperationId(method: Method, path: string): string {
  const steps = stepsOf(path)
  const last = steps.at(-1)
  const isPosted = (step: Step) => method === 'POST' && step === last
  const isList = method === 'GET' && last !== undefined && last.blanks.length === 0 && isPlural(last.noun)
  const nouns = steps.map((step) => (step.blanks.length > 0 || isPosted(step) ? singular(step.noun) : step.noun))
  const unsaid = steps.flatMap((step) => (isPlural(step.noun) && !isPosted(step) ? step.blanks.slice(1) : step.blanks))
  return `${isList ? 'list' : verbs[method]}${nouns.join('')}${unsaid.length === 0 ? '' : `By${unsaid.join('And')}`}`
}

/** A noun of a path, and what varies behind it. */
interface Step {
  readonly noun: string
  readonly blanks: readonly string[]
}

function stepsOf(path: string): readonly Step[] {
  return [...path.matchAll(/([^/{]+)((?:\/\{[^}]+\})*)/g)].map(([, noun = '', blanks = '']) => ({
    noun: pascal(noun),
    blanks: [...blanks.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => pascal(name)),
  }))
}

function isPlural(noun: string): boolean {
  return singular(noun) !== noun
}

function singular(noun: string): string {
  return /(?:ss|us|is)$/.test(noun) ? noun : noun.replace(/ies$/, 'y').replace(/s$/, '')
}

/** Of an operation behind the command endpoint: its id, without words that say nothing. */
export function commandOperationId(id: string): string {
  const [category = '', ...rest] = id.split('.')
  const name = rest.join('.')
  const said = name.startsWith(category) ? name.slice(category.length) : name
  return `run${pascal(`${category}.${said.replace(/(?<=.)Operation$/, '')}`)}`
}

function nounIn(path: string): string {
  return pascal(path.replace(/\{[^}]*\}/g, ' '))
}

function pascal(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  return words
    .map((word) => word.charAt(0).toUpperCase() + (isShouted(word) ? word.slice(1).toLowerCase() : word.slice(1)))
    .join('')
}

function isShouted(word: string): boolean {
  return /^[A-Z]+$/.test(word)
}
