import type { Properties, PropertyValue } from '../../../model/properties/property.ts'
import type { Session } from '../../session.ts'
import type { PageProvider } from './page-provider.ts'
import type { ProviderRequest } from './provider-request.ts'

/** The request with what `$currentUser` and `$currentRepository` stand for put in their place. */
export function withCurrentNames(session: Session, request: ProviderRequest): ProviderRequest {
  const current = new Map<PropertyValue, string>([
    ['$currentUser', session.principal.name],
    ['$currentRepository', session.repository.name],
  ])
  const meant = (value: PropertyValue): PropertyValue => (Array.isArray(value) ? value.map(meant) : (current.get(value) ?? value))
  const inEach = (values: Properties) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, meant(value)]))
  const { parameters = [], named = {}, searchDocument } = request
  return {
    ...request,
    parameters: parameters.map(meant),
    named: inEach(named),
    ...(searchDocument && { searchDocument: { ...searchDocument, properties: inEach(searchDocument.properties) } }),
  }
}

/**
 * Whether the user has typed nothing yet of the term to search for: it fills a place where there is one, and is not missed where
 * not.
 */
export function isEmptyTerm(parameters: readonly PropertyValue[]): boolean {
  const [term] = parameters
  return parameters.length === 1 && typeof term === 'string' && term.trim() === ''
}

type Expression = (session: Session, request: ProviderRequest) => string | undefined

const expressions: ReadonlyMap<string, Expression> = new Map<string, Expression>([
  ['#{currentUser.name}', (session) => session.principal.name],
  ['#{currentDocument.id}', (_, { currentDocument }) => currentDocument?.id],
])

export function isKnownExpression(text: string): boolean {
  return expressions.has(text)
}

/** What the definition has for the places that the client's parameters leave, as far as it is known. */
export function spareParameters(
  session: Session,
  { parameters = [] }: PageProvider,
  request: ProviderRequest,
): readonly string[] {
  const values: string[] = []
  for (const text of parameters) {
    const value = expressions.get(text)?.(session, request)
    if (value === undefined) break
    values.push(value)
  }
  return values
}
