import { defineProblem } from '../../base/problem.ts'
import type { PageProvider } from '../../core/search/providers/page-provider.ts'
import type { Session } from '../../core/session.ts'
import type { EntityProvider, Services } from '../../rest/services.ts'

export const givesNoDocuments = defineProblem(
  'givesNoDocuments',
  'invalid',
  (of: { name: string; gives: string }) =>
    `Page provider '${of.name}' gives ${of.gives}, not documents. Run it where ${of.gives} are answered.`,
)

/** The provider of that name, of whichever kind. @throws unknownPageProvider */
export function readProvider(
  { repository }: Pick<Session, 'repository'>,
  { entityProviders }: Pick<Services, 'entityProviders'>,
  name: string,
): PageProvider | EntityProvider {
  return entityProviders.get(name) ?? repository.pageProviders.read(name)
}

/**
 * Providers of rows may look at documents that the caller cannot browse and select no more of them than every user may know;
 * their documents as a whole must not be shown. @throws givesNoDocuments
 */
export function requireDocumentProvider(
  provider: PageProvider | Pick<EntityProvider, 'kind' | 'name' | 'listType'>,
): PageProvider {
  const { name } = provider
  if (provider.kind === 'rows') throw givesNoDocuments({ name, gives: 'rows' })
  if (provider.kind === 'entities') throw givesNoDocuments({ name, gives: provider.listType })
  return provider
}
