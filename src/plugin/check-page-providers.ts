import { findProviderMistake, findSizeMistake } from '../core/search/providers/check-provider.ts'
import type { PageProvider } from '../core/search/providers/page-provider.ts'
import type { Model } from '../model/model.ts'
import type { EntityProvider } from '../rest/services.ts'
import type { Contributions, Plugin } from './define-plugin.ts'
import { isEntityProvider } from './named-providers.ts'
import { pluginMistake } from './plugin-mistake.ts'

/** What a provider asks for or shows is known only when everything is joined. @throws pluginMistake */
export function requireSoundProviders(
  plugins: readonly Plugin[],
  { entityWriters }: Pick<Contributions, 'entityWriters'>,
  model: Model,
): void {
  const shown = new Set(entityWriters.map(({ entityType }) => entityType))
  const mistakeOf = (provider: PageProvider | EntityProvider) =>
    isEntityProvider(provider) ? findEntityMistake(provider, shown) : findProviderMistake(provider, model)
  for (const { name, pageProviders = [] } of plugins) {
    for (const provider of pageProviders) {
      const mistake = provider.enabled === false ? undefined : mistakeOf(provider)
      if (mistake !== undefined) throw pluginMistake({ plugin: name, reason: `page provider ${provider.name} ${mistake}` })
    }
  }
}

function findEntityMistake(provider: EntityProvider, shown: ReadonlySet<string>): string | undefined {
  if (!shown.has(provider.entityType)) return `lists ${provider.entityType}, which no entity writer shows`
  return findSizeMistake(provider)
}
