import type { PageProvider } from '../../../core/search/page-provider.ts'
import { dashboardProviders } from './dashboard.ts'
import { navigationProviders } from './navigation.ts'
import { permissionProviders } from './permissions.ts'
import { savedSearchProviders } from './saved-searches.ts'
import { searchProviders } from './searches.ts'

/**
 * The searches that clients of every server run by name (contract: search 19.2). Those by which a server looks for tags and for the ids of
 * tagged documents, whoever may read them, are not among them: anybody could have read off what hidden documents are tagged with.
 */
export const builtinProviders: readonly PageProvider[] = [
  ...searchProviders,
  ...navigationProviders,
  ...dashboardProviders,
  ...savedSearchProviders,
  ...permissionProviders,
]
